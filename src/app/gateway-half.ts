/** The gateway: adapters' inbound halves and the HTTP server. */
import type { Failure } from '../core/failure.ts';
import { conversationIdOf } from '../core/ids.ts';
import { ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import type { Inbound } from '../ports/adapter.ts';
import type { Sandbox } from '../ports/sandbox.ts';
import { createGateway } from './gateway.ts';
import { startHttp } from './http.ts';
import type { HttpServer } from './http.ts';
import { readiness } from './readiness.ts';
import type { Foundation } from './wire.ts';

/** What one message may hold. The platforms' own limits are lower or apply before. */
const LIMITS = { textChars: 100_000, files: 10, fileBytes: 32 * 1024 * 1024 };

/** No channel has a model of its own here: the route is the default's. */
const ANYWHERE = conversationIdOf({ platform: '-', workspace: '-', channel: '-', thread: '-' });

export type GatewayHalf = AsyncDisposable & { readonly http: HttpServer };

/**
 * `only`: the adapters to listen for; undefined: all that are set up. `sandbox` null: this process runs no code. `leave`: ends the process.
 */
export const startGatewayHalf = async (
  base: Foundation,
  only: ReadonlySet<string> | undefined,
  sandbox: Sandbox | null,
  leave: (exitCode: number) => void,
): Promise<Result<GatewayHalf, Failure>> => {
  await using stack = new AsyncDisposableStack();
  const { log, clock, metrics, queue, plugins, config } = base;
  const gateway = createGateway({
    ...base.ingest,
    queue,
    clock,
    log,
    metrics,
    plugins,
    models: base.model.models,
    rules: config.rules,
    budgetLimits: config.budgets,
    limits: LIMITS,
    model: () => base.model.models.route(ANYWHERE, null)[0].describe(),
  });
  const inbounds = new Map<string, Inbound>();
  for (const adapter of base.adapters.filter(({ name }) => only === undefined || only.has(name))) {
    const { events, notes, secrets, sharedBy } = base.ingest;
    const inbound = await adapter.inbound({
      gateway,
      events,
      log: log.with({ adapter: adapter.name }),
      clock,
      leave,
      inbox: base.inboxOf(adapter.name),
      notes,
      secrets,
      shared: sharedBy(adapter.name),
      metrics,
    });
    if (!inbound.ok) return inbound;
    inbounds.set(adapter.name, stack.use(inbound.value));
  }
  const http = await startHttp({
    host: config.http.host,
    port: config.http.port,
    mounts: [...inbounds.values()].flatMap((inbound) => inbound.mounts),
    readiness: () => readiness({ ping: base.redis.ping, configured: base.model.configured, inbounds, sandbox }),
    metrics,
    log,
  });
  if (!http.ok) return http;
  stack.use(http.value);
  const owned = stack.move();
  return ok({ http: http.value, [Symbol.asyncDispose]: () => owned.disposeAsync() });
};
