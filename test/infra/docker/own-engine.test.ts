/**
 * What only an engine of the test's own can show: that it may be restarted and killed under a running sandbox, and that the stronger walls
 * hold which a setting can put up (other OCI runtimes, remapped user namespaces). Sessions work there, and so does the heart of the
 * hostile suite.
 */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectEngine } from '../../../src/infra/docker/inspect.ts';
import { systemClock } from '../../../src/infra/system/clock.ts';
import { programPath, startDockerDaemon, whyNoDaemon } from '../../support/docker-daemon.ts';
import type { DaemonOptions, DockerDaemon } from '../../support/docker-daemon.ts';
import { coreCells } from '../../support/lone-engine.ts';
import { codeOf } from '../../support/results.ts';
import { openSandbox, openSession, sandboxImage } from '../../support/sandbox.ts';
import type { TestSandbox } from '../../support/sandbox.ts';
import { until } from '../../support/until.ts';

const patient = 120_000;
const noEngine = whyNoDaemon();
const bridge = '/sys/class/net/docker0';

type Wall = {
  readonly name: string;
  /** The runtime to ask for; null: the engine's own. */
  readonly runtime: string | null;
  /** Whether the hostile cells run here. gVisor on ptrace takes minutes for them, and was not held to them yet. */
  readonly hostile: boolean;
  /** A cell whose value shows that the wall is really there. */
  readonly proof: { readonly code: string; readonly value: string };
};

/** Runs tests on one engine with the sandbox image on it; what it is told to remove is gone at the end. */
const withEngine = (name: string, config: DaemonOptions['config'], tests: (engine: () => DockerDaemon) => void): void => {
  if (noEngine !== null) process.stderr.write(`skipped: ${name}, because ${noEngine}\n`);
  describe.skipIf(noEngine !== null)(`on ${name}`, { timeout: 300_000 }, () => {
    const bridgeBefore = existsSync(bridge);
    let daemon: DockerDaemon;
    beforeAll(async () => {
      daemon = await startDockerDaemon({ apart: true, config: config ?? {} });
      await daemon.load(sandboxImage);
    }, 300_000);
    afterAll(async () => {
      await daemon[Symbol.asyncDispose]();
      expect(existsSync(bridge), 'the machine’s own engine has its bridge as before').toBe(bridgeBefore);
    }, 300_000);
    tests(() => daemon);
  });
};

/** All that an engine holds besides images; it goes on removing what it was told to remove. */
const nothingIsLeft = async (daemon: DockerDaemon): Promise<void> => {
  const left = async (): Promise<readonly string[]> => {
    const [containers, volumes, networks] = await Promise.all([
      daemon.docker.listContainers({ all: true }),
      daemon.docker.listVolumes(),
      daemon.docker.listNetworks(),
    ]);
    const ownNetworks = networks.filter(({ Name }) => !['none', 'host', 'bridge'].includes(Name));
    return [...containers.map(({ Id }) => Id), ...volumes.Volumes.map(({ Name }) => Name), ...ownNetworks.map(({ Name }) => Name)];
  };
  await until(async () => (await left()).length === 0, 'nothing is left', patient);
};

const restartTests = (engine: () => DockerDaemon): void => {
  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'is restarted by %s, between runs and in the middle of one: names are kept, and nothing is left',
    async (signal) => {
      const daemon = engine();
      const opened = openSandbox({ docker: daemon.host, limits: { poolSize: 1, tendMs: 500 } });
      const ready = (): Promise<void> => until(async () => (await opened.sandbox.health()).idle === 1, 'a container stands ready', patient);
      const s = openSession(opened.sandbox, opened.blobs);
      await s.run('x = 1\nopen("kept.txt", "w").write("kept")');
      await opened.sandbox.rest(s.conversation);
      await ready();

      await daemon.stop(signal);
      await until(async () => codeOf(await s.tryRun('x')) === 'sandbox-missing', 'its absence is noticed', patient);
      await daemon.start();
      await ready();
      expect((await s.run('(x, open("kept.txt").read())')).value).toBe("(1, 'kept')");

      const began = Promise.withResolvers<void>();
      const cut = s.tryRun('x = 2\nprint("go", flush=True)\nimport time; time.sleep(120)', {
        timeoutMs: 200_000,
        onOutput: () => began.resolve(),
      });
      await began.promise;
      await daemon.stop(signal);
      expect(codeOf(await cut)).toBe('sandbox-broken');
      await daemon.start();
      await ready();
      expect((await s.run('x')).value).toBe('1');

      await opened[Symbol.asyncDispose]();
      await nothingIsLeft(daemon);
    },
  );
};

const wallTests = ({ name, runtime, hostile, proof }: Wall, engine: () => DockerDaemon): void => {
  const why = runtime !== null && programPath(runtime) === null ? `${runtime} is not installed` : null;
  if (why !== null) process.stderr.write(`skipped: the sandbox with ${name}, because ${why}\n`);
  describe.skipIf(why !== null)(`the sandbox with ${name}`, { timeout: 300_000 }, () => {
    let opened: TestSandbox;
    beforeAll(() => {
      const limits = { memoryMb: 256, poolSize: 1, maxContainers: 2, waitMs: 280_000, saveMs: 120_000, runtime };
      opened = openSandbox({ docker: engine().host, limits });
    });
    afterAll(async () => {
      await opened[Symbol.asyncDispose]();
      await nothingIsLeft(engine());
    }, 300_000);

    it('keeps a session over its containers, behind that very wall', async () => {
      const s = openSession(opened.sandbox, opened.blobs);
      await s.run('import numpy as np\nx = 41\nv = np.arange(500_000)\nopen("a.txt", "w").write("kept")');
      await opened.sandbox.discard(s.conversation);
      expect((await s.run('(x + 1, int(v.sum()), open("a.txt").read())')).value).toBe("(42, 124999750000, 'kept')");
      expect((await s.run(proof.code)).value).toBe(proof.value);
      await opened.sandbox.rest(s.conversation);
      expect((await s.run('x')).value).toBe('41');
      await opened.sandbox.discard(s.conversation);
    });

    it('is seen by the doctor', async () => {
      const report = await inspectEngine(engine().host, sandboxImage, systemClock);
      expect(report).toMatchObject({ reachable: true, seccomp: true, userNamespaces: name === remapped.name });
      if (runtime !== null) expect(report.runtimes).toContain(runtime);
    });

    it.each(hostile ? coreCells : [])('%s', async (_, { code, ends, see, rolledBack, limitMs }) => {
      const s = openSession(opened.sandbox, opened.blobs);
      await s.run('keep = 123');
      const before = s.head();
      const outcome = await s.run(code, { timeoutMs: limitMs ?? 200_000 });
      expect(ends, JSON.stringify(outcome).slice(0, 2_000)).toContain(outcome.end);
      see?.(outcome);
      if (rolledBack !== undefined) expect(outcome.after === before).toBe(rolledBack);
      expect(await s.run('keep')).toMatchObject({ end: 'finished', value: '123' });
      await opened.sandbox.discard(s.conversation);
    });
  });
};

const crun: Wall = {
  name: 'crun',
  runtime: 'crun',
  hostile: true,
  proof: { code: "'Linux' in open('/proc/version').read()", value: 'True' },
};
const runsc: Wall = {
  name: 'runsc',
  runtime: 'runsc',
  hostile: false,
  proof: { code: "open('/proc/version').read().startswith('Linux version 4.4.0')", value: 'True' },
};
const remapped: Wall = {
  name: 'remapped user namespaces',
  runtime: null,
  hostile: true,
  proof: { code: "int(open('/proc/self/uid_map').read().split()[1])", value: '1000000' },
};
const registered = {
  crun: { path: programPath('crun') },
  // No network of its own, the slowest and most general platform, and cgroups left to the engine: what every machine can hold.
  runsc: { path: programPath('runsc'), runtimeArgs: ['--network=none', '--platform=ptrace', '--ignore-cgroups'] },
};
const installed = Object.fromEntries(Object.entries(registered).filter(([, { path }]) => path !== null));

withEngine('an engine', { runtimes: installed }, (engine) => {
  wallTests(crun, engine);
  wallTests(runsc, engine);
  restartTests(engine);
});
withEngine('an engine with remapped user namespaces', { 'userns-remap': 'nobody:nogroup' }, (engine) => wallTests(remapped, engine));
