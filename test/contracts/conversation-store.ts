/** What every conversation store must do. See src/ports/conversation-store.ts. */
import { describe, expect, it } from 'vitest';
import { eventKey } from '../../src/core/ids.ts';
import type { ConversationStore } from '../../src/ports/conversation-store.ts';
import { codeOf, valueOf } from '../support/results.ts';
import { aConversation, anAsk, ann, aNotice, aPost, aSession, aTurnStart, ben } from '../support/samples.ts';
import { until } from '../support/until.ts';

/** `make` opens the storage as one more process would: what one of them writes all of them see. */
export const conversationStoreContract = (name: string, make: () => ConversationStore): void => {
  const CAP = 20;
  const key = eventKey;

  describe(`conversation store: ${name}`, () => {
    describe('ingest', () => {
      it('U001, U005: takes an event once, however often and wherever it is delivered', async () => {
        const [one, two] = [make(), make()];
        const conversation = aConversation();
        expect(valueOf(await one.ingest(conversation, anAsk('k1'), CAP))).toBe('accepted');
        expect(valueOf(await one.ingest(conversation, anAsk('k1', { text: 'another form of it' }), CAP))).toBe('duplicate');
        expect(valueOf(await two.ingest(conversation, anAsk('k1'), CAP))).toBe('duplicate');
        expect(valueOf(await two.mailbox(conversation))).toMatchObject([{ key: 'k1', text: 'text of k1' }]);
      });

      it('U002: lets one of many simultaneous deliveries win', async () => {
        const stores = [make(), make()];
        const conversation = aConversation();
        const offered = Array.from({ length: 20 }, (_, n) => stores[n % 2]!.ingest(conversation, anAsk('same'), CAP));
        const outcomes = (await Promise.all(offered)).map(valueOf);
        expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(1);
        expect(valueOf(await stores[0]!.mailbox(conversation))).toHaveLength(1);
      });

      it('knows an event again after it was answered', async () => {
        const store = make();
        const conversation = aConversation();
        await store.ingest(conversation, anAsk('k1'), CAP);
        const { fence } = valueOf(await store.claim(conversation));
        valueOf(await store.commit(conversation, fence, { taken: [key('k1')], entries: [], session: aSession(), posts: [] }));
        expect(valueOf(await store.ingest(conversation, anAsk('k1'), CAP))).toBe('duplicate');
        expect(valueOf(await store.mailbox(conversation))).toEqual([]);
      });

      it('keeps events of different conversations apart', async () => {
        const store = make();
        const [one, two] = [aConversation(), aConversation()];
        expect(valueOf(await store.ingest(one, anAsk('k1'), CAP))).toBe('accepted');
        expect(valueOf(await store.ingest(two, anAsk('k1'), CAP))).toBe('accepted');
      });

      it('refuses what is over the cap without marking it as seen, so that it can be sent again', async () => {
        const store = make();
        const conversation = aConversation();
        expect(valueOf(await store.ingest(conversation, anAsk('k1'), 2))).toBe('accepted');
        expect(valueOf(await store.ingest(conversation, anAsk('k2'), 2))).toBe('accepted');
        expect(valueOf(await store.ingest(conversation, anAsk('k3'), 2))).toBe('full');
        expect(valueOf(await store.ingest(conversation, anAsk('k2'), 2))).toBe('duplicate');
        const { fence } = valueOf(await store.claim(conversation));
        valueOf(await store.commit(conversation, fence, { taken: [key('k1')], entries: [], session: aSession(), posts: [] }));
        expect(valueOf(await store.ingest(conversation, anAsk('k3'), 2))).toBe('accepted');
        expect(valueOf(await store.mailbox(conversation)).map((item) => item.key)).toEqual(['k2', 'k3']);
      });

      it('keeps the order in which events were accepted, and every character of them', async () => {
        const store = make();
        const conversation = aConversation();
        const texts = ['{"a":1}', 'line\nline\r\n', '👩‍👩‍👧 \u0000 \u2028', '', '{c:x}', ' '.repeat(100_000)];
        for (const [n, text] of texts.entries()) await store.ingest(conversation, anAsk(`k ${n}\n`, { text }), CAP);
        expect(valueOf(await store.mailbox(conversation)).map((item) => item.kind === 'ask' && item.text)).toEqual(texts);
      });
    });

    describe('claim', () => {
      it('finds nothing where nothing was ever written', async () => {
        const claim = valueOf(await make().claim(aConversation()));
        expect(claim).toMatchObject({ session: null, mailbox: [], journal: [], outbox: [] });
      });

      it('U028: makes earlier claims worthless: their writes change nothing', async () => {
        const [dead, alive] = [make(), make()];
        const conversation = aConversation();
        await dead.ingest(conversation, anAsk('k1'), CAP);
        const old = valueOf(await dead.claim(conversation)).fence;
        const young = valueOf(await alive.claim(conversation)).fence;
        expect(young).toBeGreaterThan(old);

        const commit = { taken: [key('k1')], entries: [aNotice('from the dead')], session: aSession(), posts: [aPost('p1')] };
        expect(codeOf(await dead.journal(conversation, old, [aTurnStart('k1')]))).toBe('fence-lost');
        expect(codeOf(await dead.commit(conversation, old, commit))).toBe('fence-lost');
        expect(codeOf(await dead.delivered(conversation, old, 'p1'))).toBe('fence-lost');
        expect(codeOf(await dead.settle(conversation, old))).toBe('fence-lost');

        expect(valueOf(await alive.claim(conversation))).toMatchObject({
          session: null,
          journal: [],
          outbox: [],
          mailbox: [{ key: 'k1' }],
        });
        expect(valueOf(await alive.entries(conversation, 0, 10)).total).toBe(0);
      });

      it('leaves one winner where many claim and commit at once', async () => {
        const conversation = aConversation();
        await make().ingest(conversation, anAsk('k1'), CAP);
        const outcomes = await Promise.all(
          Array.from({ length: 10 }, async (_, n) => {
            const store = make();
            const { fence } = valueOf(await store.claim(conversation));
            const entries = [aNotice(`worker ${n}`)];
            return codeOf(await store.commit(conversation, fence, { taken: [key('k1')], entries, session: aSession(), posts: [] }));
          }),
        );
        expect(outcomes.filter((code) => code === 'ok')).toHaveLength(1);
        expect(outcomes.filter((code) => code === 'fence-lost')).toHaveLength(9);
        expect(valueOf(await make().entries(conversation, 0, 10)).total).toBe(1);
      });
    });

    describe('a turn', () => {
      it('U016: is found by the next worker with every step that was journalled', async () => {
        const [dead, next] = [make(), make()];
        const conversation = aConversation();
        await dead.ingest(conversation, anAsk('k1'), CAP);
        const { fence } = valueOf(await dead.claim(conversation));
        const words = { code: 'model-silent', words: 'w' };
        const failed = { type: 'model-failed', at: 2, failure: words, text: 't', usage: null, costMicros: null } as const;
        valueOf(await dead.journal(conversation, fence, [aTurnStart('k1')]));
        valueOf(await dead.journal(conversation, fence, [failed, { ...failed, at: 3 }]));

        const claim = valueOf(await next.claim(conversation));
        expect(claim.journal).toMatchObject([{ type: 'turn-started', item: { key: 'k1' } }, { at: 2 }, { at: 3 }]);
        expect(claim.mailbox).toMatchObject([{ key: 'k1' }]);
        // It goes on in the same journal.
        valueOf(await next.journal(conversation, claim.fence, [{ ...failed, at: 4 }]));
        expect(valueOf(await make().claim(conversation)).journal).toHaveLength(4);
      });

      it('is written all or nothing: entries, session, posts, mailbox and journal', async () => {
        const store = make();
        const conversation = aConversation();
        for (const name of ['k1', 'k2', 'k3']) await store.ingest(conversation, anAsk(name), CAP);
        const { fence } = valueOf(await store.claim(conversation));
        valueOf(await store.journal(conversation, fence, [aTurnStart('k1')]));
        valueOf(
          await store.commit(conversation, fence, {
            taken: [key('k1'), key('k2')],
            entries: [aNotice('one'), aNotice('two')],
            session: aSession({ runs: 7 }),
            posts: [aPost('p1'), aPost('p2')],
          }),
        );
        const after = valueOf(await store.claim(conversation));
        expect(after).toMatchObject({
          session: { runs: 7, owner: ann },
          mailbox: [{ key: 'k3' }],
          journal: [],
          outbox: [{ key: 'p1' }, { key: 'p2' }],
        });
        expect(valueOf(await store.entries(conversation, 0, 10)).entries).toMatchObject([{ text: 'one' }, { text: 'two' }]);
      });

      it('is refused where the head of the mailbox is not what it took', async () => {
        const store = make();
        const conversation = aConversation();
        for (const name of ['k1', 'k2']) await store.ingest(conversation, anAsk(name), CAP);
        const { fence } = valueOf(await store.claim(conversation));
        const commit = (...taken: string[]) =>
          store.commit(conversation, fence, { taken: taken.map(key), entries: [aNotice('x')], session: aSession(), posts: [aPost('p')] });
        expect(codeOf(await commit('k2'))).toBe('fence-lost');
        expect(codeOf(await commit('k1', 'k3'))).toBe('fence-lost');
        expect(codeOf(await commit('k1', 'k2', 'k3'))).toBe('fence-lost');
        expect(valueOf(await store.claim(conversation))).toMatchObject({
          mailbox: [{ key: 'k1' }, { key: 'k2' }],
          outbox: [],
          session: null,
        });
      });

      it('may take nothing', async () => {
        const store = make();
        const conversation = aConversation();
        await store.ingest(conversation, anAsk('k1'), CAP);
        const { fence } = valueOf(await store.claim(conversation));
        valueOf(await store.commit(conversation, fence, { taken: [], entries: [aNotice('x')], session: aSession(), posts: [] }));
        expect(valueOf(await store.claim(conversation)).mailbox).toHaveLength(1);
        expect(valueOf(await store.entries(conversation, 0, 10)).total).toBe(1);
      });

      it('U013: keeps posts in order until each is delivered, also over a change of workers', async () => {
        const [first, second] = [make(), make()];
        const conversation = aConversation();
        const { fence } = valueOf(await first.claim(conversation));
        const posts = ['p1', 'p2', 'p3'].map((name) => aPost(name));
        valueOf(await first.commit(conversation, fence, { taken: [], entries: [], session: aSession(), posts }));
        valueOf(await first.delivered(conversation, fence, 'p1'));
        valueOf(await first.delivered(conversation, fence, 'p1'));
        const claim = valueOf(await second.claim(conversation));
        expect(claim.outbox.map((post) => post.key)).toEqual(['p2', 'p3']);
        valueOf(await second.delivered(conversation, claim.fence, 'p3'));
        expect(valueOf(await second.claim(conversation)).outbox).toEqual([posts[1]]);
      });

      it('counts failed attempts of an item, and forgets the count with it', async () => {
        const [one, two] = [make(), make()];
        const conversation = aConversation();
        await one.ingest(conversation, anAsk('k1'), CAP);
        await one.ingest(conversation, anAsk('k2'), CAP);
        expect(valueOf(await one.countAttempt(conversation, key('k1')))).toBe(1);
        expect(valueOf(await two.countAttempt(conversation, key('k1')))).toBe(2);
        expect(valueOf(await two.countAttempt(conversation, key('k2')))).toBe(1);
        const { fence } = valueOf(await one.claim(conversation));
        valueOf(await one.commit(conversation, fence, { taken: [key('k1')], entries: [], session: aSession(), posts: [] }));
        expect(valueOf(await one.countAttempt(conversation, key('k2')))).toBe(2);
      });
    });

    describe('the pending list', () => {
      const isPending = async (store: ConversationStore, conversation: string): Promise<boolean> =>
        valueOf(await store.pendingSince(Date.now() + 1_000)).includes(conversation as never);

      it('U025: holds a conversation from its first message until everything is done and delivered', async () => {
        const store = make();
        const conversation = aConversation();
        await store.ingest(conversation, anAsk('k1'), CAP);
        expect(await isPending(make(), conversation)).toBe(true);
        const { fence } = valueOf(await store.claim(conversation));
        expect(valueOf(await store.settle(conversation, fence))).toBe(false);
        valueOf(await store.commit(conversation, fence, { taken: [key('k1')], entries: [], session: aSession(), posts: [aPost('p1')] }));
        expect(valueOf(await store.settle(conversation, fence))).toBe(false);
        expect(await isPending(store, conversation)).toBe(true);
        valueOf(await store.delivered(conversation, fence, 'p1'));
        expect(valueOf(await store.settle(conversation, fence))).toBe(true);
        expect(await isPending(store, conversation)).toBe(false);
      });

      it('holds a conversation whose posts answer no message', async () => {
        const store = make();
        const conversation = aConversation();
        const { fence } = valueOf(await store.claim(conversation));
        valueOf(await store.commit(conversation, fence, { taken: [], entries: [], session: aSession(), posts: [aPost('p1')] }));
        expect(await isPending(store, conversation)).toBe(true);
        valueOf(await store.delivered(conversation, fence, 'p1'));
        expect(valueOf(await store.settle(conversation, fence))).toBe(true);
        expect(await isPending(store, conversation)).toBe(false);
      });

      it('is not touched by duplicates, nor by what was refused', async () => {
        const store = make();
        const conversation = aConversation();
        await store.ingest(conversation, anAsk('k1'), 1);
        expect(valueOf(await store.ingest(conversation, anAsk('k2'), 1))).toBe('full');
        expect(valueOf(await store.ingest(conversation, anAsk('k1'), 1))).toBe('duplicate');
        expect(await isPending(store, conversation)).toBe(true);
        const { fence } = valueOf(await store.claim(conversation));
        valueOf(await store.commit(conversation, fence, { taken: [key('k1')], entries: [], session: aSession(), posts: [] }));
        expect(valueOf(await store.settle(conversation, fence))).toBe(true);
        expect(valueOf(await store.ingest(conversation, anAsk('k1'), 1))).toBe('duplicate');
        expect(await isPending(store, conversation)).toBe(false);
      });

      it('never misses a message that arrives while a worker settles', async () => {
        const [gateway, worker] = [make(), make()];
        const conversation = aConversation();
        for (let round = 0; round < 40; round++) {
          const name = key(`k${round}`);
          const { fence } = valueOf(await worker.claim(conversation));
          const [settled, ingested] = await Promise.all([
            worker.settle(conversation, fence),
            gateway.ingest(conversation, anAsk(name), CAP),
          ]);
          expect(valueOf(ingested)).toBe('accepted');
          valueOf(settled);
          expect(await isPending(worker, conversation)).toBe(true);
          valueOf(await worker.commit(conversation, fence, { taken: [name], entries: [], session: aSession(), posts: [] }));
        }
      });

      it('counts from the oldest message that waits, oldest conversation first', async () => {
        const store = make();
        const [one, two] = [aConversation(), aConversation()];
        const before = Date.now();
        await store.ingest(one, anAsk('k1'), CAP);
        await until(() => Date.now() > before + 2, 'the clock moves');
        await store.ingest(two, anAsk('k1'), CAP);
        await store.ingest(one, anAsk('k2'), CAP);
        const listed = valueOf(await store.pendingSince(Date.now() + 1_000)).filter((id) => id === one || id === two);
        expect(listed).toEqual([one, two]);
        expect(valueOf(await store.pendingSince(before))).not.toContain(one);
      });
    });

    describe('reading', () => {
      it('makes a conversation once', async () => {
        const [one, two] = [make(), make()];
        const conversation = aConversation();
        expect(valueOf(await one.session(conversation))).toBeNull();
        expect(valueOf(await one.create(conversation, aSession({ owner: ann })))).toBe(true);
        expect(valueOf(await two.create(conversation, aSession({ owner: ben })))).toBe(false);
        expect(valueOf(await two.session(conversation))).toEqual(aSession({ owner: ann }));
      });

      it('pages through entries from either end', async () => {
        const store = make();
        const conversation = aConversation();
        const { fence } = valueOf(await store.claim(conversation));
        const entries = Array.from({ length: 10 }, (_, n) => aNotice(`${n}`));
        valueOf(await store.commit(conversation, fence, { taken: [], entries, session: aSession(), posts: [] }));
        const page = async (from: number, limit: number) => {
          const read = valueOf(await store.entries(conversation, from, limit));
          return [read.from, read.total, read.entries.map((entry) => (entry.kind === 'noticed' ? entry.text : '')).join('')];
        };
        expect(await page(0, 3)).toEqual([0, 10, '012']);
        expect(await page(8, 5)).toEqual([8, 10, '89']);
        expect(await page(-3, 2)).toEqual([7, 10, '78']);
        expect(await page(-100, Number.MAX_SAFE_INTEGER)).toEqual([0, 10, '0123456789']);
        expect(await page(10, 5)).toEqual([10, 10, '']);
        expect(await page(50, 5)).toEqual([10, 10, '']);
        expect(await page(0, 0)).toEqual([0, 10, '']);
      });

      it('lists the conversations of a workspace, the one with the newest message first', async () => {
        const store = make();
        const workspace = `w${Date.now()}`;
        const [one, two, elsewhere] = [aConversation(workspace), aConversation(workspace), aConversation('elsewhere')];
        const tick = async (): Promise<void> => {
          const before = Date.now();
          await until(() => Date.now() > before, 'the clock moves');
        };
        await store.create(one, aSession());
        await tick();
        await store.create(two, aSession());
        await store.create(elsewhere, aSession());
        expect(valueOf(await store.recent('web', workspace, 10))).toEqual([two, one]);
        await tick();
        await store.ingest(one, anAsk('k1'), CAP);
        expect(valueOf(await store.recent('web', workspace, 10))).toEqual([one, two]);
        expect(valueOf(await store.recent('web', workspace, 1))).toEqual([one]);
        expect(valueOf(await store.recent('web', workspace, 0))).toEqual([]);
        expect(valueOf(await store.recent('slack', workspace, 10))).toEqual([]);
      });
    });

    describe('stop', () => {
      it('reaches the running turn, wherever it runs, and no other', async () => {
        const [gateway, worker] = [make(), make()];
        const [conversation, other] = [aConversation(), aConversation()];
        const [heard, wrong]: [string[], string[]] = [[], []];
        await using listeners = new AsyncDisposableStack();
        listeners.use(valueOf(await worker.onStop(conversation, Date.now(), (by) => heard.push(by.name))));
        listeners.use(valueOf(await worker.onStop(other, Date.now(), (by) => wrong.push(by.name))));
        valueOf(await gateway.requestStop(conversation, ben));
        await until(() => heard.length > 0, 'the stop is heard');
        valueOf(await gateway.requestStop(conversation, ann));
        await until(() => heard.length > 1, 'the second stop is heard');
        expect(heard).toEqual(['Ben', 'Ann']);
        expect(wrong).toEqual([]);
      });

      it('is remembered for a turn over an item from before it, and only for that', async () => {
        const [gateway, worker] = [make(), make()];
        const conversation = aConversation();
        const accepted = Date.now();
        await until(() => Date.now() > accepted, 'the clock moves');
        valueOf(await gateway.requestStop(conversation, ben));
        const heard: string[] = [];
        await using listeners = new AsyncDisposableStack();
        listeners.use(valueOf(await worker.onStop(conversation, accepted, (by) => heard.push(by.name))));
        expect(heard).toEqual(['Ben']);
        const later: string[] = [];
        listeners.use(valueOf(await worker.onStop(conversation, Date.now() + 1, (by) => later.push(by.name))));
        expect(later).toEqual([]);
      });

      it('is not told any more after the listener was disposed', async () => {
        const store = make();
        const conversation = aConversation();
        const [gone, here]: [string[], string[]] = [[], []];
        const listening = valueOf(await store.onStop(conversation, Date.now(), (by) => gone.push(by.name)));
        await using _ = valueOf(await store.onStop(conversation, Date.now(), (by) => here.push(by.name)));
        await listening[Symbol.asyncDispose]();
        valueOf(await store.requestStop(conversation, ben));
        await until(() => here.length > 0, 'the stop is heard');
        expect(gone).toEqual([]);
      });
    });

    describe('erase', () => {
      it('leaves nothing, and a running turn loses its fence', async () => {
        const [store, worker] = [make(), make()];
        const workspace = `e${Date.now()}`;
        const [conversation, other] = [aConversation(workspace), aConversation(workspace)];
        for (const id of [conversation, other]) {
          await store.create(id, aSession());
          await store.ingest(id, anAsk('k1'), CAP);
        }
        const { fence } = valueOf(await worker.claim(conversation));
        valueOf(await worker.journal(conversation, fence, [aTurnStart('k1')]));
        valueOf(await store.erase(conversation));

        expect(codeOf(await worker.journal(conversation, fence, [aTurnStart('k1')]))).toBe('fence-lost');
        expect(codeOf(await worker.commit(conversation, fence, { taken: [], entries: [], session: aSession(), posts: [] }))).toBe(
          'fence-lost',
        );
        const after = valueOf(await store.claim(conversation));
        expect(after).toMatchObject({ session: null, mailbox: [], journal: [], outbox: [] });
        expect(after.fence).toBeGreaterThan(fence);
        expect(codeOf(await worker.journal(conversation, fence, [aTurnStart('k1')]))).toBe('fence-lost');
        expect(valueOf(await store.recent('web', workspace, 10))).toEqual([other]);
        expect(valueOf(await store.pendingSince(Date.now() + 1_000))).not.toContain(conversation);
        expect(valueOf(await store.mailbox(other))).toHaveLength(1);
      });
    });
  });
};
