import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import type { Log } from '../../ports/log.ts';
import { scrubFields, scrubText } from './scrub.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export type LogOptions = {
  readonly level: LogLevel;
  /** Standard output where it is left out. */
  readonly destination?: DestinationStream;
};

/** Structured logs, one JSON object a line. Nothing reaches a line that `scrub.ts` has not let through. */
export const createLog = ({ level, destination }: LogOptions): Log => {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return wrap(destination === undefined ? pino(options) : pino(options, destination));
};

const wrap = (logger: Logger): Log => {
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error'): Log['info'] =>
    (fields, message) => {
      if (logger.isLevelEnabled(level)) logger[level](scrubFields(fields), scrubText(message));
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => wrap(logger.child(scrubFields(fields))),
  };
};
