/** What comes in: entries -> `Incoming`, and stored events -> operations. Pure. */
import { asPrompted } from '../../src/core/addressing.ts';
import { eventKey } from '../../src/core/ids.ts';
import type { Address } from '../../src/core/ids.ts';
import type { Person } from '../../src/core/message.ts';
import { outboundOpSchema } from '../../src/core/outbound.ts';
import type { OutboundOp } from '../../src/core/outbound.ts';
import type { Incoming } from '../../src/ports/adapter.ts';
import { toCommand } from './commands.ts';
import type { Entry } from './input.ts';

export const addressOfThread = (thread: string): Address => ({ platform: 'terminal', workspace: 'local', channel: 'repl', thread });

/** The field of `origin` by which an answer finds the entry that it belongs to. */
const ENTRY = 'entry';

/** `id` is unique for the entry. A pasted session (`>>>` again at its beginning) is read by `accept` like any other. */
export const toIncoming = (entry: Exclude<Entry, { kind: 'leave' }>, address: Address, author: Person, id: string): Incoming => {
  const common = { address, key: eventKey(id), author, standing: 'member', origin: { [ENTRY]: id } } as const;
  if (entry.kind !== 'code') return { kind: 'command', ...common, ...toCommand(entry) };
  const text = /^\s*>>>/.test(entry.code) ? entry.code : asPrompted(entry.code);
  return { kind: 'message', ...common, text, files: [], earlier: [] };
};

/** The operation behind a stored event; undefined where it is none, as from another version. */
export const decodeOp = (data: string): OutboundOp | undefined => {
  try {
    const read = outboundOpSchema.safeParse(JSON.parse(data));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
};

/** Whether the post ends what an entry asked for. The model's runs come before its answer. */
export const isLast = (op: OutboundOp, id: string): boolean =>
  op.op === 'post' && op.origin[ENTRY] === id && !(op.kind === 'run' && op.run?.by === 'model');
