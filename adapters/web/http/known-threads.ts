import type { Failure } from '../../../src/core/failure.ts';
import { failure } from '../../../src/core/failure.ts';
import type { ConversationId } from '../../../src/core/ids.ts';
import type { Result } from '../../../src/core/result.ts';
import { err, ok } from '../../../src/core/result.ts';
import type { Gateway } from '../../../src/ports/adapter.ts';

/** Which threads exist: asked of the gateway once per thread, since reading a conversation reads all of it. */
export type KnownThreads = {
  readonly add: (conversation: ConversationId) => void;
  readonly has: (conversation: ConversationId) => Promise<Result<void, Failure>>;
};

const REMEMBERED = 10_000;

export const createKnownThreads = (gateway: Gateway): KnownThreads => {
  const known = new Set<ConversationId>();
  const add = (conversation: ConversationId): void => {
    known.add(conversation);
    const [oldest] = known;
    if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
  };
  const has = async (conversation: ConversationId): Promise<Result<void, Failure>> => {
    if (known.has(conversation)) return ok(undefined);
    const read = await gateway.read(conversation);
    if (!read.ok) return read;
    if (read.value === null) return err(failure('thread-unknown', {}));
    add(conversation);
    return ok(undefined);
  };
  return { add, has };
};
