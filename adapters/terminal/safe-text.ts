/** Foreign text on a terminal: what could move the cursor, change the title or reach the clipboard is taken out. Pure. */

/* Any escape sequence: CSI, OSC and other strings with their ends, two-character escapes. The first group is set for colours alone. */
const ESCAPE = /\u001b(?:(\[[0-9;:]*m)|\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])?/g;
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * `live`: the terminal overwrites a line at a carriage return, as a progress bar wants it; elsewhere only what stood last is kept.
 * `colour`: colours that the code itself prints stay.
 */
export const safeText = (text: string, { live, colour }: { readonly live: boolean; readonly colour: boolean }): string => {
  // What is still coming in may end within a sequence or a line end: that part waits for its rest.
  const plain = (live ? text.replace(/(?:\r|\u001b(?:\[[0-?]*)?)$/, '') : text)
    .replace(/\r\n/g, '\n')
    .replace(ESCAPE, (_match, paint: string | undefined) => (paint !== undefined && colour ? `\u001b${paint}` : ''))
    .replace(CONTROL, '');
  if (live) return plain;
  return plain
    .split('\n')
    .map((line) => line.slice(line.replace(/\r+$/, '').lastIndexOf('\r') + 1).replace(/\r+$/, ''))
    .join('\n');
};
