/** The listening half: takes up a thread, and reads what is typed or piped until that ends. */
import { userInfo } from 'node:os';
import type { Failure } from '../../src/core/failure.ts';
import { failure } from '../../src/core/failure.ts';
import { conversationIdOf } from '../../src/core/ids.ts';
import type { Person } from '../../src/core/message.ts';
import { err, ok } from '../../src/core/result.ts';
import type { Result } from '../../src/core/result.ts';
import type { Inbound, InboundDeps } from '../../src/ports/adapter.ts';
import type { TerminalConfig } from './config.ts';
import { addressOfThread } from './decode.ts';
import { createHome } from './home.ts';
import type { Home } from './home.ts';
import { runInteractive } from './interactive.ts';
import type { Terminal } from './interactive.ts';
import { runPiped } from './piped.ts';
import { createSession } from './session.ts';

/** A process that does not have the terminal listens to nothing. */
export const deafInbound: Inbound = { mounts: [], problems: () => [], [Symbol.asyncDispose]: () => Promise.resolve() };

export const createInbound = async (deps: InboundDeps, config: TerminalConfig, terminal: Terminal): Promise<Result<Inbound, Failure>> => {
  const { input, output } = terminal;
  const home = createHome(config.folder, deps.log);
  const taken = await takeThread(deps, config, home);
  if (!taken.ok) return taken;
  const address = addressOfThread(taken.value.thread);
  const live = output.isTTY;
  const closing = new AbortController();
  const session = await createSession({
    deps,
    conversation: conversationIdOf(address),
    address,
    author: whoIsThere(),
    home,
    look: () => ({ live, colour: live && config.colour, columns: (live && output.columns) || 80 }),
    write: (text) => output.write(text),
  });
  const interactive = live && input.isTTY;
  const read = async (): Promise<void> => {
    if (interactive) session.tell(greeting(deps, taken.value));
    const exitCode = interactive
      ? await runInteractive(terminal, session, home, closing.signal).then(() => 0)
      : await runPiped(input, session, closing.signal);
    // Also where the process is ending already: the first reason to end stays.
    if (!closing.signal.aborted) deps.leave(exitCode);
  };
  // Whoever reads our output has gone (`| head`): there is nobody to go on for.
  const gone = (): void => deps.leave(1);
  output.on('error', gone);
  const reading = read().catch((error: unknown) => {
    if (closing.signal.aborted) return;
    deps.log.error({ error: error instanceof Error ? error.stack : String(error) }, 'the terminal could not be read');
    deps.leave(70);
  });
  return ok({
    mounts: [],
    problems: () => [],
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      // A pipe that never ends would keep the process.
      if (!interactive) input.destroy();
      await reading;
      output.off('error', gone);
      await session[Symbol.asyncDispose]();
    },
  });
};

type Taken = { readonly thread: string; readonly runs: number };

/** The thread to go on in: the one that was asked for, the last one of this folder where it still exists, or a new one. */
const takeThread = async ({ gateway, clock }: InboundDeps, { thread }: TerminalConfig, home: Home): Promise<Result<Taken, Failure>> => {
  const wanted = thread.at === 'id' ? thread.id : thread.at === 'last' ? await home.thread() : undefined;
  if (wanted !== undefined) {
    const known = await gateway.read(conversationIdOf(addressOfThread(wanted)));
    if (!known.ok) return known;
    if (known.value !== null) {
      await home.rememberThread(wanted);
      return ok({ thread: wanted, runs: known.value.session.runs });
    }
    if (thread.at === 'id') return err(failure('thread-unknown', {}, `no thread ${wanted} of a terminal`));
  }
  const fresh = clock.newId();
  const opened = await gateway.open(addressOfThread(fresh), whoIsThere());
  if (!opened.ok) return opened;
  await home.rememberThread(fresh);
  return ok({ thread: fresh, runs: 0 });
};

/** The name of the account; an account without one is possible in a container. */
const whoIsThere = (): Person => {
  try {
    const { username } = userInfo();
    return { id: `local:${username}`, name: username };
  } catch {
    return { id: 'local', name: 'you' };
  }
};

const greeting = ({ gateway }: InboundDeps, { thread, runs }: Taken): string => {
  const model = gateway.model();
  return [
    `Hektor: Python, and ${model.practice ? 'a practice model that does not think' : model.name} beside it in one state.`,
    '?question asks the model, !help lists the commands, Ctrl-C stops, Ctrl-D leaves.',
    runs === 0 ? `Thread ${thread}.` : `Thread ${thread} goes on after run ${runs}; !vars shows what is there.`,
  ].join('\n');
};
