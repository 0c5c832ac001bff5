/** Bracketed paste: what the terminal marks as pasted is parted from what was typed. Pure. */
import { NEWLINE_SIGN } from './input.ts';

const START = '\u001b[200~';
const END = '\u001b[201~';

/** Switches bracketed paste on and off in the terminal. */
export const PASTE_ON = '\u001b[?2004h';
export const PASTE_OFF = '\u001b[?2004l';

export type Segment = { readonly kind: 'typed' | 'pasted'; readonly text: string };
/** `held`: the beginning of a mark that may go on in the next chunk; `paste`: what came since the opening mark, or null. */
export type PasteState = { readonly held: string; readonly paste: string | null };
export const noPaste: PasteState = { held: '', paste: null };

/** The segments that are complete with this chunk, in order. */
export const splitPaste = (state: PasteState, chunk: string): readonly [PasteState, readonly Segment[]] => {
  const segments: Segment[] = [];
  let rest = state.held + chunk;
  let paste = state.paste;
  for (;;) {
    const mark = paste === null ? START : END;
    const at = rest.indexOf(mark);
    if (at === -1) break;
    const before = rest.slice(0, at);
    if (paste === null) {
      if (before !== '') segments.push({ kind: 'typed', text: before });
      paste = '';
    } else {
      segments.push({ kind: 'pasted', text: paste + before });
      paste = null;
    }
    rest = rest.slice(at + mark.length);
  }
  const held = heldBack(rest, paste === null ? START : END);
  const body = rest.slice(0, rest.length - held.length);
  if (paste !== null) return [{ held, paste: paste + body }, segments];
  return [{ held, paste: null }, body === '' ? segments : [...segments, { kind: 'typed', text: body }]];
};

/** The escape key is never held back, or it would wait for the next key; within a paste there is no such key. */
const heldBack = (text: string, mark: string): string => {
  for (let length = Math.min(text.length, mark.length - 1); length > (mark === START ? 1 : 0); length -= 1) {
    if (mark.startsWith(text.slice(-length))) return text.slice(-length);
  }
  return '';
};

/** A pasted text as it goes to the editing line: line ends stand as signs, control characters are gone. */
export const toEditingLine = (pasted: string): string =>
  pasted
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
    .replaceAll('\n', NEWLINE_SIGN);
