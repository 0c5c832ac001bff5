import type { Log } from '../../src/ports/log.ts';

/** A log that keeps its lines. */
export const createTestLog = () => {
  const lines: { readonly level: string; readonly message: string; readonly fields: object }[] = [];
  const at = (level: string, base: object) => (fields: object, message: string) =>
    void lines.push({ level, message, fields: { ...base, ...fields } });
  const log = (base: object): Log => ({
    debug: at('debug', base),
    info: at('info', base),
    warn: at('warn', base),
    error: at('error', base),
    with: (fields) => log({ ...base, ...fields }),
  });
  return { log: log({}), lines };
};
