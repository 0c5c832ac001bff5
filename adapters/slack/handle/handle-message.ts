/** What somebody wrote, edited or deleted -> the gateway. */
import type { Failure } from '../../../src/core/failure.ts';
import { eventKey } from '../../../src/core/ids.ts';
import { ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import { whoIsSpokenTo } from '../../../src/core/speaking.ts';
import type { IncomingFile } from '../../../src/ports/adapter.ts';
import type { SlackClient } from '../api/client.ts';
import type { Deleted, Edited, Said, SharedFile } from '../decode/decode-message.ts';
import { peopleOf } from '../decode/decode-message.ts';
import { isToOthers, mentions, readText, withoutLeading } from '../decode/decode-text.ts';
import { addressIn, clientFor, conversationIn, namesOf, originOf, settle, standingOf, toWriter } from './desk.ts';
import type { Desk } from './desk.ts';
import { download } from './download.ts';
import { greeting } from './greeting.ts';
import { filesInHistory, peopleInHistory, readHistory, toEarlier } from './thread-history.ts';
import type { RawHistory } from './thread-history.ts';

type Done = Promise<Result<void, Failure>>;

export const handleSaid = async (desk: Desk, said: Said): Done => {
  const at = await clientFor(desk, said.by);
  if (!at.ok) return unanswerable(desk, at.failure);
  const { client, botUser } = at.value;
  if (said.user === botUser) return ok(undefined);
  const address = addressIn(said.by, said.channel, said.root);
  const conversation = conversationIn(said.by, said.channel, said.root);
  const [settings, known] = await Promise.all([desk.gateway.settings(address), desk.gateway.knows(conversation)]);
  if (!settings.ok) return settings;
  if (!known.ok) return known;
  const mentioned = mentions(said.raw, botUser);
  const spoken = whoIsSpokenTo({
    rule: settings.value.speak,
    direct: said.direct,
    mentioned,
    inOwnThread: known.value && said.threaded,
    toOthers: isToOthers(said.raw, botUser),
    threaded: said.threaded,
  });
  if (spoken === 'ignore') return ok(undefined);
  const to = toWriter(said, said);
  if (spoken === 'hint') {
    const hint = await desk.gateway.hint(conversation);
    if (!hint.ok) return hint;
    if (hint.value !== null) await desk.tell.privately(to, hint.value);
    return ok(undefined);
  }
  const before = said.threaded && !known.value ? await readBefore(desk, client, said) : [];
  const names = namesOf(await desk.people.names(said.by.workspace, client, [...peopleOf(said), ...peopleInHistory(before)]));
  const earlier = toEarlier(before, names);
  const words = readText(withoutLeading(said.raw, botUser), names).trim();
  const files = await fetchFiles(desk, client, [...said.files, ...filesInHistory(before)], said.files.length);
  for (const one of files.unreadable) await desk.tell.privately(to, one.words);
  const text = [words, ...files.unreadable.map(({ name }) => `(The file ${name} came with this, and could not be read.)`)]
    .join('\n\n')
    .trim();
  // Only a file, and it cannot be read: there is nothing to ask about, and the person knows why.
  if (words === '' && files.read.length === 0 && files.unreadable.length > 0) return ok(undefined);
  if (text === '' && files.read.length === 0) {
    // A mention without words: in a thread it points at what stands there, elsewhere it is a greeting.
    if (earlier.length === 0) return greet(desk, client, said);
  }
  const accepted = await desk.gateway.accept({
    kind: 'message',
    address,
    key: eventKey(said.ts),
    author: { id: said.user, name: names.user(said.user) ?? said.user },
    standing: standingOf(said),
    text: text === '' && files.read.length === 0 ? 'What do you say to this?' : text,
    files: files.read,
    earlier,
    origin: originOf(said, said),
  });
  if (!accepted.ok) {
    if (said.outsider && accepted.failure.code === 'forbidden' && !(await isNewsTo(desk, said, mentioned))) return ok(undefined);
    return settle(desk, to, accepted.failure);
  }
  if (accepted.value.answer !== null && !accepted.value.duplicate)
    await desk.tell.answer({ ...to, thread: said.root }, accepted.value.answer);
  return ok(undefined);
};

const DAY_MS = 24 * 60 * 60_000;

/** Somebody of another organisation is told that they are refused when they spoke to the bot, in each thread once a day. */
const isNewsTo = async (desk: Desk, said: Said, mentioned: boolean): Promise<boolean> => {
  if (!mentioned && !said.direct) return false;
  const mine = desk.clock.newId();
  const claimed = await desk.shared.claim(`refused/${said.by.workspace}/${said.channel}/${said.root}/${said.user}`, mine, DAY_MS);
  return claimed.ok && claimed.value === mine;
};

/** An app that is not installed (any more) has no token to answer with, and trying again helps nobody. */
const unanswerable = (desk: Desk, why: Failure): Result<void, Failure> => {
  if (why.code === 'store-unreachable' || why.code === 'delivery-unknown' || why.code === 'rate-limited')
    return { ok: false, failure: why };
  desk.log.warn({ code: why.code, detail: why.detail }, 'a delivery for a workspace that cannot be answered');
  return ok(undefined);
};

/** The messages before this one, where the bot comes late; without them where Slack does not let us, and the person is told so. */
const readBefore = async (desk: Desk, client: SlackClient, said: Said): Promise<RawHistory> => {
  const history = await readHistory(said.by.workspace, client, said, desk.shared);
  if (history.ok) return history.value;
  desk.log.info({ code: history.failure.code, detail: history.failure.detail }, 'a thread could not be read; answered without it');
  await desk.tell.privately(
    toWriter(said, said),
    'Slack does not let me read what was written here before, so I answer from your message alone. Quote what matters.',
  );
  return [];
};

type Files = { readonly read: readonly IncomingFile[]; readonly unreadable: readonly { readonly name: string; readonly words: string }[] };

/**
 * The first `own` are the message's own: of them every one that cannot be read is told. The others are the thread's, and as many are
 * taken as there is room for.
 */
const fetchFiles = async (desk: Desk, client: SlackClient, files: readonly SharedFile[], own: number): Promise<Files> => {
  const { files: most, fileBytes: maxBytes } = desk.gateway.limits;
  const wanted = own > most ? files.slice(0, own) : files.slice(0, most);
  const read: IncomingFile[] = [];
  const unreadable: Files['unreadable'][number][] = [];
  // More than may be sent are not even fetched: accept refuses the message, in its own words.
  if (own > most) return { read: wanted.map(({ name, type }) => ({ name, type, bytes: new Uint8Array() })), unreadable };
  for (const [index, file] of wanted.entries()) {
    const one = await download(file, { client, apiUrl: desk.config.apiUrl, maxBytes });
    if (one.ok) read.push(one.value);
    else {
      desk.log.info({ own: index < own, why: one.failure.words }, 'a file could not be read');
      if (index < own) unreadable.push(one.failure);
    }
  }
  return { read, unreadable };
};

const greet = async (desk: Desk, client: SlackClient, said: Said): Done => {
  const posted = await desk.tell.post(client, said.channel, said.root, greeting(desk.config.command));
  if (!posted.ok) desk.log.warn({ detail: posted.failure.detail }, 'a greeting could not be posted');
  return ok(undefined);
};

export const handleEdited = async (desk: Desk, edited: Edited): Done => {
  const at = await clientFor(desk, edited.by);
  if (!at.ok) return unanswerable(desk, at.failure);
  const { client, botUser } = at.value;
  const names = namesOf(await desk.people.names(edited.by.workspace, client, peopleOf(edited)));
  const accepted = await desk.gateway.accept({
    kind: 'edit',
    address: addressIn(edited.by, edited.channel, edited.root),
    key: eventKey(edited.ts),
    author: { id: edited.user, name: names.user(edited.user) ?? edited.user },
    standing: standingOf(edited),
    text: readText(withoutLeading(edited.raw, botUser), names).trim(),
    version: edited.version,
    origin: originOf(edited, edited),
  });
  if (accepted.ok || (edited.outsider && accepted.failure.code === 'forbidden')) return ok(undefined);
  return settle(desk, toWriter(edited, edited), accepted.failure);
};

export const handleDeleted = async (desk: Desk, deleted: Deleted): Done => {
  const accepted = await desk.gateway.accept({
    kind: 'delete',
    address: addressIn(deleted.by, deleted.channel, deleted.root),
    key: eventKey(deleted.ts),
  });
  return accepted.ok ? ok(undefined) : accepted;
};
