/** What stands under a message to be pressed. Pure; what a press means is in actions.ts. */
import type { ActionsBlock, Button, ContextActionsBlock, KnownBlock } from '@slack/types';
import type { Post, PostAction } from '../../../src/core/outbound.ts';
import { actionIds, runAction } from '../actions.ts';

const button = (actionId: string, text: string, value: string, style?: 'primary' | 'danger'): Button => ({
  type: 'button',
  action_id: actionId,
  text: { type: 'plain_text', text },
  value,
  ...(style === undefined ? {} : { style }),
});

type Buttoned = Pick<Post, 'actions' | 'approval' | 'run' | 'message'>;

const buttonOf = (action: PostAction, post: Buttoned): Button | null => {
  switch (action) {
    case 'retry':
      return button(actionIds.retry, 'Retry', 'retry');
    case 'undo':
      return button(actionIds.undo, 'Undo', post.run === null ? 'undo' : String(post.run.n));
    case 'approve':
      return post.approval === null ? null : button(actionIds.approve, 'Approve', post.approval, 'primary');
    case 'deny':
      return post.approval === null ? null : button(actionIds.deny, 'Deny', post.approval, 'danger');
    case 'feedback':
      return null;
    default:
      return action satisfies never;
  }
};

/** More of them would be a wall. */
const RUNS = 4;

/** The buttons of a post, thumbs last; empty where it has none. `blocks`: the numbers of its Python blocks that can be run. */
export const toButtons = (post: Buttoned, blocks: readonly number[]): readonly KnownBlock[] => {
  const runs = blocks.slice(0, RUNS).map((block) => {
    const { actionId, value } = runAction(post.message, block);
    return button(actionId, blocks.length === 1 && block === 0 ? 'Run the code' : `Run block ${block + 1}`, value);
  });
  const elements = [...runs, ...post.actions.flatMap((action) => buttonOf(action, post) ?? [])];
  const actions: readonly ActionsBlock[] = elements.length === 0 ? [] : [{ type: 'actions', elements }];
  return post.actions.includes('feedback') ? [...actions, feedback] : actions;
};

const feedback: ContextActionsBlock = {
  type: 'context_actions',
  elements: [
    {
      type: 'feedback_buttons',
      action_id: actionIds.feedback,
      positive_button: { text: { type: 'plain_text', text: 'Good answer' }, value: 'up', accessibility_label: 'This answer was good' },
      negative_button: { text: { type: 'plain_text', text: 'Bad answer' }, value: 'down', accessibility_label: 'This answer was bad' },
    },
  ],
};

/** Under everything that is still being written. */
export const stopButton: ActionsBlock = { type: 'actions', elements: [button(actionIds.stop, 'Stop', 'stop')] };
