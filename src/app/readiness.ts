/** What `/readyz` says: for each part whether it works, and why not. */
import type { Failure } from '../core/failure.ts';
import type { Result } from '../core/result.ts';
import type { Inbound } from '../ports/adapter.ts';
import type { Sandbox } from '../ports/sandbox.ts';
import type { Readiness } from './http.ts';

export type ReadinessDeps = {
  readonly ping: () => Promise<Result<void, Failure>>;
  /** Whether a model is set up. */
  readonly configured: boolean;
  readonly inbounds: ReadonlyMap<string, Pick<Inbound, 'problems'>>;
  /** Null: this process runs no code. */
  readonly sandbox: Pick<Sandbox, 'health'> | null;
};

export const readiness = async ({ ping, configured, inbounds, sandbox }: ReadinessDeps): Promise<Readiness> => {
  const [redis, box] = await Promise.all([ping(), sandbox?.health()]);
  const problems = [...inbounds].flatMap(([name, inbound]) => inbound.problems().map((problem) => `${name}: ${problem}`));
  const parts = {
    redis: { ok: redis.ok, reason: redis.ok ? '' : 'Redis does not answer' },
    model: { ok: configured, reason: configured ? '' : 'no model is configured: set OPENAI_API_KEY or OPENAI_BASE_URL' },
    adapters: { ok: problems.length === 0, reason: problems.join('; ') },
    ...(box === undefined ? {} : { sandbox: { ok: box.available, reason: box.reason } }),
  };
  return { ready: Object.values(parts).every((part) => part.ok), parts };
};
