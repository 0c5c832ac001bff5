/** A failure of the set-up that the person at the keyboard can do something about: what happened, and what to do. */
export class SetupFault extends Error {
  /**
   * @param {string} message what happened, one line
   * @param {string} remedy what to do about it; may have several lines
   * @param {string} [detail] the last output of the failed command
   */
  constructor(message, remedy, detail = '') {
    super(message);
    this.name = 'SetupFault';
    this.remedy = remedy;
    this.detail = detail;
  }
}
