/** Slack's own packages log through ours. */
import { LogLevel } from '@slack/web-api';
import type { Logger } from '@slack/web-api';
import type { Log } from '../../../src/ports/log.ts';

/** Longer lines are cut: what a package puts into a message is not ours to vouch for. */
const MAX = 300;

/** Warnings and errors only: what these packages write below that holds payloads, with people's words in them. */
export const slackLog = (log: Log): Logger => ({
  debug: () => {},
  info: () => {},
  warn: (...parts) => log.warn({ said: said(parts) }, 'a Slack package warns'),
  error: (...parts) => log.warn({ said: said(parts) }, 'a Slack package reports an error'),
  setLevel: () => {},
  getLevel: () => LogLevel.WARN,
  setName: () => {},
});

const said = (parts: readonly unknown[]): string =>
  parts
    .map((part) => (part instanceof Error ? part.message : typeof part === 'string' ? part : ''))
    .join(' ')
    .slice(0, MAX);
