/**
 * The sandbox against `docker exec python3 -c` in a container kept alive and against `docker run python3 -c`, both without any state.
 * "answer": the run's output is seen. "saved": the run is over and its state is stored (in memory here, so that this measures the
 * sandbox alone; Redis on the same host adds a round trip of its own).
 */
import { setTimeout as quiet } from 'node:timers/promises';
import { containerOptions } from '../../src/infra/docker/container-options.ts';
import { defaultLimits } from '../../src/infra/docker/limits.ts';
import { containersOf, docker, openSandbox, openSession, sandboxImage } from '../support/sandbox.ts';
import type { Session, TestSandbox } from '../support/sandbox.ts';
import { until } from '../support/until.ts';
import { ms, print, repeat, row, timed, timingOf } from './measure.ts';
import type { Timing } from './measure.ts';

const cell = 'x = 1 + 1\nprint(x, flush=True)';
const n = 30;

/** Answer and saved of one run. */
const measured = async (session: Session, code: string): Promise<{ answer: number; saved: number }> => {
  const started = performance.now();
  let answer = 0;
  const outcome = await session.run(code, {
    timeoutMs: 120_000,
    onOutput: () => {
      answer ||= performance.now() - started;
    },
  });
  if (outcome.end !== 'finished') throw new Error(`the benchmark's run ended as ${outcome.end}: ${outcome.notes.join(' ')}`);
  return { answer, saved: performance.now() - started };
};

const ripe = (opened: TestSandbox, count: number): Promise<void> =>
  until(async () => (await opened.sandbox.health()).ripe >= count, 'the pool is ripe', 120_000);

/** The first run of a turn: a new lease each time, from a pool at rest. `code` runs on the state that the session has. */
const firstRuns = async (
  opened: TestSandbox,
  session: Session,
  code: string,
  times: number,
): Promise<{ answer: Timing; saved: Timing }> => {
  const head = session.head();
  const samples: { answer: number; saved: number }[] = [];
  for (let index = 0; index < times; index += 1) {
    await opened.sandbox.discard(session.conversation);
    session.setHead(head);
    await ripe(opened, 2);
    await quiet(300);
    samples.push(await measured(session, code));
  }
  await opened.sandbox.discard(session.conversation);
  return { answer: timingOf(samples.map((one) => one.answer)), saved: timingOf(samples.map((one) => one.saved)) };
};

const rate = (what: string, runs: number, spent: number): void => print(`${what.padEnd(52)} ${((runs * 1000) / spent).toFixed(1)} runs/s`);

const plain = (code: readonly string[], lease: string) => ({
  ...containerOptions({ owner: 'bench', worker: 'bench', lease, image: sandboxImage }, defaultLimits),
  Entrypoint: ['python3', '-c', ...code],
  OpenStdin: false,
  StdinOnce: false,
  AttachStdin: false,
});
const drained = (stream: NodeJS.ReadableStream): Promise<void> =>
  new Promise(
    (resolve) =>
      void stream
        .on('data', () => {})
        .on('end', () => resolve())
        .on('close', () => resolve()),
  );

const measureExec = async (): Promise<Timing> => {
  const alive = await docker.createContainer({ ...plain(['import time; time.sleep(3600)'], 'exec') });
  try {
    await alive.start();
    return await repeat(n, () =>
      timed(async () => {
        const exec = await alive.exec({ Cmd: ['python3', '-c', cell], AttachStdout: true, AttachStderr: true });
        await drained(await exec.start({ hijack: true, stdin: false }));
      }),
    );
  } finally {
    await alive.remove({ force: true });
  }
};
const dockerRun = async (): Promise<void> => {
  const container = await docker.createContainer({ ...plain([cell], 'run') });
  const stream = await container.attach({ stream: true, stdout: true, stderr: true });
  const over = drained(stream);
  await container.start();
  await over;
};
const measureRun = (): Promise<Timing> => repeat(n, () => timed(dockerRun));
/** What the engine of this machine can do at all: containers a second with nothing but `python3 -c` in them. */
const dockerRunsPerSecond = async (callers: number): Promise<void> => {
  const [seconds, started] = [10, performance.now()];
  let runs = 0;
  const call = async (): Promise<void> => {
    for (; performance.now() < started + seconds * 1000; runs += 1) await dockerRun();
  };
  await Promise.all(Array.from({ length: callers }, call));
  rate(`${callers} callers, docker run python3 -c, no state`, runs, performance.now() - started);
};

const values: { readonly [kind: string]: (mb: number) => string } = {
  array: (mb) => `import numpy as np\nv = np.random.default_rng(1).random(${mb} * 125_000)`,
  frame: (mb) => `import numpy as np, pandas as pd\nv = pd.DataFrame(np.random.default_rng(1).random((${mb} * 12_500, 10)))`,
  'list of dicts': (mb) => `v = [{'id': i, 'name': f'name {i}', 'ok': True} for i in range(${mb} * 25_000)]`,
};

/** Further runs are counted when every thread has had its first, so that the containers' starts are not among them. */
const throughput = async (opened: TestSandbox, callers: number, fresh: boolean, what: string): Promise<void> => {
  const seconds = 10;
  const sessions = Array.from({ length: callers }, () => openSession(opened.sandbox, opened.blobs));
  if (!fresh) await Promise.all(sessions.map((session) => session.run(cell, { timeoutMs: 120_000 })));
  const end = performance.now() + seconds * 1000;
  let runs = 0;
  const call = async (session: Session): Promise<void> => {
    while (performance.now() < end) {
      await session.run(cell, { timeoutMs: 120_000 });
      runs += 1;
      if (fresh) await opened.sandbox.discard(session.conversation);
    }
  };
  const spent = await timed(() => Promise.all(sessions.map(call)));
  rate(`${callers} callers, ${what}`, runs, spent);
  await Promise.all(sessions.map((session) => opened.sandbox.discard(session.conversation)));
};

export const bench = async (): Promise<void> => {
  const exec = await measureExec();
  const run = await measureRun();
  const rivals = { 'docker exec': exec, 'docker run': run };
  row('docker exec python3 -c, no state', exec);
  row('docker run python3 -c, no state', run);

  await using opened = openSandbox({ limits: { poolSize: 2, maxContainers: 12, waitMs: 300_000, saveMs: 120_000 } });
  await ripe(opened, 2);
  const session = openSession(opened.sandbox, opened.blobs);
  await session.run('x = 1\nname = "small"');
  const first = await firstRuns(opened, session, cell, n);
  row('first run of a turn, warm: answer', first.answer, rivals);
  row('first run of a turn, warm: saved', first.saved, rivals);
  await session.run(cell);
  row('further runs of the lease: saved', await repeat(200, async () => (await measured(session, cell)).saved), rivals);
  await opened.sandbox.rest(session.conversation);
  row(
    'a run after a rest (frozen): saved',
    await repeat(n, async () => {
      await opened.sandbox.rest(session.conversation);
      return (await measured(session, cell)).saved;
    }),
    rivals,
  );

  print();
  for (const [kind, make] of Object.entries(values)) {
    for (const mb of process.argv.includes('--large') ? [1, 10, 100] : [1, 10]) {
      const holder = openSession(opened.sandbox, opened.blobs);
      await measured(holder, make(mb));
      const times = mb === 100 ? 3 : 8;
      row(`${kind}, ${mb} MB, not touched: answer`, (await firstRuns(opened, holder, cell, times)).answer);
      row(`${kind}, ${mb} MB, touched: answer`, (await firstRuns(opened, holder, 'print(len(v), flush=True)', times)).answer);
    }
  }

  print();
  const usage = await Promise.all(
    (await containersOf(opened.owner)).map(async ({ Id }) => (await docker.getContainer(Id).stats({ stream: false })).memory_stats),
  );
  for (const memory of usage) print(`memory of an idle, ripe container: ${ms(memory.stats.total_rss / (1 << 20))} MB`);

  print();
  await using cold = openSandbox({ limits: { poolSize: 0 } });
  row(
    'first run of a turn, no pool (cold): saved',
    await repeat(10, async () => (await measured(openSession(cold.sandbox, cold.blobs), cell)).saved),
    rivals,
  );
  for (const callers of [1, 8]) await dockerRunsPerSecond(callers);
  await using usual = openSandbox({ limits: { waitMs: 300_000 } });
  for (const callers of [1, 8, 32]) await throughput(usual, callers, true, 'a new lease for every run');
  for (const callers of [1, 8, 32]) await throughput(usual, callers, false, 'further runs');
  await using narrow = openSandbox({ limits: { maxContainers: 8, waitMs: 300_000 } });
  await throughput(narrow, 32, false, 'further runs, containers for 8 of them');
};
