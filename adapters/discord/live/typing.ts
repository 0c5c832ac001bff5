/** Keeps Discord's typing indicator up while a turn runs. It lasts ten seconds and cannot be taken back, so it ends soon after any end. */
import type { Clock } from '../../../src/ports/clock.ts';
import { TYPING_MS } from '../limits.ts';
import type { Calls } from '../rest/calls.ts';

/** What ends sooner needs no indicator, which would stand beside the answer. */
const AFTER_MS = 500;
/** Whatever happens, nobody types longer than this. */
const MOST_MS = 30 * 60_000;

/** Types in a channel until the signal ends it. Never rejects. */
export const keepTyping = async (
  { calls, clock }: { readonly calls: Calls; readonly clock: Clock },
  channel: string,
  signal: AbortSignal,
): Promise<void> => {
  const until = clock.now() + MOST_MS;
  await clock.sleep(AFTER_MS, signal);
  while (!signal.aborted && clock.now() < until) {
    const said = await calls.typing(channel, { patienceMs: 0, timeoutMs: 5_000 });
    // What is not allowed now is not allowed in nine seconds either.
    if (!said.ok && said.failure.code !== 'rate-limited' && said.failure.code !== 'delivery-unknown') return;
    await clock.sleep(TYPING_MS, signal);
  }
};
