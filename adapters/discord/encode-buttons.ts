/** What stands under a message to be pressed. Pure; what a press means is in actions.ts. */
import { ButtonStyle, ComponentType } from 'discord.js';
import type { APIActionRowComponent, APIButtonComponentWithCustomId } from 'discord.js';
import type { Post, PostAction } from '../../src/core/outbound.ts';
import { commandId, runId } from './actions.ts';
import { messageLimits } from './limits.ts';

export type Row = APIActionRowComponent<APIButtonComponentWithCustomId>;
type Button = APIButtonComponentWithCustomId;
type Style = Button['style'];

const button = (id: string, label: string, style: Style = ButtonStyle.Secondary): Button => ({
  type: ComponentType.Button,
  style,
  label,
  custom_id: id,
});
const sign = (id: string, name: string): Button => ({
  type: ComponentType.Button,
  style: ButtonStyle.Secondary,
  emoji: { name },
  custom_id: id,
});
const row = (components: readonly Button[]): Row => ({ type: ComponentType.ActionRow, components: [...components] });

type Buttoned = Pick<Post, 'actions' | 'approval' | 'run' | 'message'>;

const buttonsFor = (action: PostAction, post: Buttoned): readonly Button[] => {
  switch (action) {
    case 'retry':
      return [button(commandId('retry'), 'Retry')];
    case 'undo':
      return [button(commandId('undo', post.run === null ? '' : String(post.run.n)), 'Undo')];
    case 'approve':
      return post.approval === null ? [] : [button(commandId('approve', post.approval), 'Approve', ButtonStyle.Success)];
    case 'deny':
      return post.approval === null ? [] : [button(commandId('deny', post.approval), 'Deny', ButtonStyle.Danger)];
    case 'feedback':
      return [sign(commandId('feedback', 'up'), '👍'), sign(commandId('feedback', 'down'), '👎')];
    default:
      return action satisfies never;
  }
};

/** More of them would be a wall. */
const RUNS = 3;

/** The rows under a post; none where it has none. `blocks`: the numbers of its Python blocks that can be run. */
export const buttonsOf = (post: Buttoned, blocks: readonly number[]): readonly Row[] => {
  const runs = blocks
    .slice(0, RUNS)
    .map((block) => button(runId(post.message, block), blocks.length === 1 && block === 0 ? 'Run the code' : `Run block ${block + 1}`));
  const all = [...runs, ...post.actions.flatMap((action) => buttonsFor(action, post))];
  const width = messageLimits.buttonsPerRow;
  return Array.from({ length: Math.ceil(all.length / width) }, (_, n) => row(all.slice(n * width, (n + 1) * width)));
};

/** Under everything that is still being written. */
export const stopButton: Row = row([button(commandId('stop'), 'Stop')]);
