/** The terminal adapter: a Python prompt whose state the model shares. */
import { stdin, stdout } from 'node:process';
import { ok } from '../../src/core/result.ts';
import type { AdapterFactory } from '../../src/ports/adapter.ts';
import { readTerminalConfig } from './config.ts';
import { createInbound, deafInbound } from './inbound.ts';
import { terminalLimits } from './limits.ts';
import { createOutbound } from './outbound.ts';

/** Always set up, since any worker may have to answer a thread of a terminal; it listens only in the process that has the terminal. */
export const terminal: AdapterFactory = {
  name: 'terminal',
  create: (env) => {
    const config = readTerminalConfig(env);
    if (!config.ok) return config;
    return ok({
      name: 'terminal',
      limits: terminalLimits,
      inbound: (deps) =>
        config.value.listening ? createInbound(deps, config.value, { input: stdin, output: stdout }) : Promise.resolve(ok(deafInbound)),
      outbound: (deps) => Promise.resolve(ok(createOutbound(deps))),
    });
  },
};
