/** What the inbound halves of the adapters may call: `accept`, and reading. */
import type { Entry } from '../core/conversation.ts';
import { newSession } from '../core/conversation.ts';
import type { ConversationId } from '../core/ids.ts';
import { conversationIdOf } from '../core/ids.ts';
import { ok } from '../core/result.ts';
import { hintToMention } from '../core/speaking.ts';
import { firstLine } from '../core/text.ts';
import { commandHelp } from '../commands/index.ts';
import type { Gateway } from '../ports/adapter.ts';
import type { ModelDescription } from '../ports/model.ts';
import { createAccept } from './accept.ts';
import type { AcceptDeps } from './accept.ts';
import { completions } from './complete.ts';
import { purge } from './erase.ts';
import { moveSettings } from './move-settings.ts';

/** How many of a thread's newest entries a reader is shown. */
const SHOWN_ENTRIES = 2_000;

export const createGateway = (deps: AcceptDeps & { readonly model: () => ModelDescription }): Gateway => ({
  accept: createAccept(deps),
  open: async (address, owner) => {
    const conversation = conversationIdOf(address);
    const made = await deps.store.create(conversation, newSession(deps.clock.now(), owner));
    return made.ok ? ok(conversation) : made;
  },
  read: async (conversation) => {
    const [session, page, mailbox] = await Promise.all([
      deps.store.session(conversation),
      deps.store.entries(conversation, -SHOWN_ENTRIES, SHOWN_ENTRIES),
      deps.store.mailbox(conversation),
    ]);
    if (!session.ok) return session;
    if (!page.ok) return page;
    if (!mailbox.ok) return mailbox;
    if (session.value === null && mailbox.value.length === 0) return ok(null);
    const waiting = mailbox.value.flatMap((item) =>
      item.kind === 'command' || item.kind === 'decision'
        ? []
        : [{ key: item.key, at: item.at, author: item.author, text: item.text, files: item.files }],
    );
    return ok({
      session: session.value ?? newSession(deps.clock.now()),
      entries: page.value.entries,
      pending: waiting,
      busy: mailbox.value.length > 0,
    });
  },
  recent: async (platform, workspace, limit) => {
    const ids = await deps.store.recent(platform, workspace, limit);
    if (!ids.ok) return ids;
    const listed = await Promise.all(ids.value.map((conversation) => titled(deps, conversation)));
    return ok(listed.filter((one) => one !== undefined));
  },
  blob: deps.blobs.get,
  settings: deps.channels.get,
  moveSettings: (from, to) => moveSettings(deps.channels, from, to),
  knows: deps.store.knows,
  hint: async (conversation) => {
    const first = await deps.store.once(conversation, 'hint');
    return first.ok ? ok(first.value ? hintToMention : null) : first;
  },
  purge: (where) => purge(deps, where),
  complete: (address, _author, command, option, partial) =>
    Promise.resolve(completions(deps.models, conversationIdOf(address), command, option, partial)),
  commands: commandHelp,
  model: deps.model,
  limits: deps.limits,
});

type Titled = { readonly conversation: ConversationId; readonly title: string; readonly at: number };

const titled = async (deps: AcceptDeps, conversation: ConversationId): Promise<Titled | undefined> => {
  const [session, page] = await Promise.all([deps.store.session(conversation), deps.store.entries(conversation, 0, 20)]);
  if (!session.ok || session.value === null || !page.ok) return undefined;
  const said = page.value.entries.find((entry: Entry) => entry.kind === 'said');
  return {
    conversation,
    title: session.value.title || (said?.kind === 'said' ? firstLine(said.text, 60) : 'New thread'),
    at: page.value.entries.at(-1)?.at ?? session.value.createdAt,
  };
};
