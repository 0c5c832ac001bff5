/** The worker: adapters' outbound halves, the sandbox, and the passes over conversations. */
import type { Failure } from '../core/failure.ts';
import { addressOf } from '../core/ids.ts';
import { ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import { createCalibration } from '../core/tokens.ts';
import { startSweeper } from '../infra/bullmq/sweeper.ts';
import { startTurnWorker } from '../infra/bullmq/turn-worker.ts';
import { createSandbox } from '../infra/docker/sandbox.ts';
import { createFetcher } from '../infra/fetch/fetcher.ts';
import { createPrices } from '../infra/prices/prices.ts';
import { createRedis } from '../infra/redis/connection.ts';
import { joinInstallation } from '../infra/redis/installation.ts';
import type { Outbound } from '../ports/adapter.ts';
import type { Sandbox } from '../ports/sandbox.ts';
import { createPass } from '../turn/pass.ts';
import { toApprovalPolicy } from './approval-settings.ts';
import { startRetention } from './retention.ts';
import { ownPrices } from './own-prices.ts';
import type { Foundation } from './wire.ts';

export type WorkerHalf = AsyncDisposable & { readonly sandbox: Sandbox };

export const startWorkerHalf = async (base: Foundation): Promise<Result<WorkerHalf, Failure>> => {
  await using stack = new AsyncDisposableStack();
  const { config, log, clock, metrics, plugins } = base;
  const outbounds = new Map<string, Outbound>();
  for (const adapter of base.adapters) {
    const { events, blobs, notes, secrets, sharedBy } = base.work;
    const outbound = await adapter.outbound({
      events,
      log: log.with({ adapter: adapter.name }),
      clock,
      metrics,
      blob: blobs.get,
      notes,
      secrets,
      shared: sharedBy(adapter.name),
    });
    if (!outbound.ok) return outbound;
    outbounds.set(adapter.name, stack.use(outbound.value));
  }
  const installation = stack.use(await joinInstallation({ client: base.redis.work, clock, log }));
  const sandbox = stack.use(
    createSandbox({
      docker: config.sandbox.engine,
      image: config.sandbox.image,
      owner: installation.id,
      workerId: installation.workerId,
      isAlive: installation.isAlive,
      blobs: base.work.blobs,
      log,
      clock,
      metrics,
      limits: {
        poolSize: config.sandbox.pool,
        maxContainers: config.sandbox.max,
        runsAtOnce: config.sandbox.runs,
        lingerMs: config.sandbox.lingerMs,
        runtime: config.sandbox.runtime,
      },
    }),
  );
  const pass = createPass({
    ...base.work,
    models: base.model.models,
    calibration: createCalibration(),
    prices: createPrices(ownPrices(config.file)),
    sandbox,
    fetcher: stack.use(createFetcher({ allow: config.fetchAllow })),
    plugins,
    outboundOf: (conversation) => outbounds.get(addressOf(conversation)?.platform ?? ''),
    clock,
    log,
    metrics,
    rules: config.rules,
    settings: { turnMs: config.turnMs, runMs: config.runMs, budgets: config.budgets, approvals: toApprovalPolicy(config.file.approvals) },
  });
  // Last on the stack, so first to go: passes end while everything they stand on is still there.
  const { client: connection } = stack.use(createRedis({ url: config.redisUrl, purpose: 'queue', log }));
  stack.use(startTurnWorker({ connection, queue: base.queue, log, concurrency: config.concurrency, pass }));
  stack.use(startSweeper({ store: base.work.store, queue: base.queue, clock, log }));
  if (config.retentionDays !== null)
    stack.use(startRetention({ ...base.work, shared: base.work.sharedBy('hektor'), clock, log }, config.retentionDays));
  const owned = stack.move();
  return ok({ sandbox, [Symbol.asyncDispose]: () => owned.disposeAsync() });
};
