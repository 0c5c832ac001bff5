/** Shortcuts and modals -> the gateway. */
import { z } from 'zod';
import { argsOf } from '../../../src/core/command.ts';
import type { Failure } from '../../../src/core/failure.ts';
import { eventKey } from '../../../src/core/ids.ts';
import { plainWords } from '../../../src/core/markdown-text.ts';
import { earlierMessageSchema } from '../../../src/core/message.ts';
import type { EarlierMessage, Person } from '../../../src/core/message.ts';
import { ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import { viewIds } from '../actions.ts';
import type { SlackClient } from '../api/client.ts';
import type { AskedAbout, Submitted } from '../decode/decode-interaction.ts';
import { filesIn } from '../decode/decode-message.ts';
import type { Place, SharedFile } from '../decode/decode-message.ts';
import { addressIn, clientFor, conversationIn, NO_THREAD, namesOf, originOf, settle, standingOf, toWriter } from './desk.ts';
import type { Desk } from './desk.ts';
import { download } from './download.ts';
import { rootMessage } from './handle-command.ts';
import { personOf } from './handle-press.ts';
import type { Who } from './handle-press.ts';
import { readAbout, readChannel } from './modals.ts';
import type { About } from './modals.ts';
import type { To } from './tell.ts';
import { earlierOf, peopleInHistory, readHistory, toEarlier } from './thread-history.ts';

type Done = Promise<Result<void, Failure>>;

/** The message that is asked about, as it was when its shortcut was used; noted until the modal is sent off. */
const notedSchema = z.object({ message: earlierMessageSchema, files: z.array(z.unknown()) });
const noteName = (trigger: string): string => `asked-about/${trigger}`;

export const handleAskedAbout = async (desk: Desk, asked: AskedAbout): Done => {
  const at = await clientFor(desk, asked.by);
  if (!at.ok) return { ok: false, failure: at.failure };
  const names = namesOf(await desk.people.names(asked.by.workspace, at.value.client, peopleInHistory([asked.message])));
  const noted = { message: earlierOf(asked.message, names), files: asked.message.files ?? [] };
  return desk.notes.set(conversationIn(asked.by, asked.place.channel, asked.place.root), noteName(asked.trigger), JSON.stringify(noted));
};

export const handleSubmitted = async (desk: Desk, submitted: Submitted): Done => {
  const at = await clientFor(desk, submitted.by);
  if (!at.ok) return { ok: false, failure: at.failure };
  const author = await personOf(desk, at.value.client, submitted);
  switch (submitted.view) {
    case viewIds.newChat:
      return askDirectly(desk, at.value.client, submitted, author, 'You asked:', [], []);
    case viewIds.askAbout:
      return askAbout(desk, at.value.client, submitted, author);
    case viewIds.settings:
      return changeSettings(desk, submitted, author);
    default:
      return ok(undefined);
  }
};

const alone = (submitted: Submitted, channel: string): To => ({
  by: submitted.by,
  user: submitted.user,
  channel,
  thread: '',
  responseUrl: '',
});

const changeSettings = async (desk: Desk, submitted: Submitted, author: Person): Done => {
  const channel = readChannel(submitted.meta);
  const command = desk.gateway.commands.find(({ name }) => name === 'settings');
  if (channel === null || command === undefined) return ok(undefined);
  const args = argsOf(command, submitted.values);
  if (args === '') return ok(undefined);
  const accepted = await desk.gateway.accept({
    kind: 'command',
    address: addressIn(submitted.by, channel, NO_THREAD),
    key: eventKey(`view:${submitted.viewId}`),
    author,
    standing: standingOf(submitted),
    name: 'settings',
    args,
    origin: originOf(submitted, { channel, ts: '', root: '', threaded: false }),
  });
  const to = alone(submitted, channel);
  if (!accepted.ok) return settle(desk, to, accepted.failure);
  if (accepted.value.answer !== null) await desk.tell.answer(to, { ...accepted.value.answer, private: true });
  return ok(undefined);
};

const questionOf = (submitted: Submitted): string => (submitted.values['question'] ?? '').trim();

/** Asks in the thread of the message; where the bot may not write there, in the person's direct messages. */
const askAbout = async (desk: Desk, client: SlackClient, submitted: Submitted, author: Person): Done => {
  const about = readAbout(submitted.meta);
  if (about === null) return ok(undefined);
  const conversation = conversationIn(submitted.by, about.channel, about.root);
  const note = await desk.notes.get(conversation, noteName(about.note));
  if (!note.ok) return note;
  const noted = decodeNoted(note.value);
  const question = questionOf(submitted) || 'What do you say to this?';
  const root = await once(desk, submitted, () =>
    desk.tell.post(client, about.channel, about.root, rootMessage(`**${plainWords(author.name)}** asks:`, question)),
  );
  if (!root.ok) {
    desk.log.info({ detail: root.failure.detail }, 'a question about a message is answered in direct messages');
    const lead = 'You asked about a message in a conversation where I cannot write (invite me there with `/invite`):';
    return askDirectly(desk, client, submitted, author, lead, noted === null ? [] : [noted.message], noted?.files ?? []);
  }
  const place = { channel: about.channel, ts: root.value, root: about.root, threaded: true };
  const accepted = await desk.gateway.accept({
    kind: 'message',
    address: addressIn(submitted.by, about.channel, about.root),
    key: eventKey(`view:${submitted.viewId}`),
    author,
    standing: standingOf(submitted),
    text: question,
    files: await readFiles(desk, client, noted?.files ?? []),
    earlier: await earlierFor(desk, client, submitted, about, place, noted?.message ?? null),
    origin: originOf(submitted, place),
  });
  return accepted.ok ? ok(undefined) : takeBack(desk, client, submitted, place, accepted.failure);
};

/** The thread so far, where the bot does not know it; the message that is asked about in any case. */
const earlierFor = async (
  desk: Desk,
  client: SlackClient,
  { by }: Who,
  about: About,
  place: Place,
  message: EarlierMessage | null,
): Promise<readonly EarlierMessage[]> => {
  const own = message === null ? [] : [message];
  const known = await desk.gateway.knows(conversationIn(by, about.channel, about.root));
  if (!known.ok || known.value || about.root === about.ts) return own;
  const history = await readHistory(by.workspace, client, place, desk.shared);
  if (!history.ok) return own;
  const names = namesOf(await desk.people.names(by.workspace, client, peopleInHistory(history.value)));
  const read = toEarlier(history.value, names);
  return read.some((one) => one.key === message?.key) ? read : [...read, ...own];
};

const decodeNoted = (text: string | null): { readonly message: EarlierMessage; readonly files: readonly SharedFile[] } | null => {
  if (text === null) return null;
  const read = notedSchema.safeParse(JSON.parse(text));
  return read.success ? { message: read.data.message, files: filesIn(read.data.files) } : null;
};

const readFiles = async (desk: Desk, client: SlackClient, files: readonly SharedFile[]) => {
  const { files: most, fileBytes: maxBytes } = desk.gateway.limits;
  const read = await Promise.all(files.slice(0, most).map((file) => download(file, { client, apiUrl: desk.config.apiUrl, maxBytes })));
  return read.flatMap((one) => (one.ok ? [one.value] : []));
};

/** A new chat in the person's direct messages. */
const askDirectly = async (
  desk: Desk,
  client: SlackClient,
  submitted: Submitted,
  author: Person,
  lead: string,
  earlier: readonly EarlierMessage[],
  files: readonly SharedFile[],
): Done => {
  const question = questionOf(submitted) || (earlier.length === 0 ? '' : 'What do you say to this?');
  if (question === '') return ok(undefined);
  const direct = await desk.tell.directChannel(client, submitted.user);
  if (!direct.ok) return settle(desk, alone(submitted, ''), direct.failure);
  const root = await once(desk, submitted, () => desk.tell.post(client, direct.value, '', rootMessage(lead, question)), '/direct');
  if (!root.ok) return settle(desk, alone(submitted, ''), root.failure);
  const place = { channel: direct.value, ts: root.value, root: root.value, threaded: false };
  const accepted = await desk.gateway.accept({
    kind: 'message',
    address: addressIn(submitted.by, direct.value, root.value),
    key: eventKey(`view:${submitted.viewId}`),
    author,
    standing: standingOf(submitted),
    text: question,
    files: await readFiles(desk, client, files),
    earlier,
    origin: originOf(submitted, place),
  });
  return accepted.ok ? ok(undefined) : takeBack(desk, client, submitted, place, accepted.failure);
};

/** What was refused leaves no message behind; the person knows why. */
const takeBack = async (desk: Desk, client: SlackClient, submitted: Submitted, place: Place, why: Failure): Done => {
  const settled = await settle(desk, { ...toWriter(submitted, place), thread: '' }, why);
  if (settled.ok) await desk.tell.unpost(client, place.channel, place.ts);
  return settled;
};

/** Posts once, also where the submission is worked off twice. */
const once = async (
  desk: Desk,
  submitted: Submitted,
  post: () => Promise<Result<string, Failure>>,
  more = '',
): Promise<Result<string, Failure>> => {
  const fact = `root/${submitted.by.workspace}/${submitted.viewId}${more}`;
  const before = await desk.shared.get(fact);
  if (before.ok && before.value !== null) return ok(before.value);
  const posted = await post();
  if (posted.ok) await desk.shared.set(fact, posted.value, 24 * 60 * 60_000);
  return posted;
};
