/** Capabilities for a tool that uses none of them: using one anyway fails loudly. */
import type { Capabilities } from '../../src/core/plugin.ts';

const unexpected = (): never => {
  throw new Error('this tool declared no need for that');
};
export const capabilitiesForTests: Capabilities = {
  sandbox: { run: unexpected },
  clock: { now: unexpected },
  fetch: { get: unexpected },
  kept: { read: unexpected },
  log: { warn: unexpected },
};
