/** What every sandbox must do. See src/ports/sandbox.ts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keptState } from '../../src/core/run.ts';
import type { RunOutcome, Sandbox } from '../../src/ports/sandbox.ts';
import type { MemoryBlobs } from '../support/memory-blobs.ts';
import { codeOf } from '../support/results.ts';
import { openSession } from '../support/sandbox.ts';
import type { Session } from '../support/sandbox.ts';

export type ContractSandbox = AsyncDisposable & { readonly sandbox: Sandbox; readonly blobs: MemoryBlobs };

export const sandboxContract = (name: string, open: () => ContractSandbox): void => {
  describe(`sandbox: ${name}`, () => {
    let opened: ContractSandbox;
    beforeAll(() => {
      opened = open();
    });
    afterAll(() => opened[Symbol.asyncDispose]());
    const session = (): Session => openSession(opened.sandbox, opened.blobs);
    /** The next run starts in a fresh container. */
    const forget = (of: Session): Promise<void> => opened.sandbox.discard(of.conversation);
    const wasKept = (of: Session, before: unknown, outcome: RunOutcome): boolean => of.head() === outcome.after && outcome.after !== before;

    it('answers as a REPL: output, the last value, the error with the output before it', async () => {
      const s = session();
      expect(await s.run('print("hi")\n6 * 7')).toMatchObject({ end: 'finished', output: 'hi\n', value: '42', error: null });
      expect(await s.run('x = 1')).toMatchObject({ end: 'finished', output: '', value: null });
      const raised = await s.run('print("step 1 ok")\nx = 2\n1/0');
      expect(raised).toMatchObject({ end: 'raised', output: 'step 1 ok\n', error: { type: 'ZeroDivisionError', line: 3 } });
      expect((await s.run('x')).value).toBe('2');
    });

    it('carries names, imports, functions and files from run to run and from container to container', async () => {
      const s = session();
      await s.run('import math as m, json\nrate = 2\ndef f(n): return rate * n\nopen("a.txt", "w").write("kept");');
      expect((await s.run('rate = 5\nf(m.floor(2.5))')).value).toBe('10');
      await forget(s);
      expect((await s.run('(f(3), open("a.txt").read(), json.dumps({}))')).value).toBe("(15, 'kept', '{}')");
    });

    it('keeps what two names share, and restores only what a run touches', async () => {
      const s = session();
      await s.run('a = [1]\nb = a\nbig = bytes(2_000_000)');
      await forget(s);
      expect((await s.run('b.append(2)\na')).value).toBe('[1, 2]');
      await forget(s);
      expect((await s.run('(a is b, len(big))')).value).toBe('(True, 2000000)');
    });

    it('carries arrays, frames and instances of classes of the session, and says what they are', async () => {
      const s = session();
      const made = 'import numpy as np, pandas as pd\na = np.arange(12).reshape(3, 4)\ndf = pd.DataFrame({"a": [1, 2]})';
      expect(await s.run(`${made}\nclass P:\n  def __init__(self, n): self.n = n\np = P(7)`)).toMatchObject({ end: 'finished', lost: [] });
      const { names, image } = await s.manifest();
      expect(image).not.toBe('');
      expect(names['a']).toMatchObject({ type: 'numpy.ndarray', shape: '3 × 4' });
      expect(names['df']?.shape).toBe('2 × 1');
      await forget(s);
      expect((await s.run('(int(a[2].sum()), int(df.a.sum()), p.n, type(p) is P)')).value).toBe('(38, 3, 7, True)');
    });

    it('goes back to any earlier state', async () => {
      const s = session();
      await s.run('x = 1');
      const early = s.head();
      await s.run('x = 2\ny = 3\nopen("late.txt", "w").write("");');
      s.setHead(early);
      expect((await s.run('import os\n(x, "y" in globals(), os.listdir())')).value).toBe('(1, False, [])');
      s.setHead(null);
      expect((await s.run('"x" in globals()')).value).toBe('False');
    });

    it('keeps conversations apart, also while both run', async () => {
      const [one, two] = [session(), session()];
      const [, seen] = await Promise.all([
        one.run('secret = "A"\nopen("secret.txt", "w").write("A")\nimport time; time.sleep(0.5)'),
        two.run('import time; time.sleep(0.3)\nimport os\n("secret" in globals(), os.listdir())'),
      ]);
      expect(seen.value).toBe('(False, [])');
      expect((await two.run('"secret" in globals()')).value).toBe('False');
    });

    it('puts uploads into the workspace, also of a container that is in use; the newest of a name wins', async () => {
      const s = session();
      await s.upload({ 'a.csv': 'one' });
      const first = await s.run('open("a.csv").read()');
      expect(first).toMatchObject({ value: "'one'", files: [] });
      await s.run('keep = 1');
      await s.upload({ 'a.csv': 'two', 'b.csv': 'three' });
      expect((await s.run('(open("a.csv").read(), open("b.csv").read(), keep)')).value).toBe("('two', 'three', 1)");
    });

    it('sends back what a run made: pictures and changed files, once', async () => {
      const s = session();
      const made = await s.run(
        'import matplotlib.pyplot as plt\nplt.figure(1); plt.plot([1]); plt.figure(2); plt.plot([2])\nopen("r.csv", "w").write("a,b");',
      );
      expect(made.files.map((file) => [file.name, file.type, file.picture])).toEqual([
        ['figure-1-1.png', 'image/png', true],
        ['figure-1-2.png', 'image/png', true],
        ['r.csv', 'text/csv', false],
      ]);
      for (const file of made.files) expect(opened.blobs.all(s.conversation).get(file.blob)).toHaveLength(file.size);
      expect(await s.run('print("hello")')).toMatchObject({ files: [] });
      expect(await s.run('import os; os.remove("r.csv")')).toMatchObject({ removedFiles: ['r.csv'], files: [] });
    });

    it('shows output as it comes', async () => {
      const shown: string[] = [];
      const outcome = await session().run('import time\nfor i in range(3): print(i); time.sleep(0.3)', {
        onOutput: (text) => shown.push(text),
      });
      expect(shown.length).toBeGreaterThan(1);
      expect(shown.join('')).toBe(outcome.output);
    });

    it('cuts output that is too long, and says so', async () => {
      const outcome = await session().run('print("start")\nfor i in range(30000): print("x" * 20)\nprint("end")');
      expect(outcome.output.startsWith('start\n')).toBe(true);
      expect(outcome.output.endsWith('end\n')).toBe(true);
      expect(Buffer.byteLength(outcome.output)).toBeLessThan(66_000);
      expect(outcome.droppedBytes).toBeGreaterThan(500_000);
    });

    it('names what could not be kept, and loses nothing else', async () => {
      const s = session();
      const outcome = await s.run('d = {"gen": [1, (i for i in range(3))]}\nok = 1\nimport socket, threading\nlock = threading.Lock()');
      expect(outcome.lost.map((lost) => lost.name)).toContain('d');
      expect(outcome.lost.find((lost) => lost.name === 'd')?.path).toContain("['gen'][1]");
      await forget(s);
      expect((await s.run('ok')).value).toBe('1');
      expect((await s.run('d')).error).toMatchObject({ type: 'NameError' });
    });

    it('ends a run at its time limit: kept where it let itself be interrupted, rolled back where not', async () => {
      const s = session();
      await s.run('y = 1');
      const before = s.head();
      const soft = await s.run('kept = 2\nimport time\ntime.sleep(60)', { timeoutMs: 1_000 });
      expect(soft).toMatchObject({ end: 'timed-out', error: { type: 'KeyboardInterrupt' } });
      expect(wasKept(s, before, soft)).toBe(true);
      expect((await s.run('kept')).value).toBe('2');
      const middle = s.head();
      const hard = await s.run('y = 2\nsum(range(10**13))', { timeoutMs: 1_000 });
      expect(hard).toMatchObject({ end: 'timed-out', after: middle });
      expect((await s.run('(y, kept)')).value).toBe('(1, 2)');
    });

    it('stops a run when asked, also one that will not hear', async () => {
      const s = session();
      await s.run('z = 1');
      const stopping = async (code: string): Promise<RunOutcome> => {
        const stop = new AbortController();
        const running = s.run(code, { signal: stop.signal, onOutput: () => stop.abort() });
        return running;
      };
      const soft = await stopping('z = 2\nprint("go", flush=True)\nimport time\ntime.sleep(60)');
      expect(soft).toMatchObject({ end: 'stopped', output: 'go\n' });
      expect((await s.run('z')).value).toBe('2');
      const before = s.head();
      const deaf = 'z = 3\nimport signal; signal.signal(2, signal.SIG_IGN)\nprint("go", flush=True)\nwhile True: pass';
      expect(await stopping(deaf)).toMatchObject({ end: 'stopped', after: before });
      expect((await s.run('z')).value).toBe('2');
    });

    it('does not run what was stopped before it began', async () => {
      const s = session();
      const outcome = await s.run('x = 1', { signal: AbortSignal.abort() });
      expect(outcome).toMatchObject({ end: 'stopped', after: null });
    });

    it('tells memory that ran out from other ends, and rolls all of them back', { timeout: 300_000 }, async () => {
      const s = session();
      await s.run('k = 1');
      const before = s.head();
      expect(await s.run('k = 2\nx = bytearray(3 * 10**9)', { timeoutMs: 200_000 })).toMatchObject({ end: 'out-of-memory', after: before });
      expect(await s.run('k = 3\nimport os; os._exit(3)')).toMatchObject({ end: 'killed', after: before });
      expect(await s.run('k = 4\nimport ctypes; ctypes.string_at(0)')).toMatchObject({ end: 'killed', after: before });
      expect((await s.run('k')).value).toBe('1');
    });

    it('fails with what is wrong when the state cannot be read, and the next one is unharmed', async () => {
      const s = session();
      await s.run('x = 1');
      const blobs = opened.blobs.all(s.conversation);
      const copy = new Map(blobs);
      await forget(s);
      blobs.clear();
      expect(codeOf(await s.tryRun('x'))).toBe('snapshot-lost');
      for (const [id, bytes] of copy) blobs.set(id, bytes);
      expect((await s.run('x')).value).toBe('1');

      opened.blobs.setReachable(false);
      try {
        expect(codeOf(await s.tryRun('x = 2'))).toBe('store-unreachable');
      } finally {
        opened.blobs.setReachable(true);
      }
      expect((await s.run('x')).value).toBe('1');
    });

    it('finds a large part missing only when it is touched', async () => {
      const s = session();
      await s.run('x = 1\nbig = bytearray(range(256)) * 4000');
      const group = (await s.manifest()).groups.find(({ names }) => names.includes('big'));
      await forget(s);
      opened.blobs.all(s.conversation).delete(group!.id);
      expect((await s.run('x')).value).toBe('1');
      expect(codeOf(await s.tryRun('len(big)'))).toBe('snapshot-lost');
    });

    it('rests and goes on where it was', async () => {
      const s = session();
      await opened.sandbox.rest(s.conversation);
      await s.run('x = 1');
      await opened.sandbox.rest(s.conversation);
      await opened.sandbox.rest(s.conversation);
      expect((await s.run('x')).value).toBe('1');
      await Promise.all([opened.sandbox.rest(s.conversation), s.run('x += 1')]);
      expect((await s.run('x')).value).toBe('2');
    });

    it('gives every saved run a state of its own', async () => {
      const s = session();
      const outcome = await s.run('pass');
      const run = { ...outcome, before: null };
      expect(keptState(run as never)).toBe(true);
    });

    it('is healthy', async () => {
      expect(await opened.sandbox.health()).toMatchObject({ available: true, reason: '' });
    });
  });
};
