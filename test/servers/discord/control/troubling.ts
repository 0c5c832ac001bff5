/** Control: faults of the REST API, troubles of the gateway, and time. */
import type { Fault } from '../injected.ts';
import type { Limits } from '../rate-limits.ts';
import type { Parts } from '../request.ts';
import { refused } from '../rest-fault.ts';

export const troublingOps = ({ world, gateway }: Parts, limits: Limits) => ({
  fault: (given: Fault): void => void world.faults.push({ ...given }),
  clearFaults: (): void => void (world.faults.length = 0),
  resetLimits: (): void => {
    limits.reset();
    world.invalid.length = 0;
  },
  /** Ends every connection with a close code, or without a word where none is given; `forget` the sessions as well, so that a resume fails. */
  drop: ({ code = null, forget = false }: { readonly code?: number | null; readonly forget?: boolean } = {}): void =>
    gateway.drop(code, forget),
  /** Op 7. */
  reconnect: (): void => gateway.reconnect(),
  /** Op 9. */
  invalidate: ({ resumable }: { readonly resumable: boolean }): void => gateway.invalidate(resumable),
  /** The connections stay open, and nothing comes over them any more: no event, no acknowledgement. */
  silence: ({ on }: { readonly on: boolean }): void => gateway.silence(on),
  askHeartbeat: (): void => gateway.askHeartbeat(),
  /** The next identify or resume is refused: with a close code, or as an invalid session. */
  refuse: (given: { readonly on: 'identify' | 'resume'; readonly how: number | 'invalid' | 'invalid-resumable' }): void =>
    gateway.refuse(given),
  /** Puts the clock forward; what is due by then happens at once. */
  advance: ({ ms }: { readonly ms: number }): void => {
    if (!(ms >= 0)) throw refused(50035);
    world.clock.advance(ms);
    world.changed();
  },
});
