/** What every conversation store must do with messages that are taken back, items that cannot be read, and conversations that are purged. */
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/core/conversation.ts';
import { conversationIdOf, eventKey } from '../../src/core/ids.ts';
import type { ConversationId } from '../../src/core/ids.ts';
import type { Person } from '../../src/core/message.ts';
import type { ConversationStore } from '../../src/ports/conversation-store.ts';
import { codeOf, valueOf } from '../support/results.ts';
import { aConversation, anAsk, ann, aNotice, aSession, aTurnStart, ben } from '../support/samples.ts';
import { until } from '../support/until.ts';

const CAP = 20;
const key = eventKey;

/** `spoil` damages a stored mailbox item as another version, or a fault, would. */
export const storeChangesContract = (
  name: string,
  make: () => ConversationStore,
  spoil: (conversation: ConversationId, key: string, record: string) => Promise<void>,
): void => {
  const started = async (store: ConversationStore, ...keys: readonly string[]) => {
    const conversation = aConversation();
    for (const one of keys) await store.ingest(conversation, anAsk(one), CAP);
    const { fence } = valueOf(await store.claim(conversation));
    valueOf(await store.journal(conversation, fence, [aTurnStart(keys[0] ?? '')]));
    return { conversation, fence };
  };
  const commit = (
    store: ConversationStore,
    conversation: ConversationId,
    fence: Parameters<ConversationStore['commit']>[1],
    ...taken: string[]
  ) => store.commit(conversation, fence, { taken: taken.map(key), entries: [aNotice('done')], session: aSession(), posts: [] });

  describe(`changes of a conversation store: ${name}`, () => {
    it('an item that waits is changed in its place, or goes', async () => {
      const store = make();
      const conversation = aConversation();
      for (const one of ['k1', 'k2', 'k3']) await store.ingest(conversation, anAsk(one), CAP);
      expect(valueOf(await make().withdraw(conversation, key('k2'), anAsk('k2', { text: 'other words' })))).toBe('waiting');
      expect(valueOf(await make().withdraw(conversation, key('k3'), null))).toBe('waiting');
      expect(valueOf(await store.mailbox(conversation))).toMatchObject([{ key: 'k1' }, { key: 'k2', text: 'other words' }]);
      expect(valueOf(await store.withdraw(conversation, key('k9'), null))).toBe('absent');
    });

    it('an item that is gone does not come back when the platform delivers it again', async () => {
      const store = make();
      const conversation = aConversation();
      await store.ingest(conversation, anAsk('k1'), CAP);
      valueOf(await store.withdraw(conversation, key('k1'), null));
      expect(valueOf(await store.ingest(conversation, anAsk('k1'), CAP))).toBe('duplicate');
    });

    it('U131: a turn on a message that is taken back is told to end, and nothing of it is committed', async () => {
      const [worker, gateway] = [make(), make()];
      const { conversation, fence } = await started(worker, 'k1', 'k2');
      const told: Person[] = [];
      await using _stops = valueOf(await worker.onStop(conversation, Date.now(), (by) => void told.push(by)));
      expect(valueOf(await gateway.withdraw(conversation, key('k1'), null))).toBe('begun');
      await until(() => told.length > 0, 'the turn is told');
      expect(codeOf(await worker.journal(conversation, fence, [aTurnStart('k1')]))).toBe('fence-lost');
      expect(codeOf(await commit(worker, conversation, fence, 'k1'))).toBe('fence-lost');

      const next = valueOf(await worker.claim(conversation));
      expect(next).toMatchObject({ journal: [], mailbox: [{ key: 'k2' }], withdrawn: { turn: 'turn of k1' } });
      expect(valueOf(await worker.entries(conversation, 0, 10)).total).toBe(0);
      valueOf(await commit(worker, conversation, next.fence));
      expect(valueOf(await worker.claim(conversation)).withdrawn).toBeNull();
    });

    it('a turn that has not journalled yet loses its claim over a changed head, too', async () => {
      const store = make();
      const conversation = aConversation();
      await store.ingest(conversation, anAsk('k1'), CAP);
      const { fence } = valueOf(await store.claim(conversation));
      expect(valueOf(await make().withdraw(conversation, key('k1'), anAsk('k1', { text: 'new' })))).toBe('waiting');
      expect(codeOf(await store.journal(conversation, fence, [aTurnStart('k1')]))).toBe('fence-lost');
      expect(valueOf(await store.claim(conversation))).toMatchObject({ mailbox: [{ text: 'new' }], withdrawn: null });
    });

    it('a turn goes on where a message is changed that waits behind it; one that joined it is part of it', async () => {
      const store = make();
      const { conversation, fence } = await started(store, 'k1', 'k2', 'k3');
      expect(valueOf(await store.withdraw(conversation, key('k3'), anAsk('k3', { text: 'new' })))).toBe('waiting');
      const joined = { type: 'person-joined', at: 2, item: anAsk('k2') } as const;
      valueOf(await store.journal(conversation, fence, [joined]));
      expect(valueOf(await store.withdraw(conversation, key('k2'), anAsk('k2', { text: 'new' })))).toBe('begun');
      expect(codeOf(await commit(store, conversation, fence, 'k1', 'k2'))).toBe('fence-lost');
    });

    it('U115: rewrites entries where they stand, from every process, while others are appended', async () => {
      const [one, two] = [make(), make()];
      const conversation = aConversation();
      const { fence } = valueOf(await one.claim(conversation));
      const add = async (from: number, count: number): Promise<void> => {
        const entries = Array.from({ length: count }, (_, n) => aNotice(`secret ${from + n}`));
        valueOf(await one.commit(conversation, fence, { taken: [], entries, session: aSession(), posts: [] }));
      };
      await add(0, 1_200);
      const without = (entry: Entry): Entry =>
        entry.kind === 'noticed' && /secret \d*[05]$/.test(entry.text) ? { ...entry, text: 'gone' } : entry;
      const [changed] = await Promise.all([two.redact(conversation, without), add(1_200, 6)]);
      expect(valueOf(changed)).toBeGreaterThanOrEqual(240);
      valueOf(await one.redact(conversation, without));
      const { entries, total } = valueOf(await two.entries(conversation, 0, 2_000));
      expect(total).toBe(1_206);
      expect(entries.filter((entry) => entry.kind === 'noticed' && entry.text === 'gone')).toHaveLength(242);
      expect(entries[7]).toEqual(aNotice('secret 7'));
      expect(valueOf(await one.redact(conversation, without))).toBe(0);
    });

    it('two that rewrite the same entry at once both have their will', async () => {
      const [one, two] = [make(), make()];
      const conversation = aConversation();
      const { fence } = valueOf(await one.claim(conversation));
      const entries = Array.from({ length: 50 }, () => aNotice('a b'));
      valueOf(await one.commit(conversation, fence, { taken: [], entries, session: aSession(), posts: [] }));
      const drop =
        (word: string) =>
        (entry: Entry): Entry =>
          entry.kind === 'noticed' && entry.text.includes(word) ? { ...entry, text: entry.text.replace(word, '').trim() } : entry;
      const both = await Promise.all([one.redact(conversation, drop('a')), two.redact(conversation, drop('b'))]);
      both.map(valueOf);
      const left = valueOf(await one.entries(conversation, 0, 100)).entries;
      expect(left.every((entry) => entry.kind === 'noticed' && entry.text === '')).toBe(true);
    });

    it('an item that cannot be read blocks only until it is put aside, and is kept', async () => {
      const store = make();
      const conversation = aConversation();
      for (const one of ['k1', 'k2', 'k3']) await store.ingest(conversation, anAsk(one, { author: ben, origin: { ts: one } }), CAP);
      await spoil(conversation, 'k2', JSON.stringify({ kind: 'from-the-future', author: ben, origin: { ts: 'k2' } }));
      const first = valueOf(await store.claim(conversation));
      expect(first).toMatchObject({ mailbox: [{ key: 'k1' }], spoiled: null });
      expect(valueOf(await store.mailbox(conversation))).toMatchObject([{ key: 'k1' }]);
      valueOf(await commit(store, conversation, first.fence, 'k1'));

      const second = valueOf(await store.claim(conversation));
      expect(second).toMatchObject({ mailbox: [], spoiled: { key: 'k2', author: ben, origin: { ts: 'k2' } } });
      expect(valueOf(await store.settle(conversation, second.fence))).toBe(false);
      valueOf(await store.setAside(conversation, second.fence, key('k2')));
      valueOf(await commit(store, conversation, second.fence, 'k2'));
      expect(valueOf(await store.claim(conversation))).toMatchObject({ mailbox: [{ key: 'k3' }], spoiled: null });
    });

    it('an item that is not even JSON is put aside without knowing whom to tell', async () => {
      const store = make();
      const conversation = aConversation();
      await store.ingest(conversation, anAsk('k1'), CAP);
      await spoil(conversation, 'k1', '{"kind":"ask","key"');
      const claim = valueOf(await store.claim(conversation));
      expect(claim.spoiled).toEqual({ key: 'k1', author: null, origin: {} });
      expect(codeOf(await store.setAside(conversation, claim.fence, key('k1')))).toBe('ok');
      valueOf(await store.claim(conversation));
      expect(codeOf(await store.setAside(conversation, claim.fence, key('k1')))).toBe('fence-lost');
    });

    it('U035: knows where it takes part, from the first message on', async () => {
      const store = make();
      const conversation = aConversation();
      expect(valueOf(await store.knows(conversation))).toBe(false);
      await store.ingest(conversation, anAsk('k1'), CAP);
      expect(valueOf(await make().knows(conversation))).toBe(true);
      const { fence } = valueOf(await store.claim(conversation));
      valueOf(await commit(store, conversation, fence, 'k1'));
      expect(valueOf(await make().knows(conversation))).toBe(true);
      valueOf(await store.erase(conversation));
      expect(valueOf(await make().knows(conversation))).toBe(false);
    });

    it('U038: lets something be done once, whoever asks', async () => {
      const conversation = aConversation();
      const asked = await Promise.all(Array.from({ length: 10 }, () => make().once(conversation, 'hint')));
      expect(asked.map(valueOf).filter((first) => first)).toHaveLength(1);
      expect(valueOf(await make().once(conversation, 'other'))).toBe(true);
      expect(valueOf(await make().once(aConversation(), 'hint'))).toBe(true);
    });

    it('keeps the newest ratings', async () => {
      const store = make();
      const conversation = aConversation();
      for (let n = 1; n <= 203; n += 1) valueOf(await store.rate(conversation, { at: n, by: ann, verdict: 'up', words: `w${n}` }));
      const ratings = valueOf(await make().ratings(conversation));
      expect([ratings.length, ratings[0]?.words, ratings.at(-1)?.words]).toEqual([200, 'w4', 'w203']);
    });

    it('finds every conversation of a workspace or a channel, also more than the recent ones, and none of another', async () => {
      const store = make();
      const workspace = `purge-${process.pid}-${name}`;
      const at = (channel: string, thread: string, of = workspace) =>
        conversationIdOf({ platform: 'slack', workspace: of, channel, thread });
      const ids = Array.from({ length: 1_010 }, (_, n) => at(n % 2 === 0 ? 'C1' : 'C2', `t${n}`));
      for (const id of ids) valueOf(await store.create(id, aSession()));
      await store.ingest(at('C3', 'x'), anAsk('k1'), CAP);
      await store.ingest(at('C1', 'x', `${workspace}-other`), anAsk('k1'), CAP);
      const find = async (channel: string | null) => valueOf(await make().conversationsIn({ platform: 'slack', workspace, channel }));
      expect(await find(null)).toHaveLength(1_011);
      expect((await find('C1')).toSorted()).toEqual(ids.filter((_, n) => n % 2 === 0).toSorted());
      expect(await find('C3')).toEqual([at('C3', 'x')]);
      valueOf(await store.erase(at('C3', 'x')));
      expect(await find('C3')).toEqual([]);
    });
  });
};
