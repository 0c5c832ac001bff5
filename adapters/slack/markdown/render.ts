/** Markdown -> what Slack takes, under the policy of who may be called by name. Pure. */
import { filterOutput, strictPolicy } from '../../../src/core/markdown/filter.ts';
import type { OutputPolicy } from '../../../src/core/markdown/filter.ts';
import { parseMarkdown } from '../../../src/core/markdown/parse.ts';
import type { Render } from '../encode.ts';
import { toSlackMarkdown } from './markdown-standard.ts';
import { messagesForSlack } from './markdown.ts';

type Origin = { readonly [key: string]: string };

/** The one who asked may be called by name; nobody else, and never everybody. */
const policyFor = (origin: Origin): OutputPolicy => {
  const user = origin['user'] ?? '';
  return /^[UW][A-Z0-9]+$/.test(user) ? { ...strictPolicy, mentions: new Set([`<@${user}>`]) } : strictPolicy;
};

export const renderFor = (origin: Origin): Render => {
  const policy = policyFor(origin);
  return (markdown) => messagesForSlack(markdown, policy);
};

/** The same for a stream, which takes Slack's own Markdown. */
export const streamRenderFor = (origin: Origin): ((markdown: string) => string) => {
  const policy = policyFor(origin);
  return (markdown) => toSlackMarkdown(filterOutput(parseMarkdown(markdown), policy));
};
