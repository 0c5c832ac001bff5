/** In-turn commands: the plan becomes a commit. What reaches beyond the conversation (a fork, an erasure) is done before it. */
import { commandOf } from '../commands/index.ts';
import type { CommandPlan } from '../core/command.ts';
import type { Session } from '../core/conversation.ts';
import { failure, forPerson } from '../core/failure.ts';
import type { Failure } from '../core/failure.ts';
import { turnId } from '../core/ids.ts';
import type { ConversationId, TurnId } from '../core/ids.ts';
import type { ItemOf } from '../core/message.ts';
import { newPost } from '../core/outbound.ts';
import type { Post } from '../core/outbound.ts';
import { botMessage } from '../core/turn-state.ts';
import { err, ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import type { RunFile } from '../core/run.ts';
import type { Commit } from '../ports/conversation-store.ts';
import { commandView } from './command-view.ts';
import type { TurnDeps } from './deps.ts';
import { forgetPerson } from './forget-person.ts';
import { forkThread } from './fork.ts';

/** The commit by which the command is done. A command that says no is done too: with its words for the person. */
export const runCommand = async (
  deps: TurnDeps,
  conversation: ConversationId,
  item: ItemOf<'command'>,
  session: Session,
): Promise<Result<Commit, Failure>> => {
  const turn = turnId(deps.clock.newId());
  const command = commandOf(item.name);
  const view = await commandView(deps, { conversation, session, author: item.author, busy: false });
  const planned =
    command === undefined
      ? err(failure('command-unknown', { name: item.name }))
      : view.ok
        ? await command.run({ args: item.args, item, turn, now: deps.clock.now(), files: [] }, view.value)
        : view;
  if (!planned.ok && planned.failure.code === 'store-unreachable') return planned;
  const plan: CommandPlan = planned.ok ? planned.value : { text: forPerson(planned.failure), private: true };
  const forked = plan.fork === undefined ? ok({ made: true, words: '' }) : await forkThread(deps, conversation, item, plan.fork);
  if (!forked.ok) return forked;
  const { made, words } = forked.value;
  const files = await storeFiles(deps, conversation, plan);
  if (!files.ok) return files;
  const wanted = plan.session ?? session;
  const next = plan.forget === undefined ? ok(wanted) : await forgetPerson(deps, conversation, wanted, plan.forget);
  if (!next.ok) return next;
  if (next.value.head !== session.head) await deps.sandbox.discard(conversation);
  return ok({
    taken: [item.key],
    entries: plan.append ?? [],
    session: next.value,
    posts: [
      toPost(
        item,
        turn,
        [made ? plan.text : '', words].filter((part) => part !== '').join('\n\n'),
        planned.ok && made ? 'complete' : 'failed',
        plan.private === true,
        files.value,
      ),
    ],
  });
};

const toPost = (
  item: ItemOf<'command'>,
  turn: TurnId,
  text: string,
  status: Post['status'],
  isPrivate: boolean,
  files: readonly RunFile[],
): Post =>
  newPost({
    key: `${item.key}:answer`,
    turn,
    message: botMessage(turn),
    kind: 'command',
    text,
    status,
    files,
    privateTo: isPrivate ? item.author : null,
    origin: item.origin,
  });

const storeFiles = async (
  deps: TurnDeps,
  conversation: ConversationId,
  plan: CommandPlan,
): Promise<Result<readonly RunFile[], Failure>> => {
  const files = plan.files ?? [];
  const contents = files.map((file) => Buffer.from(file.content));
  const stored = await deps.blobs.putAll(conversation, contents);
  if (!stored.ok) return stored;
  return ok(
    files.flatMap((file, index): readonly RunFile[] => {
      const blob = stored.value[index];
      return blob === undefined
        ? []
        : [{ name: file.name, type: file.type, size: contents[index]?.byteLength ?? 0, blob, picture: false, alt: '' }];
    }),
  );
};
