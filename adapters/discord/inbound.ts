/** The listening half: events of the gateway are taken at the front, kept in the in-tray, and worked off from there by any replica. */
import type { Inbound, InboundDeps } from '../../src/ports/adapter.ts';
import type { DiscordConfig } from './config.ts';
import { deployCommands } from './deploy.ts';
import { createBackfill } from './gateway/backfill.ts';
import { openConnection } from './gateway/connection.ts';
import { createFront } from './gateway/front.ts';
import type { Self } from './gateway/front.ts';
import { createKnown } from './gateway/known.ts';
import { readReady } from './gateway/ready.ts';
import type { Desk } from './handle/desk.ts';
import { createHandle } from './handle/handle.ts';
import { createTell } from './handle/tell.ts';
import { createWhere } from './handle/where.ts';
import { createCalls } from './rest/calls.ts';
import { createRest } from './rest/rest.ts';

export const createInbound = async (deps: InboundDeps, config: DiscordConfig): Promise<Inbound> => {
  await using stack = new AsyncDisposableStack();
  const { log, clock, shared, inbox, gateway } = deps;
  const calls = createCalls(createRest(config, { clock, log }));
  const desk: Desk = {
    ...deps,
    config,
    calls,
    where: createWhere({ calls, shared, clock }),
    tell: createTell({ calls, shared, log, clock }),
  };
  const known = createKnown();
  const front = createFront({ inbox, gateway, calls, known, log, clock });
  stack.use(inbox.open(createHandle(desk)));
  stack.defer(front.settled);
  const backfill = stack.use(createBackfill({ calls, front, known, gateway, shared, log, clock }));

  let self: Self | null = null;
  let deployed = false;
  const connection = stack.use(
    openConnection(config, {
      log,
      clock,
      hear: (shard, event, data) => {
        if (event === 'READY') {
          const ready = readReady(data);
          if (ready === null) return log.error({}, 'the gateway’s READY cannot be read');
          self = ready.self;
          backfill.begin(shard, self, ready.guilds);
          // One shard is enough to hand the commands in, and any may be the first.
          if (!deployed) void deployCommands({ calls, shared, log, clock }, config, self.application, gateway.commands);
          deployed = true;
          return undefined;
        }
        if (self === null) return undefined;
        front.take(event, data, self);
        return backfill.heard(shard, event, data);
      },
    }),
  );
  stack.use(backfill.keepTime(connection.ready));
  const owned = stack.move();
  return {
    mounts: [],
    problems: () => [...connection.problems(), ...(calls.tokenRefused() ? ['Discord refuses DISCORD_TOKEN'] : [])],
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
