/** What a person's words ask the practice model to do. Patterns, no thinking. Pure. */
import { barsCode, lineCode, scatterCode, sineCode } from './plots.ts';
import type { Scene } from './scene.ts';

export type Intent =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'search'; readonly query: string }
  | { readonly kind: 'read'; readonly url: string }
  | { readonly kind: 'time' }
  | { readonly kind: 'call'; readonly name: string; readonly args: string }
  | { readonly kind: 'long' }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'talk' };

const LIST_FILES = [
  'from pathlib import Path',
  'for p in sorted(Path(".").iterdir()):',
  '    print(p.name, p.stat().st_size if p.is_file() else "(folder)")',
].join('\n');

/** Longest wait that a person can ask for. */
const MAX_WAIT = 300;

export const intentOf = (scene: Pick<Scene, 'asked' | 'ran' | 'before'>): Intent => {
  // A mention of the bot, politeness and the last sign are no part of what is asked.
  const said = scene.asked.replace(/<@[^>]+>/g, ' ').trim();
  const line = said
    .replace(/^(@\S+\s+)?((please|hey|hi|ok|now|can you|could you)\b[\s,]*)*/i, '')
    .replace(/[\s?!.]+$/, '')
    .trim();
  const fence = /```(?:python|py)?[ \t]*\n([\s\S]*?)```/i.exec(said)?.[1];
  if (fence !== undefined) return { kind: 'code', code: fence.trimEnd() };
  const wait = /^wait\s+(?:for\s+)?(\d+(?:\.\d+)?)\s*(s|secs?|seconds?|m|mins?|minutes?)?\b/i.exec(line);
  if (wait !== null) return { kind: 'wait', seconds: Math.min(MAX_WAIT, Number(wait[1]) * (/^m/i.test(wait[2] ?? '') ? 60 : 1)) };
  if (/\blong (text|answer|story|message|reply)\b/i.test(line)) return { kind: 'long' };
  const call = /^(?:call|use)\s+(?:the\s+)?(?:tool\s+)?`?([\w-]{1,64})`?(?:\s+(?:tool\s+)?(?:with\s+)?(\{[\s\S]*\}))?$/i.exec(line);
  if (call !== null) return { kind: 'call', name: call[1] ?? '', args: call[2] ?? '{}' };
  if (/\b(what|tell me|which).*\b(time|date|day)\b|^(the )?(time|date)$/i.test(line)) return { kind: 'time' };
  const search = /^(?:search(?: the web)?|look up|google|find out)(?:\s+for)?\s+(.+)$/is.exec(line);
  if (search !== null) return { kind: 'search', query: (search[1] ?? '').trim() };
  const url = /https?:\/\/[^\s<>"')\]]+/i.exec(said)?.[0];
  if (url !== undefined && !/^run\b/i.test(line)) return { kind: 'read', url: url.replace(/[.,;!?]+$/, '') };
  if (/\b(list|show|what)\b.*\bfiles\b/i.test(line)) return { kind: 'code', code: LIST_FILES };
  if (/\b(plot|draw|chart|graph|histogram)\b/i.test(line)) return { kind: 'code', code: plotFor(line) };
  const code = codeFor(line, scene.ran);
  return code === undefined ? { kind: 'talk' } : { kind: 'code', code };
};

const codeFor = (line: string, ran: readonly string[]): string | undefined => {
  const quoted = /`([^`]+)`/.exec(line)?.[1];
  if (quoted !== undefined && /\b(run|execute|evaluate|calculate|compute|what is|what does)\b/i.test(line)) return quoted.trim();
  const run = /^(?:run|execute|evaluate)\s+(?:this(?: code)?:?\s+|the code:?\s+)?([\s\S]+)$/i.exec(line)?.[1];
  if (run !== undefined) return run.trim();
  const set = /^(?:set|let|make)\s+([A-Za-z_]\w*)\s*(?:to|be|=|equal to)\s*(.+)$/i.exec(line);
  if (set !== null) return `${set[1]} = ${set[2]}`;
  const add = /^(add|subtract)\s+(\S+)(?:\s+(?:to|from)\s+(\w+))?$/i.exec(line);
  if (add !== null) {
    const amount = NUMBERS.get((add[2] ?? '').toLowerCase()) ?? add[2] ?? '1';
    const target = add[3] === undefined || /^(it|that|this)$/i.test(add[3]) ? lastName(ran) : add[3];
    return `${target} ${/^add/i.test(add[1] ?? '') ? '+' : '-'}= ${amount}\n${target}`;
  }
  const sum = /^(?:calculate|compute|what is|what's|how much is|evaluate)\s+(?:the value of\s+)?(.+)$/i.exec(line)?.[1];
  if (sum !== undefined && isExpression(sum) && !isForeignWord(sum, ran)) return pythonic(sum);
  if (/^[A-Za-z_]\w*\s*(?:[-+*/]|\/\/|\*\*)?=\s*[^=\s].*$/.test(line) && !/\n/.test(line)) return line;
  return isExpression(line) && /[-+*/%()[\]<>=]|^\d+$/.test(line) ? pythonic(line) : undefined;
};

const NUMBERS = new Map(
  ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'].map((word, n) => [word, String(n)]),
);

/** The name that was set last in this conversation. */
const lastName = (ran: readonly string[]): string => namesSet(ran).at(-1) ?? 'x';

const namesSet = (ran: readonly string[]): readonly string[] =>
  ran.flatMap((code) => [...code.matchAll(/^\s*([A-Za-z_]\w*)\s*(?:[-+*/]|\/\/|\*\*)?=(?!=)/gm)].map((match) => match[1] ?? ''));

/** "What is x" asks for a value, "what is love" does not: a lone word counts as a name when it was set, or is as short as names are. */
const isForeignWord = (text: string, ran: readonly string[]): boolean => /^[A-Za-z_]\w{2,}$/.test(text) && !namesSet(ran).includes(text);

/** One line of names, numbers, operators and calls; two words side by side are a sentence. */
const isExpression = (text: string): boolean =>
  text.length <= 200 &&
  /^[\w\s.+\-*/%^()[\]{},<>=!'":×÷]+$/.test(text) &&
  !/[A-Za-z_]\w*\s+(?!(?:in|and|or|not|if|else|for|is)\b)[A-Za-z_]/.test(text.replace(/\b(in|and|or|not|if|else|for|is)\b/g, '+'));

const pythonic = (text: string): string => text.replaceAll('×', '*').replaceAll('÷', '/').replace(/\^/g, '**').trim();

const plotFor = (line: string): string => {
  const numbers = [...line.matchAll(/-?\d+(?:\.\d+)?/g)].map((match) => match[0]);
  if (/\b(sin|sine|cos|cosine|wave)\b/i.test(line)) return sineCode(/\bcos/i.test(line));
  if (/\b(bars?|histogram|columns?)\b/i.test(line)) return barsCode(numbers.length >= 2 ? numbers : ['3', '7', '5', '9', '4']);
  if (/\b(scatter|points)\b/i.test(line)) return scatterCode();
  return numbers.length >= 2 ? lineCode(numbers) : sineCode(false);
};
