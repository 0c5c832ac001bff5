/** The practice model's answer to a scene: words, or one call. Deterministic and honest: every answer says that nobody thought about it. Pure. */
import { intentOf } from './intent.ts';
import type { Intent } from './intent.ts';
import type { OfferedTool, Scene } from './scene.ts';
import { LONG_TEXT, MENU } from './texts.ts';

export type PracticeReply =
  | { readonly kind: 'say'; readonly text: string }
  /** Words that take their time: one piece a second. */
  | { readonly kind: 'say-slowly'; readonly pieces: readonly string[] }
  | { readonly kind: 'call'; readonly name: string; readonly args: { readonly [key: string]: unknown } };

const SHOWN = 1_500;

export const replyTo = (scene: Scene): PracticeReply => {
  const result = scene.results.at(-1);
  if (result !== undefined) return { kind: 'say', text: report(scene.called.at(-1) ?? 'the tool', result) };
  const intent = intentOf(scene);
  const forced =
    typeof scene.choice === 'object'
      ? scene.tools.find((tool) => typeof scene.choice === 'object' && tool.name === scene.choice.name)
      : undefined;
  if (forced !== undefined) return call(forced, wordsFor(intent, scene));
  return act(intent, scene);
};

const act = (intent: Intent, scene: Scene): PracticeReply => {
  switch (intent.kind) {
    case 'talk':
      return say(MENU);
    case 'long':
      return say(LONG_TEXT);
    case 'wait': {
      const seconds = Math.max(1, Math.round(intent.seconds));
      const ticks = Array.from({ length: seconds }, (_, n) => ` ${n + 1}`);
      return { kind: 'say-slowly', pieces: [`${LABEL} I wait ${seconds} seconds and count:`, ...ticks, '. Done.'] };
    }
    case 'call': {
      const tool = scene.tools.find((one) => one.name.toLowerCase() === intent.name.toLowerCase());
      if (tool === undefined) return missing(`the tool \`${intent.name}\``, scene);
      return { kind: 'call', name: tool.name, args: objectIn(intent.args) };
    }
    case 'code':
      return use(scene, 'python', 'the `python` plugin', intent.code);
    case 'search':
      return use(scene, 'search', 'the `web-search` plugin', intent.query);
    case 'read':
      return use(scene, 'page', 'the `web-page` plugin', intent.url);
    case 'time':
      return use(scene, 'time', 'the `clock` plugin', '');
    default:
      return intent satisfies never;
  }
};

const PATTERNS = { python: /python|code/i, search: /search/i, page: /page|fetch|read|browse/i, time: /time|clock|date/i } as const;

const use = (scene: Scene, what: keyof typeof PATTERNS, plugin: string, words: string): PracticeReply => {
  const tool = scene.tools.find((one) => PATTERNS[what].test(one.name));
  return tool === undefined || scene.choice === 'none' ? missing(plugin, scene) : call(tool, words);
};

/** Puts the words into the first text argument that the tool insists on. */
const call = (tool: OfferedTool, words: string): PracticeReply => {
  const key = tool.required.find((one) => tool.texts.includes(one));
  return { kind: 'call', name: tool.name, args: key === undefined ? {} : { [key]: words } };
};

const wordsFor = (intent: Intent, scene: Scene): string => {
  if (intent.kind === 'code') return intent.code;
  if (intent.kind === 'search') return intent.query;
  return intent.kind === 'read' ? intent.url : scene.asked;
};

const missing = (what: string, scene: Scene): PracticeReply =>
  say(
    scene.choice === 'none'
      ? `${LABEL} No tools are allowed for this answer, so I cannot use ${what}.`
      : `${LABEL} That needs ${what}, which is not switched on here.${scene.tools.length === 0 ? '' : ` Available: ${scene.tools.map((tool) => `\`${tool.name}\``).join(', ')}.`}`,
  );

const report = (tool: string, result: string): string => {
  const shown = result.length > SHOWN ? `${result.slice(0, SHOWN).toWellFormed()}\n…` : result;
  // A fence longer than any in the result, so that the result cannot end it.
  const fence = '`'.repeat(Math.max(3, ...[...shown.matchAll(/`+/g)].map((match) => match[0].length + 1)));
  return `${LABEL} \`${tool}\` gave:\n\n${fence}text\n${shown === '' ? '(nothing)' : shown}\n${fence}`;
};

const say = (text: string): PracticeReply => ({ kind: 'say', text });
const LABEL = '**Practice model:**';

const objectIn = (text: string): { readonly [key: string]: unknown } => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};
  } catch {
    return {};
  }
};
