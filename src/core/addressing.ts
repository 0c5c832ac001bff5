/**
 * What a message wants: text -> intent. Pure. The adapter has already taken off the mention of the bot and decoded the platform's
 * own escapes; files that came with the message are `accept`'s business (a message that is only files is empty here).
 *
 * - `>>>` begins code, as at a Python prompt. A pasted session (prompts on several lines) loses its prompts as `doctest` does it, and the
 *   lines between them, which are output, are dropped. Without a second prompt every line after the first is code: a person's
 *   code is never taken for output. `>>>` alone on its line is followed by code that is taken as it stands.
 * - `!py code` runs code; so does a message that is exactly one fenced block marked as Python.
 * - `!name arguments` is a command where the name is known, and a question otherwise. `/name` is too, since people write it where the
 *   platform has no slash commands; as text may well begin with a path, it takes at most one argument.
 * - `stop`, alone, is the command of that name. It is read here, before any queue, and never reaches the model.
 *
 * Code is never re-indented or trimmed inside (only line ends become `\n`, which is what Python itself makes of them).
 */
import { failure } from './failure.ts';
import type { FailureOf } from './failure.ts';
import type { Result } from './result.ts';
import { err, ok } from './result.ts';

export type Intent =
  | { readonly kind: 'ask'; readonly text: string }
  | { readonly kind: 'run'; readonly code: string }
  | { readonly kind: 'command'; readonly name: string; readonly args: string };

/** Reads a message. `commands` are the known names. */
export const readIntent = (message: string, commands: ReadonlySet<string>): Result<Intent, FailureOf<'message-empty'>> => {
  const text = withoutBlankEdges(message.replace(/\r\n?/g, '\n'));
  const bare = text.slice(startOfWords(text));
  if (bare === '') return err(failure('message-empty', {}));
  if (bare.toLowerCase() === 'stop') return ok({ kind: 'command', name: 'stop', args: '' });
  const code = promptedCode(text) ?? fencedCode(text, true);
  if (code !== undefined) return isBlank(code) ? err(failure('message-empty', {})) : ok({ kind: 'run', code });
  return ok(commandIn(bare, commands) ?? { kind: 'ask', text: bare });
};

/**
 * The code in the argument of `py`: as it stands, or the content of the one fenced block or code span that it consists of. No Python
 * begins with a backtick. Empty where there is none.
 */
export const codeIn = (args: string): string => {
  const text = withoutBlankEdges(args.replace(/\r\n?/g, '\n'));
  if (isBlank(text)) return '';
  const span = /^\s*(`{1,2})([^`\n]+)\1$/.exec(text)?.[2];
  return promptedCode(text) ?? fencedCode(text, false) ?? span ?? text;
};

/** A message that `readIntent` reads as a run of exactly this code. */
export const asPrompted = (code: string): string => (code.includes('\n') || /^\s/.test(code) ? `>>>\n${code}` : `>>> ${code}`);

/* Characters that show nothing; editors, phones and platforms leave them at the edges of a message. */
const INVISIBLE = /[\s\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/;
const isBlank = (text: string): boolean => startOfWords(text) === text.length;

const startOfWords = (text: string): number => {
  let at = 0;
  while (at < text.length && INVISIBLE.test(text.charAt(at))) at += 1;
  return at;
};

/** Without blank lines before and after; the first line keeps its indentation. By hand: a regular expression would be quadratic here. */
const withoutBlankEdges = (text: string): string => {
  let end = text.length;
  while (end > 0 && INVISIBLE.test(text.charAt(end - 1))) end -= 1;
  const first = startOfWords(text);
  if (first >= end) return '';
  const indent = text.slice(text.lastIndexOf('\n', first - 1) + 1, first).replace(/[^ \t]/g, '');
  return indent + text.slice(first, end);
};

/* Exactly three: `>>>>` is a quotation within quotations, `>>>>>>>` a merge conflict. */
const PRIMARY = /^([ \t]*)>>>(?!>)(?:[ \t\u00a0]|$)?/;

/** The code of a message that begins with a prompt; undefined for any other message. */
const promptedCode = (text: string): string | undefined => {
  const lines = text.split('\n');
  const [first = '', ...rest] = lines;
  const prompt = PRIMARY.exec(first);
  if (prompt === null) return undefined;
  const [mark, indent = ''] = prompt;
  const typed = first.slice(mark.length);
  if (isSession(lines, indent)) return withoutPrompts(lines, indent);
  if (!isBlank(typed)) return unfenced([typed, ...rest].join('\n'));
  return unfenced(rest.join('\n'));
};
const unfenced = (code: string): string => fencedCode(code, false) ?? code;

/** Whether the text was pasted from a Python session: a further line bears a prompt, at the indentation of the first. */
const isSession = (lines: readonly string[], indent: string): boolean => {
  const [first = '', second, ...others] = lines;
  if (second === undefined) return false;
  if (isPrimary(second, indent) || isContinuation(second, indent)) return true;
  if (!isBlank(first.slice(indent.length + 3))) return others.some((line) => isPrimary(line, indent));
  // `>>>` alone announces code as it stands, unless what follows begins with a prompt again.
  const next = lines.slice(1).find((line) => !isBlank(line));
  return next !== undefined && isPrimary(next, indent);
};
const isPrimary = (line: string, indent: string): boolean => PRIMARY.exec(line)?.[1] === indent;
const isContinuation = (line: string, indent: string): boolean =>
  line.startsWith(`${indent}...`) && /^(?:[ \t\u00a0]|$)/.test(line.slice(indent.length + 3));

/** Prompts off, output out: `...` continues only directly below a line with a prompt. */
const withoutPrompts = (lines: readonly string[], indent: string): string => {
  const code: string[] = [];
  let within = false;
  for (const line of lines) {
    const primary = PRIMARY.exec(line);
    const starts = primary?.[1] === indent;
    const goesOn: boolean = !starts && within && isContinuation(line, indent);
    if (starts) code.push(line.slice(primary?.[0].length ?? 0));
    if (goesOn) code.push(line.slice(indent.length + 4));
    within = starts || goesOn;
  }
  return code.join('\n');
};

const OPENING = /^( {0,3})(`{3,}|~{3,})[ \t]*([^\s`]*)[ \t]*$/;
const PYTHON = /^(?:python|python3|py|py3)$/i;

/** The content of a text that is one fenced block and nothing else. Discord's habit of closing behind the last line's text is understood. */
const fencedCode = (text: string, marked: boolean): string | undefined => {
  const lines = text.split('\n');
  const opening = OPENING.exec(lines[0] ?? '');
  const last = lines.at(-1) ?? '';
  if (opening === null || lines.length < 2) return undefined;
  const [, indent = '', fence = '', language = ''] = opening;
  if (marked ? !PYTHON.test(language) : language !== '' && !PYTHON.test(language)) return undefined;
  const closes = (line: string): boolean => new RegExp(`^ {0,3}${fence}${fence.charAt(0)}*[ \\t]*$`).test(line);
  const body = lines.slice(1, -1);
  if (!closes(last)) {
    if (!last.endsWith(fence) || last.endsWith(fence.charAt(0) + fence)) return undefined;
    body.push(last.slice(0, -fence.length));
  }
  if (body.some(closes)) return undefined;
  // As Markdown has it: an indented fence takes its own indentation off its lines.
  const content = indent === '' ? body : body.map((line) => line.replace(new RegExp(`^ {0,${indent.length}}`), ''));
  const code = content.join('\n');
  const lead = PRIMARY.exec(content[0] ?? '');
  return lead !== null && isSession(content, lead[1] ?? '') ? withoutPrompts(content, lead[1] ?? '') : code;
};

const commandIn = (text: string, commands: ReadonlySet<string>): Intent | undefined => {
  const match = /^([!/\uff01])([a-z][a-z-]*)(?=\s|$)/i.exec(text);
  const name = match?.[2]?.toLowerCase() ?? '';
  if (match === null || !commands.has(name)) return undefined;
  // One space or line end parts the name from what it is given; the rest is kept, since it may be code.
  const rest = text.slice(match[0].length + 1);
  if (name === 'py') {
    const code = codeIn(rest);
    return code === '' ? { kind: 'command', name, args: '' } : { kind: 'run', code };
  }
  if (name === 'ask') return isBlank(rest) ? { kind: 'command', name, args: '' } : { kind: 'ask', text: rest.trim() };
  const args = rest.trim();
  return match[1] === '/' && /\s/.test(args) ? undefined : { kind: 'command', name, args };
};
