/** What `approve` and `deny` have in common: the call is looked for, and the decision is sent as an item of its own. */
import { noDecision, readApprovalId } from './approval.ts';
import type { Command } from './command.ts';
import { failure } from './failure.ts';
import { eventKey } from './ids.ts';
import type { ItemOf } from './message.ts';
import { err, ok } from './result.ts';

/** The turn that takes the item up looks again: what counts is the first decision, and every approval is used once. */
export const decide =
  (verdict: ItemOf<'decision'>['verdict']): Command['run'] =>
  async ({ args, item, now }, { approval }) => {
    const id = readApprovalId(args);
    if (!/^[0-9a-f]{12}$/.test(id))
      return err(failure('command-arguments', { usage: `\`${verdict} ID\`, with the id that the question shows` }));
    const found = await approval(id, now);
    if (!found.ok) return found;
    const problem = noDecision(found.value, id);
    if (problem !== null) return ok({ text: problem, private: true });
    return ok({
      text: '',
      send: { kind: 'decision', key: decisionKey(id), at: now, author: item.author, origin: item.origin, approval: id, verdict },
    });
  };

/** The same for a yes and a no, and for everybody: the mailbox takes a key once. */
const decisionKey = (approval: string): ItemOf<'decision'>['key'] => eventKey(`approval:${approval}`);
