/**
 * Parts a model's text from its thoughts and from leaked control tokens, while it streams.
 *
 * - `<think>…</think>` at the beginning of a reply is thought (MD16); so is everything before a lone `</think>` on its own line, which
 *   comes from servers whose template holds the opening tag.
 * - `<|channel|>name<|message|>…<|end|>`: only the channel `final` is text; `analysis` is thought, others (leaked calls) are dropped (MD6).
 * - Other known `<|token|>`s vanish. Inside backticks nothing is touched: there the model is writing about such tokens.
 */
export type ThoughtFilter = {
  /** Takes the next piece of raw text. */
  readonly push: (piece: string) => void;
  /** Says that no more will come: what was held back as a possible token is text after all. */
  readonly end: () => void;
  /** The text so far. A character that arrived by half (MC13) is not in it yet. */
  readonly text: () => string;
  readonly thoughts: () => string;
};

type Mode = 'text' | 'thought' | 'dropped' | 'header';

const OPEN = ['<think>', '<thinking>', '[THINK]'];
const CLOSE = ['</think>', '</thinking>', '[/THINK]'];
const CONTROL =
  /^<\|(channel|message|start|end|return|call|constrain|im_start|im_end|im_sep|endoftext|eot_id|eom_id|end_of_text|begin_of_text|start_header_id|end_header_id|python_tag|endofprompt|assistant|user|system|tool_calls_section_begin|tool_calls_section_end)\|>/;
const LONGEST = 40;

const isHighSurrogate = (unit: string): boolean => unit >= '\ud800' && unit <= '\udbff';

export const createThoughtFilter = (): ThoughtFilter => {
  let text = '';
  let thoughts = '';
  let held = '';
  let header = '';
  let mode: Mode = 'text';
  let harmony = false;
  let thought = false;
  let ticks = 0;
  // What must be known of the text's end and beginning is kept beside it: looking into a growing text copies it each time.
  let last = '';
  let blank = true;

  const emit = (piece: string): void => {
    if (piece === '') return;
    if (mode === 'header') header = (header + piece).slice(0, 200);
    if (mode === 'thought') thoughts += piece;
    if (mode !== 'text') return;
    // After a thought, the blank lines between it and the answer are not part of the answer.
    const shown = thought && blank ? piece.trimStart() : piece;
    for (let at = shown.indexOf('`'); at !== -1; at = shown.indexOf('`', at + 1)) {
      const before = at === 0 ? last : shown[at - 1];
      if (before !== '`') ticks += 1;
    }
    text += shown;
    last = shown.at(-1) ?? last;
    blank &&= shown.trim() === '';
  };

  /** Acts on the token at the head of `held`: its length, 0 where there is none, undefined where more is needed to tell. */
  const token = (last: boolean): number | undefined => {
    if (mode === 'text' && ticks % 2 === 1) return 0;
    const control = CONTROL.exec(held);
    if (control !== null) {
      takeControl(control[1] ?? '');
      return control[0].length;
    }
    const tags = mode === 'thought' && !harmony ? CLOSE : blank ? [...OPEN, ...CLOSE] : CLOSE;
    const tag = mode === 'header' || mode === 'dropped' ? undefined : tags.find((one) => held.startsWith(one));
    if (tag !== undefined && takeTag(tag)) return tag.length;
    const unfinished = held.length < LONGEST && (tags.some((one) => one.startsWith(held)) || /^<(\|[a-z_]*\|?)?$/.test(held));
    return unfinished && !last ? undefined : 0;
  };

  const takeTag = (tag: string): boolean => {
    if (OPEN.includes(tag)) {
      text = '';
      mode = 'thought';
      thought = true;
      return true;
    }
    if (mode === 'thought') {
      mode = 'text';
      return true;
    }
    if (thought || !/(^|\n)\s*$/.test(text.slice(-40))) return false;
    thoughts += text;
    text = '';
    last = '';
    blank = true;
    ticks = 0;
    thought = true;
    return true;
  };

  const takeControl = (name: string): void => {
    if (name === 'channel' || name === 'start' || name === 'im_start' || name === 'start_header_id') {
      // `<|start|>assistant<|channel|>final`: the channel's name is what counts, not the role before it.
      header = '';
      mode = 'header';
      harmony = true;
    } else if (name === 'message' || name === 'im_sep' || name === 'end_header_id') {
      const channel = header.trim();
      mode = channel.startsWith('analysis') ? 'thought' : channel === '' || /^(final|assistant)\b/.test(channel) ? 'text' : 'dropped';
      if (mode === 'thought') thought = true;
    } else if (name === 'constrain') header += ' ';
    else if (mode !== 'text' && harmony) {
      mode = 'text';
      harmony = false;
    }
  };

  const drain = (last: boolean): void => {
    for (;;) {
      const at = held.search(/[<[]/);
      // ChatML ends its header with the line, without a token.
      const newline = mode === 'header' ? held.indexOf('\n') : -1;
      if (newline !== -1 && (at === -1 || newline < at)) {
        held = held.slice(newline + 1);
        mode = 'text';
        continue;
      }
      if (at === -1) {
        emit(held);
        held = '';
        return;
      }
      emit(held.slice(0, at));
      held = held.slice(at);
      const length = token(last);
      if (length === undefined) return;
      if (length === 0) {
        emit(held.slice(0, 1));
        held = held.slice(1);
      } else held = held.slice(length);
    }
  };

  return {
    push: (piece) => {
      held += piece;
      drain(false);
    },
    end: () => drain(true),
    text: () => (isHighSurrogate(last) ? text.slice(0, -1) : text),
    thoughts: () => thoughts,
  };
};
