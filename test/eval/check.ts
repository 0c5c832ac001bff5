/** Holds a reply against an expectation. Pure. */
import type { Expectation } from './case.ts';
import { languageOf } from './language.ts';

export type EvalCall = { readonly name: string; readonly arguments: string; readonly problem: string | null };
export type EvalReply = { readonly text: string; readonly calls: readonly EvalCall[] };

/** What is wrong with it, in words; empty where it passes. */
export const faultsOf = (reply: EvalReply, expect: Expectation): readonly string[] => {
  const code = reply.calls
    .filter((call) => call.name === 'python')
    .map(codeOf)
    .join('\n');
  return [
    ...reply.calls.flatMap((call) => (call.problem === null ? [] : [`the call of ${call.name} does not decode: ${call.problem}`])),
    ...callFaults(reply, expect.calls),
    ...patternFaults('the code', code, expect.code),
    ...patternFaults('the arguments', reply.calls.map((call) => call.arguments).join('\n'), expect.arguments),
    ...patternFaults('the text', reply.text, expect.text),
    ...(expect.notCalled !== undefined && callsAtOnce(code, expect.notCalled) ? [`the code calls ${expect.notCalled}`] : []),
    ...languageFaults(reply.text, expect.language),
    ...(expect.longest !== undefined && reply.text.length > expect.longest
      ? [`the text has ${reply.text.length} characters, more than ${expect.longest}`]
      : []),
    ...(reply.text.trim() === '' && reply.calls.length === 0 ? ['the reply is empty'] : []),
  ];
};

const callFaults = ({ calls }: EvalReply, wanted: string | undefined): readonly string[] => {
  const names = calls.map((call) => call.name);
  if (wanted === undefined) return [];
  if (wanted === 'none') return names.length === 0 ? [] : [`it calls ${names.join(', ')}`];
  return names.includes(wanted) ? [] : [`it does not call ${wanted}`];
};

const patternFaults = (where: string, text: string, patterns: Expectation['text'] = {}): readonly string[] => [
  ...(patterns.must ?? []).flatMap((pattern) => (pattern.test(text) ? [] : [`${where} lacks ${String(pattern)}`])),
  ...(patterns.mustNot ?? []).flatMap((pattern) => (pattern.test(text) ? [`${where} has ${String(pattern)}`] : [])),
];

const languageFaults = (text: string, wanted: string | undefined): readonly string[] => {
  if (wanted === undefined) return [];
  const is = languageOf(text);
  return is === wanted ? [] : [`the language is ${is ?? 'unclear'}, not ${wanted}`];
};

const codeOf = (call: EvalCall): string => {
  const value: unknown = JSON.parse(call.arguments);
  return typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'string' ? value.code : '';
};

/** Whether code calls a function as it runs: not in the bodies of functions and classes, in comments, or in text. */
export const callsAtOnce = (code: string, name: string): boolean => {
  const plain = code.replace(/("""|''')[\s\S]*?\1|#.*$|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/gm, "''");
  const call = new RegExp(`\\b${name}\\s*\\(`);
  let inBody = false;
  return plain.split('\n').some((line) => {
    if (/^\S/.test(line)) inBody = /^(async\s+def|def|class)\b/.test(line);
    return !inBody && call.test(line);
  });
};
