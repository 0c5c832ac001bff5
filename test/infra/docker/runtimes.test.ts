/**
 * The stronger walls that a setting can put up: other OCI runtimes and remapped user namespaces, each on an engine of the test's own.
 * Sessions work there, and the heart of the hostile suite holds.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectEngine } from '../../../src/infra/docker/inspect.ts';
import { systemClock } from '../../../src/infra/system/clock.ts';
import { programPath, startDockerDaemon, whyNoDaemon } from '../../support/docker-daemon.ts';
import type { DaemonOptions, DockerDaemon } from '../../support/docker-daemon.ts';
import { coreCells } from '../../support/lone-engine.ts';
import { openSandbox, openSession, sandboxImage } from '../../support/sandbox.ts';
import type { TestSandbox } from '../../support/sandbox.ts';
import { until } from '../../support/until.ts';

type Wall = {
  readonly config: DaemonOptions['config'];
  readonly runtime: string | null;
  readonly program: string | null;
  /** Whether the hostile cells run here. gVisor on ptrace takes minutes for them, and was not held to them yet. */
  readonly hostile: boolean;
  /** A cell whose value shows that the wall is really there. */
  readonly proof: { readonly code: string; readonly value: string };
};

const runtimes = {
  crun: { path: programPath('crun') },
  // No network of its own, the slowest and most general platform, and cgroups left to the engine: what every machine can hold.
  runsc: { path: programPath('runsc'), runtimeArgs: ['--network=none', '--platform=ptrace', '--ignore-cgroups'] },
};
const walls: { readonly [name: string]: Wall } = {
  crun: {
    config: { runtimes: { crun: runtimes.crun } },
    runtime: 'crun',
    program: 'crun',
    hostile: true,
    proof: { code: "'Linux' in open('/proc/version').read()", value: 'True' },
  },
  runsc: {
    config: { runtimes: { runsc: runtimes.runsc } },
    runtime: 'runsc',
    program: 'runsc',
    hostile: false,
    proof: { code: "open('/proc/version').read().startswith('Linux version 4.4.0')", value: 'True' },
  },
  'remapped user namespaces': {
    config: { 'userns-remap': 'nobody:nogroup' },
    runtime: null,
    program: null,
    hostile: true,
    proof: { code: "int(open('/proc/self/uid_map').read().split()[1])", value: '1000000' },
  },
};

for (const [name, wall] of Object.entries(walls)) {
  const why = whyNoDaemon() ?? (wall.program !== null && programPath(wall.program) === null ? `${wall.program} is not installed` : null);
  if (why !== null) process.stderr.write(`skipped: the sandbox with ${name}, because ${why}\n`);
  describe.skipIf(why !== null)(`the sandbox with ${name}`, { timeout: 300_000 }, () => {
    let daemon: DockerDaemon;
    let opened: TestSandbox;
    beforeAll(async () => {
      daemon = await startDockerDaemon({ apart: true, config: wall.config ?? {} });
      await daemon.load(sandboxImage);
      const limits = { memoryMb: 256, poolSize: 1, maxContainers: 2, waitMs: 280_000, saveMs: 120_000, runtime: wall.runtime };
      opened = openSandbox({ docker: daemon.host, limits });
    }, 300_000);
    afterAll(async () => {
      await opened[Symbol.asyncDispose]();
      try {
        // The engine goes on removing what it was told to remove.
        await until(async () => (await daemon.docker.listContainers({ all: true })).length === 0, 'no container is left', 120_000);
      } finally {
        await daemon[Symbol.asyncDispose]();
      }
    }, 300_000);

    it('keeps a session over its containers, behind that very wall', async () => {
      const s = openSession(opened.sandbox, opened.blobs);
      await s.run('import numpy as np\nx = 41\nv = np.arange(500_000)\nopen("a.txt", "w").write("kept")');
      await opened.sandbox.discard(s.conversation);
      expect((await s.run('(x + 1, int(v.sum()), open("a.txt").read())')).value).toBe("(42, 124999750000, 'kept')");
      expect((await s.run(wall.proof.code)).value).toBe(wall.proof.value);
      await opened.sandbox.rest(s.conversation);
      expect((await s.run('x')).value).toBe('41');
      await opened.sandbox.discard(s.conversation);
    });

    it('is seen by the doctor', async () => {
      const report = await inspectEngine(daemon.host, sandboxImage, systemClock);
      expect(report).toMatchObject({ reachable: true, seccomp: true, userNamespaces: wall.config?.['userns-remap'] !== undefined });
      if (wall.runtime !== null) expect(report.runtimes).toContain(wall.runtime);
    });

    it.each(wall.hostile ? coreCells : [])('%s', async (_, { code, ends, see, rolledBack, limitMs }) => {
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
}
