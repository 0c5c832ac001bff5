/** What every turn queue and its workers must do. See src/ports/turn-queue.ts. */
import { describe, expect, it } from 'vitest';
import type { ConversationId } from '../../src/core/ids.ts';
import type { Pass, TurnQueue, TurnWorker } from '../../src/ports/turn-queue.ts';
import { valueOf } from '../support/results.ts';
import { aConversation } from '../support/samples.ts';
import { until } from '../support/until.ts';

export type TurnQueueMaker = {
  readonly queue: () => TurnQueue;
  /** Starts one more worker, as another process would. */
  readonly work: (pass: Pass, concurrency: number) => TurnWorker;
};

export const turnQueueContract = (name: string, make: TurnQueueMaker): void => {
  /** A pass that goes on until it is let go. */
  const createHeldPass = () => {
    const started: ConversationId[] = [];
    const held: { readonly conversation: ConversationId; readonly release: () => void }[] = [];
    let running = 0;
    let most = 0;
    const pass: Pass = async (conversation, signal) => {
      started.push(conversation);
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => {
        held.push({ conversation, release: resolve });
        signal.addEventListener('abort', () => resolve());
      });
      running--;
    };
    return { pass, started, release: () => held.splice(0).forEach((one) => one.release()), most: () => most, running: () => running };
  };
  const idle = (queue: TurnQueue) =>
    until(async () => {
      const depth = valueOf(await queue.depth());
      return depth.waiting === 0 && depth.active === 0;
    }, 'the queue is idle');

  describe(`turn queue: ${name}`, () => {
    it('gives each woken conversation a pass, several at a time', async () => {
      const queue = make.queue();
      const { pass, started, release, most } = createHeldPass();
      await using _ = make.work(pass, 5);
      const conversations = Array.from({ length: 5 }, () => aConversation());
      for (const conversation of conversations) valueOf(await queue.wake(conversation));
      await until(() => started.length === 5, 'five passes run');
      expect(most()).toBe(5);
      expect(started.toSorted()).toEqual(conversations.toSorted());
      expect(valueOf(await queue.depth())).toEqual({ waiting: 0, active: 5 });
      release();
      await idle(queue);
    });

    it('makes one pass of any number of wakes while one waits', async () => {
      const queue = make.queue();
      const conversation = aConversation();
      await Promise.all(Array.from({ length: 20 }, () => queue.wake(conversation)));
      expect(valueOf(await queue.depth())).toEqual({ waiting: 1, active: 0 });
      const passes: ConversationId[] = [];
      await using _ = make.work(async (id) => void passes.push(id), 2);
      await until(() => passes.length > 0, 'a pass');
      await idle(queue);
      expect(passes).toEqual([conversation]);
    });

    it('U025: makes exactly one more pass of any number of wakes while one runs, never two at once', async () => {
      const queue = make.queue();
      const conversation = aConversation();
      const { pass, started, release, most } = createHeldPass();
      await using workers = new AsyncDisposableStack();
      workers.use(make.work(pass, 3));
      workers.use(make.work(pass, 3));
      valueOf(await queue.wake(conversation));
      await until(() => started.length === 1, 'the first pass runs');
      await Promise.all(Array.from({ length: 20 }, () => queue.wake(conversation)));
      expect(valueOf(await queue.depth())).toEqual({ waiting: 0, active: 1 });
      release();
      await until(() => started.length === 2, 'the second pass runs');
      release();
      await idle(queue);
      expect(started).toHaveLength(2);
      expect(most()).toBe(1);
    });

    it('goes on after a pass that threw', async () => {
      const queue = make.queue();
      const conversation = aConversation();
      let passes = 0;
      await using _ = make.work(async () => {
        if (++passes === 1) throw new Error('a bug');
      }, 1);
      valueOf(await queue.wake(conversation));
      await until(() => passes === 1, 'a pass');
      await idle(queue);
      valueOf(await queue.wake(conversation));
      await until(() => passes === 2, 'another pass');
      await idle(queue);
      expect(passes).toBe(2);
    });

    it('aborts the passes of a worker that is disposed, and another worker takes their conversations up', async () => {
      const queue = make.queue();
      const conversations = [aConversation(), aConversation()];
      const [first, second] = [createHeldPass(), createHeldPass()];
      const leaving = make.work(first.pass, 5);
      for (const conversation of conversations) valueOf(await queue.wake(conversation));
      await until(() => first.started.length === 2, 'both run');
      await leaving[Symbol.asyncDispose]();
      expect(first.running()).toBe(0);
      await using _ = make.work(second.pass, 5);
      await until(() => second.started.length === 2, 'both run again');
      expect(second.started.toSorted()).toEqual(conversations.toSorted());
      second.release();
      await idle(queue);
    });
  });
};
