/**
 * Hands the commands in to Discord when, and only when, they are others than the last time: it allows 200 new ones a day, and shows both where they
 * are deployed everywhere and to one server. Whatever goes wrong, the bot runs: typed commands and mentions need none of it.
 */
import type { CommandHelp } from '../../src/core/command.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Log } from '../../src/ports/log.ts';
import type { SharedFacts } from '../../src/ports/shared-facts.ts';
import { hashOf, toApplicationCommands } from './commands.ts';
import type { DiscordConfig } from './config.ts';
import type { Calls } from './rest/calls.ts';

const EVERYWHERE = 'everywhere';
const DEPLOYING_MS = 60_000;

/** The fact that says what is deployed: where, and the hash of what. */
const deployedFact = (application: string): string => `commands:${application}`;

export const deployCommands = async (
  { calls, shared, log, clock }: { readonly calls: Calls; readonly shared: SharedFacts; readonly log: Log; readonly clock: Clock },
  { commandGuild }: Pick<DiscordConfig, 'commandGuild'>,
  application: string,
  list: readonly CommandHelp[],
): Promise<void> => {
  const commands = toApplicationCommands(list);
  const wanted = `${commandGuild ?? EVERYWHERE} ${hashOf(commands)}`;
  const before = await shared.get(deployedFact(application));
  if (!before.ok || before.value === wanted) return;
  // Of several processes that start together one does it; where it fails, the next start does.
  const mine = clock.newId();
  const claim = await shared.claim(`deploying:${application}`, mine, DEPLOYING_MS);
  if (!claim.ok || claim.value !== mine) return;
  const done = await calls.putCommands(application, commandGuild, commands);
  if (!done.ok) {
    log.warn(
      { detail: done.failure.detail },
      'the commands could not be handed in to Discord; the bot runs without, and the next start tries again',
    );
    return;
  }
  const where = before.value?.split(' ', 1)[0] ?? null;
  // Deployed to another place before: they would show twice.
  if (where !== null && where !== (commandGuild ?? EVERYWHERE))
    await calls.putCommands(application, where === EVERYWHERE ? null : where, []);
  await shared.set(deployedFact(application), wanted, null);
  log.info({ commands: commands.length, where: commandGuild ?? EVERYWHERE }, 'commands are handed in to Discord');
};
