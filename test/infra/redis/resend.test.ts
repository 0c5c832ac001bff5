import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conversationKeys } from '../../../src/infra/redis/keys.ts';
import { claimScript } from '../../../src/infra/redis/scripts/claim.ts';
import { commitScript, deliveredScript } from '../../../src/infra/redis/scripts/commit.ts';
import { ingestScript } from '../../../src/infra/redis/scripts/ingest.ts';
import { journalScript } from '../../../src/infra/redis/scripts/journal.ts';
import { runScript } from '../../../src/infra/redis/scripts/script.ts';
import type { Script } from '../../../src/infra/redis/scripts/script.ts';
import { countAttemptScript, createScript } from '../../../src/infra/redis/scripts/small.ts';
import { startRedis } from '../../support/redis.ts';
import type { TestRedis } from '../../support/redis.ts';
import { aConversation } from '../../support/samples.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

const send = (script: Script, keys: readonly string[], args: readonly (string | number)[]) => runScript(redis.look(), script, keys, args);

describe('a command that is sent again because its answer was lost', () => {
  const freshKeys = () => conversationKeys(aConversation());
  type Keys = ReturnType<typeof freshKeys>;
  const claim = async (k: Keys): Promise<string> => {
    const reply = await send(claimScript, [k.fence, k.session, k.mailbox, k.items, k.journal, k.outbox, k.posts, k.withdrawn], [60_000]);
    return Array.isArray(reply) ? String(reply[0]) : '';
  };
  const ingest = (k: Keys, key: string) => send(ingestScript, [k.mailbox, k.items, k.seen], [key, `{"of":"${key}"}`, 20, 1_000, 0, 60_000]);
  const commit = (k: Keys, fence: string, name: string, taken: readonly string[]) =>
    send(
      commitScript,
      [k.fence, k.mailbox, k.items, k.attempts, k.session, k.entries, k.journal, k.outbox, k.posts, k.committed, k.withdrawn],
      [fence, name, '{}', taken.length, 2, 1, ...taken, 'entry 1', 'entry 2', 'post', '{}'],
    );

  it('ingest: the item is there once', async () => {
    const k = freshKeys();
    expect([await ingest(k, 'k1'), await ingest(k, 'k1')]).toEqual(['accepted', 'duplicate']);
    expect(await redis.look().lrange(k.mailbox, 0, -1)).toEqual(['k1']);
  });

  it('journal: a step is there once, also with others between', async () => {
    const k = freshKeys();
    const fence = await claim(k);
    const write = (name: string) => send(journalScript, [k.fence, k.journal], [fence, name, `["${name}"]`]);
    for (const name of ['a', 'b', 'ab', 'a', 'b', 'ab', 'c']) expect(await write(name)).toBe('done');
    expect(await redis.look().lrange(k.journal, 0, -1)).toEqual(['a ["a"]', 'b ["b"]', 'ab ["ab"]', 'c ["c"]']);
  });

  it('commit: it is done once, and a step that came with it again is cleared again', async () => {
    const k = freshKeys();
    for (const key of ['k1', 'k2']) await ingest(k, key);
    const fence = await claim(k);
    expect(await commit(k, fence, 'commit 1', ['k1'])).toBe('done');
    await send(journalScript, [k.fence, k.journal], [fence, 'again', '[]']);
    expect(await commit(k, fence, 'commit 1', ['k1'])).toBe('done');
    const look = redis.look();
    expect(await look.lrange(k.mailbox, 0, -1)).toEqual(['k2']);
    expect(await look.lrange(k.entries, 0, -1)).toEqual(['entry 1', 'entry 2']);
    expect(await look.lrange(k.outbox, 0, -1)).toEqual(['post']);
    expect(await look.exists(k.journal)).toBe(0);
    expect(await commit(k, fence, 'commit 2', ['k1'])).toBe('head-moved');
    expect(await look.hkeys(k.items)).toEqual(['k2']);
  });

  it('a post that is committed again while it waits stays one post', async () => {
    const k = freshKeys();
    const fence = await claim(k);
    await commit(k, fence, 'commit 1', []);
    await commit(k, fence, 'commit 2', []);
    expect(await redis.look().lrange(k.outbox, 0, -1)).toEqual(['post']);
    for (let n = 0; n < 2; n++) expect(await send(deliveredScript, [k.fence, k.outbox, k.posts], [fence, 'post'])).toBe('done');
    expect(await redis.look().exists(k.outbox, k.posts)).toBe(0);
  });

  it('an attempt is counted once, and not for an item that is gone', async () => {
    const k = freshKeys();
    await ingest(k, 'k1');
    const count = (key: string, name: string) => send(countAttemptScript, [k.attempts, k.mailbox], [key, name]);
    expect([await count('k1', 'a'), await count('k1', 'a'), await count('k1', 'b')]).toEqual([1, 1, 2]);
    expect(await count('gone', 'a')).toBe(0);
    expect(await redis.look().hkeys(k.attempts)).toEqual(['k1']);
  });

  it('a conversation that was made says so again', async () => {
    const k = freshKeys();
    const make = (session: string) => send(createScript, [k.session], [session]);
    expect([await make('{"a":1}'), await make('{"a":1}'), await make('{"a":2}')]).toEqual([1, 1, 0]);
  });

  it('a fence is greater than any before, also after all was erased or the clock went back', async () => {
    const k = freshKeys();
    const ahead = String(Date.now() + 3_600_000);
    await redis.look().set(k.fence, ahead);
    expect(Number(await claim(k))).toBe(Number(ahead) + 1);
    await redis.look().del(k.fence);
    expect(Number(await claim(k))).toBeGreaterThan(Date.now() - 60_000);
    expect(await redis.look().pttl(k.fence)).toBeGreaterThan(0);
  });

  it('a script is known again after Redis has forgotten it', async () => {
    const k = freshKeys();
    await ingest(k, 'k1');
    await redis.look().script('FLUSH');
    expect(await ingest(k, 'k2')).toBe('accepted');
  });
});
