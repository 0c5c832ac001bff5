/** An engine that is really restarted under a running sandbox, in good order and by force: an engine of the test's own. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDockerDaemon, whyNoDaemon } from '../../support/docker-daemon.ts';
import type { DockerDaemon } from '../../support/docker-daemon.ts';
import { codeOf } from '../../support/results.ts';
import { openSandbox, openSession, sandboxImage } from '../../support/sandbox.ts';
import type { TestSandbox } from '../../support/sandbox.ts';
import { until } from '../../support/until.ts';

const patient = 120_000;
const why = whyNoDaemon();
if (why !== null) process.stderr.write(`skipped: restarts of the Docker engine, because ${why}\n`);

describe.skipIf(why !== null)('an engine that is restarted', { timeout: 300_000 }, () => {
  let daemon: DockerDaemon;
  beforeAll(async () => {
    daemon = await startDockerDaemon();
    await daemon.load(sandboxImage);
  }, 300_000);
  afterAll(() => daemon[Symbol.asyncDispose](), 300_000);

  const ready = (opened: TestSandbox): Promise<void> =>
    until(async () => (await opened.sandbox.health()).idle === 1, 'a container stands ready', patient);
  const left = async (): Promise<readonly string[]> => {
    const [containers, volumes, networks] = await Promise.all([
      daemon.docker.listContainers({ all: true }),
      daemon.docker.listVolumes(),
      daemon.docker.listNetworks(),
    ]);
    const ownNetworks = networks.filter(({ Name }) => !['none', 'host', 'bridge'].includes(Name));
    return [...containers.map(({ Id }) => Id), ...volumes.Volumes.map(({ Name }) => Name), ...ownNetworks.map(({ Name }) => Name)];
  };

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'by %s, between runs and in the middle of one: names are kept, and nothing is left',
    async (signal) => {
      const opened = openSandbox({ docker: daemon.host, limits: { poolSize: 1, tendMs: 500 } });
      const s = openSession(opened.sandbox, opened.blobs);
      await s.run('x = 1\nopen("kept.txt", "w").write("kept")');
      await opened.sandbox.rest(s.conversation);
      await ready(opened);

      await daemon.stop(signal);
      await until(async () => codeOf(await s.tryRun('x')) === 'sandbox-missing', 'its absence is noticed', patient);
      await daemon.start();
      await ready(opened);
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
      await ready(opened);
      expect((await s.run('x')).value).toBe('1');

      await opened[Symbol.asyncDispose]();
      await until(async () => (await left()).length === 0, 'nothing is left', patient);
    },
  );
});
