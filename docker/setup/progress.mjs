const quietMs = 2000;
const lineEveryMs = 5000;
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/**
 * Shows what goes on. A step that is done within two seconds says nothing; a longer one has a spinner on a terminal, and
 * a line every few seconds elsewhere.
 *
 * @param {NodeJS.WriteStream} [out]
 */
export function createProgress(out = process.stderr) {
  const live = out.isTTY === true;
  const clear = () => live && out.write('\r\u001B[2K');

  /**
   * @template T
   * @param {string} title
   * @param {(say: (detail: string) => void) => Promise<T>} work `say` gives the line to show beside the title
   * @returns {Promise<T>}
   */
  async function step(title, work) {
    const started = Date.now();
    const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
    let detail = '';
    let shownAt = 0;
    let turn = 0;
    const show = () => {
      const now = Date.now();
      if (now - started < quietMs) return;
      if (live) {
        const line = `${frames[turn++ % frames.length]} ${title} (${seconds()})${detail && ` ${detail}`}`;
        out.write(`\r\u001B[2K${line.slice(0, (out.columns ?? 80) - 1)}`);
      } else if (now - shownAt >= lineEveryMs) {
        out.write(`  ${title} (${seconds()})${detail && `: ${detail.slice(0, 100)}`}\n`);
        shownAt = now;
      }
    };
    const timer = setInterval(show, live ? 100 : 500);
    const close = (mark) => {
      clearInterval(timer);
      clear();
      if (Date.now() - started >= quietMs) out.write(`${mark} ${title} (${seconds()})\n`);
    };
    try {
      const result = await work((text) => {
        detail = text;
      });
      close('✓');
      return result;
    } catch (error) {
      close('✗');
      throw error;
    }
  }

  return { step, note: (text) => out.write(`${text}\n`) };
}
