/** Containers from the cradle to the grave: the pool, leases, an engine that comes and goes, and nothing left behind. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { createDockerDoor } from '../../support/docker-door.ts';
import { codeOf, valueOf } from '../../support/results.ts';
import { containersOf, docker, openSandbox, openSession, sandboxImage } from '../../support/sandbox.ts';
import type { TestSandbox } from '../../support/sandbox.ts';
import { until } from '../../support/until.ts';

const patient = 120_000;
const full = (opened: TestSandbox, idle: number): Promise<void> =>
  until(async () => (await opened.sandbox.health()).idle === idle, `${idle} stand ready`, patient);
const session = (opened: TestSandbox) => openSession(opened.sandbox, opened.blobs);

describe('the pool', { timeout: 240_000 }, () => {
  it('stands ready, ripens, and fills up again after each taking', async () => {
    await using opened = openSandbox({ limits: { poolSize: 2 } });
    await until(async () => (await opened.sandbox.health()).ripe === 2, 'both are ripe', patient);
    expect((await session(opened).run('import sys; sorted({"numpy", "pandas", "matplotlib"} & set(sys.modules))')).value).toBe(
      "['matplotlib', 'numpy', 'pandas']",
    );
    await full(opened, 2);
    expect(await opened.sandbox.health()).toMatchObject({ available: true, leased: 1, waiting: 0 });
    expect(await opened.containers()).toHaveLength(3);
  });

  it('is bounded: who comes later waits in order, is told the place, and the container of an unused lease is given up for it', async () => {
    await using opened = openSandbox({ limits: { poolSize: 1, maxContainers: 1 } });
    const [first, second, third] = [session(opened), session(opened), session(opened)];
    await first.run('x = 1');
    const order: string[] = [];
    const places: number[] = [];
    const go = Promise.withResolvers<void>();
    const running = first
      .run('print("go", flush=True)\nimport time; time.sleep(2)', { onOutput: () => go.resolve() })
      .then(() => order.push('first'));
    await go.promise;
    const later = [
      second.run('y = 2').then(() => order.push('second')),
      third.run('z = 3', { onWaiting: (ahead) => places.push(ahead) }).then(() => order.push('third')),
    ];
    await until(async () => (await opened.sandbox.health()).waiting === 2, 'both wait');
    expect(await opened.containers()).toHaveLength(1);
    await Promise.all([running, ...later]);
    expect(order).toEqual(['first', 'second', 'third']);
    expect(places).toEqual([1, 0]);
    expect((await first.run('x')).value).toBe('1');
  });

  it('tells who waited too long that all are busy, and lets a waiting run be stopped', async () => {
    await using opened = openSandbox({ limits: { poolSize: 1, maxContainers: 1, waitMs: 1_500 } });
    await full(opened, 1);
    const stop = new AbortController();
    const go = Promise.withResolvers<void>();
    const running = session(opened).run('print("go", flush=True)\nimport time; time.sleep(60)', {
      signal: stop.signal,
      onOutput: () => go.resolve(),
    });
    await go.promise;
    const waiting = session(opened).tryRun('1', { signal: AbortSignal.timeout(300) });
    expect(codeOf(await session(opened).tryRun('1'))).toBe('sandbox-busy');
    expect(valueOf(await waiting)).toMatchObject({ end: 'stopped', after: null });
    stop.abort();
    await running;
  });

  it('replaces a container that ended while it stood ready', async () => {
    await using opened = openSandbox({ limits: { poolSize: 1 } });
    await full(opened, 1);
    const [old = ''] = await opened.containers();
    await docker.getContainer(old).kill();
    await until(async () => (await opened.containers()).some((id) => id !== old), 'a new one is there', patient);
    await full(opened, 1);
    expect((await session(opened).run('1 + 1')).value).toBe('2');
  });

  it('takes up a new build of its image', async () => {
    const tag = `hektor-sandbox-test:${randomUUID()}`;
    const [repo = '', version = ''] = tag.split(':');
    await docker.getImage(sandboxImage).tag({ repo, tag: version });
    const seed = await docker.createContainer({ Image: sandboxImage });
    try {
      await using opened = openSandbox({ image: tag, limits: { poolSize: 1, tendMs: 500 } });
      await full(opened, 1);
      await seed.commit({ repo, tag: version, comment: 'a new build' });
      const { Id } = await docker.getImage(tag).inspect();
      await until(async () => (await containersOf(opened.owner)).every((one) => one.ImageID === Id), 'only the new image', patient);
      await full(opened, 1);
      expect((await session(opened).run('1 + 1')).value).toBe('2');
    } finally {
      await seed.remove({ force: true });
      await docker.getImage(tag).remove({ force: true });
    }
  });
});

describe('a lease', { timeout: 240_000 }, () => {
  it('serves the further runs of its conversation, rests frozen, and ends after its time', async () => {
    await using opened = openSandbox({ limits: { poolSize: 0, lingerMs: 3_000 } });
    const s = session(opened);
    await s.run('import os; open("/tmp/here", "w").close()');
    expect((await s.run('os.path.exists("/tmp/here")')).value).toBe('True');
    await opened.sandbox.rest(s.conversation);
    const [id = ''] = await opened.containers();
    expect((await docker.getContainer(id).inspect()).State.Paused).toBe(true);
    await until(async () => (await opened.containers()).length === 0, 'the linger time is over', patient);
    expect((await s.run('os.path.exists("/tmp/here")')).value).toBe('False');
  });

  it('keeps its container while more threads are active than may run at once; the next to run is told its place', async () => {
    await using opened = openSandbox({ limits: { poolSize: 0, runsAtOnce: 1, maxContainers: 3 } });
    const threads = [session(opened), session(opened), session(opened)] as const;
    for (const s of threads) await s.run('import os; open("/tmp/here", "w").close()');
    const go = Promise.withResolvers<void>();
    const stop = new AbortController();
    const running = threads[0].run('print("go", flush=True)\nimport time; time.sleep(200)', {
      timeoutMs: 200_000,
      signal: stop.signal,
      onOutput: () => go.resolve(),
    });
    await go.promise;
    const places: number[] = [];
    const later = threads.slice(1).map((s) => s.run('os.path.exists("/tmp/here")', { onWaiting: (ahead) => places.push(ahead) }));
    await until(async () => (await opened.sandbox.health()).waiting === 2, 'both wait');
    stop.abort();
    expect((await Promise.all(later)).map(({ value }) => value)).toEqual(['True', 'True']);
    expect(places).toEqual([0, 1, 0]);
    await running;
  });

  it('ends with its turn where its container grew large and more threads are active than may run at once', async () => {
    await using opened = openSandbox({ limits: { poolSize: 0, runsAtOnce: 1, maxContainers: 3, memoryMb: 256 } });
    const [large, small] = [session(opened), session(opened)];
    await small.run('x = 1');
    await opened.sandbox.rest(small.conversation);
    await large.run('y = len(bytearray(160_000_000))');
    expect(await opened.containers()).toHaveLength(2);
    await opened.sandbox.rest(large.conversation);
    await until(async () => (await opened.containers()).length === 1, 'the large one is gone', patient);
    expect((await large.run('y')).value).toBe('160000000');
    expect((await small.run('x')).value).toBe('1');
  });

  it('whose container was lost between runs costs nothing', async () => {
    await using opened = openSandbox({ limits: { poolSize: 0 } });
    const s = session(opened);
    await s.run('x = 1');
    const [id = ''] = await opened.containers();
    await docker.getContainer(id).kill();
    expect((await s.run('x')).value).toBe('1');
  });

  it('whose container is lost in the middle of a run is told as broken, and the state is the old one', async () => {
    await using opened = openSandbox({ limits: { poolSize: 0 } });
    const s = session(opened);
    await s.run('x = 1');
    const [id = ''] = await opened.containers();
    const lost = await s.tryRun('x = 2\nprint("go", flush=True)\nimport time; time.sleep(60)', {
      onOutput: () => void docker.getContainer(id).kill(),
    });
    expect(codeOf(lost)).toBe('sandbox-broken');
    expect((await s.run('x')).value).toBe('1');
  });
});

describe('an engine', { timeout: 240_000 }, () => {
  it('that is not there is told at once, for people and operators, and found when it comes', async () => {
    await using door = createDockerDoor();
    await using opened = openSandbox({ docker: door.host, limits: { poolSize: 1 } });
    expect(codeOf(await session(opened).tryRun('1'))).toBe('sandbox-missing');
    expect((await opened.sandbox.health()).reason).toContain('no Docker engine answers');
    await door.open();
    await full(opened, 1);
    expect((await session(opened).run('1 + 1')).value).toBe('2');
  });

  it('without the image says which image to build', async () => {
    await using opened = openSandbox({ image: 'hektor-sandbox-test:never-built' });
    const failed = await session(opened).tryRun('1');
    expect(codeOf(failed)).toBe('sandbox-missing');
    const { available, reason } = await opened.sandbox.health();
    expect(available).toBe(false);
    expect(reason).toContain('hektor-sandbox-test:never-built');
  });

  it('that goes away in the middle of a run is survived', async () => {
    await using door = createDockerDoor();
    await door.open();
    await using opened = openSandbox({ docker: door.host, limits: { poolSize: 1 } });
    const s = session(opened);
    await s.run('x = 1');
    await full(opened, 1);
    const cut = await s.tryRun('x = 2\nprint("go", flush=True)\nimport time; time.sleep(60)', { onOutput: () => void door.shut() });
    expect(codeOf(cut)).toBe('sandbox-broken');
    await until(async () => codeOf(await s.tryRun('x')) === 'sandbox-missing', 'its absence is noticed', patient);
    await door.open();
    await full(opened, 1);
    expect((await s.run('x')).value).toBe('1');
  });
});

describe('nothing is left', { timeout: 240_000 }, () => {
  it('after an orderly end, whatever was going on', async () => {
    const opened = openSandbox();
    const [resting, running] = [session(opened), session(opened)];
    await resting.run('x = 1');
    await opened.sandbox.rest(resting.conversation);
    const go = Promise.withResolvers<void>();
    const cut = running.tryRun('print("go", flush=True)\nwhile True: pass', { onOutput: () => go.resolve() });
    await go.promise;
    await opened[Symbol.asyncDispose]();
    expect(codeOf(await cut)).toBe('sandbox-broken');
    await until(async () => (await opened.containers()).length === 0, 'all are gone');
    expect(codeOf(await resting.tryRun('x'))).toBe('sandbox-missing');
  });

  it('after the worker was killed and another came; a living one’s containers stay', async () => {
    const [owner, dead] = [`test-${randomUUID()}`, randomUUID()];
    await using living = openSandbox({ owner, workerId: 'living', limits: { poolSize: 1 } });
    await full(living, 1);
    const process = spawn(globalThis.process.execPath, [join(import.meta.dirname, '../../support/sandbox-owner.ts'), owner, dead], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(createInterface(process.stdout), 'line');
    expect(await containersOf(owner)).toHaveLength(4);
    process.kill('SIGKILL');
    await once(process, 'exit');
    // What was running or idle ends by itself, when its stream closes; what was frozen cannot.
    await until(async () => (await containersOf(owner)).length === 2, 'the frozen one and the living worker’s', patient);

    await using next = openSandbox({ owner, isAlive: async (worker) => worker === 'living', limits: { poolSize: 0 } });
    await until(async () => (await next.containers()).length === 1, 'the frozen one is swept', patient);
    expect((await session(living).run('1 + 1')).value).toBe('2');
  });

  it('but what may be of use: while nobody can tell who is alive, nothing is removed', async () => {
    await using theirs = openSandbox({ workerId: 'other', limits: { poolSize: 1 } });
    await full(theirs, 1);
    const unsure = async (): Promise<boolean> => {
      throw new Error('Redis is away');
    };
    await using ours = openSandbox({ owner: theirs.owner, isAlive: unsure, limits: { poolSize: 1, tendMs: 200 } });
    await full(ours, 1);
    await until(async () => (await ours.containers()).length === 2, 'both are there');
    expect(await theirs.sandbox.health()).toMatchObject({ idle: 1 });
  });
});
