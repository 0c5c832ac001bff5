/** What somebody wrote, edited or deleted -> the gateway. */
import { z } from 'zod';
import type { Failure } from '../../../src/core/failure.ts';
import { conversationIdOf, eventKey } from '../../../src/core/ids.ts';
import type { Address } from '../../../src/core/ids.ts';
import type { EarlierMessage } from '../../../src/core/message.ts';
import { ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import { whoIsSpokenTo } from '../../../src/core/speaking.ts';
import { decodeMessage, decodeUpdate } from '../decode.ts';
import type { Said } from '../decode.ts';
import { bulkDeletedSchema, deletedSchema } from '../decode-schema.ts';
import type { Delivery } from '../delivery.ts';
import type { Place } from '../place.ts';
import { isForbidden, isGone } from '../rest/failure.ts';
import { greeting, withheldHint } from '../greeting.ts';
import { meIn, namesIn, originOfMessage, settle, toWriter } from './desk.ts';
import type { Desk } from './desk.ts';
import { fetchFiles, withNotes } from './files.ts';
import { noHistory, readHistory, titleOf } from './thread-history.ts';
import type { History, HistoryFile } from './thread-history.ts';

type Done = Promise<Result<void, Failure>>;
const done: Result<void, Failure> = ok(undefined);

/** A place that cannot be looked at is no place to answer in, and trying again does not change that. */
export const placeFor = async (
  desk: Desk,
  delivery: Delivery,
  channel: string,
  guild: string | null,
): Promise<Result<Place | null, Failure>> => {
  const place = await desk.where.place(delivery.place, channel, guild);
  if (place.ok || !(isForbidden(place.failure) || isGone(place.failure))) return place;
  desk.log.info({ detail: place.failure.detail }, 'an event of a channel that cannot be looked at');
  return ok(null);
};

const FRESH = /^\s*[!/]reset\s*$/i;

export const handleCreated = async (desk: Desk, delivery: Delivery): Done => {
  const read = decodeMessage(delivery.data, meIn(delivery), namesIn(delivery));
  if (read.kind === 'ignored') return done;
  const { said } = read;
  const place = await placeFor(desk, delivery, said.channel, said.guild);
  if (!place.ok) return place;
  if (place.value === null) return done;
  return hear(desk, delivery, said, place.value);
};

const hear = async (desk: Desk, delivery: Delivery, said: Said, place: Place): Done => {
  const direct = place.kind === 'direct';
  const replied = said.repliesTo?.key ?? null;
  const address = await desk.where.session(place, said.id, replied, direct && FRESH.test(said.text));
  if (!address.ok) return address;
  const conversation = conversationIdOf(address.value);
  const [settings, known] = await Promise.all([desk.gateway.settings(address.value), desk.gateway.knows(conversation)]);
  if (!settings.ok) return settings;
  if (!known.ok) return known;
  const inOwnThread = known.value && address.value.thread !== said.id;
  const spoken = whoIsSpokenTo({
    rule: settings.value.speak,
    direct,
    mentioned: said.mentioned,
    inOwnThread,
    toOthers: said.toOthers,
    threaded: place.kind === 'thread',
  });
  const to = toWriter(place, said.id, said.author.id, address.value.thread);
  if (spoken === 'ignore') return done;
  if (spoken === 'hint') {
    const hint = await desk.gateway.hint(conversation);
    if (!hint.ok) return hint;
    if (hint.value !== null) await desk.tell.privately(to, hint.value);
    return done;
  }
  if (said.withheld) return hintWithheld(desk, place, to);

  const history = place.kind === 'thread' && !known.value ? await readBefore(desk, delivery, said, place) : noHistory;
  const quoted = quotedIn(said, history, known.value);
  const own = said.files.map((file): HistoryFile => ({ file, channel: said.channel, message: said.id }));
  const others = [...repliedFiles(said), ...history.files];
  const files = await fetchFiles(desk, [...own, ...others], own.length);
  for (const one of files.unreadable) await desk.tell.privately(to, one.words);
  const nothing = said.text.trim() === '' && files.read.length === 0;
  // Only a file, and it cannot be read: there is nothing to ask about, and the person knows why.
  if (nothing && files.unreadable.length > 0) return done;
  // A mention without words: it points at what stands there; where nothing does, it is a greeting.
  if (nothing && quoted.length === 0) {
    await desk.tell.answer(to, { text: greeting(), private: false, files: [] });
    return done;
  }
  const accepted = await desk.gateway.accept({
    kind: 'message',
    address: address.value,
    key: eventKey(said.id),
    author: said.author,
    standing: 'member',
    text: nothing ? 'What do you say to this?' : withNotes(said.text, files.unreadable),
    files: files.read,
    earlier: quoted,
    origin: originOfMessage(place, said.id, said.author.id, settings.value.threads, said.text),
  });
  if (!accepted.ok) return settle(desk, to, accepted.failure);
  if (accepted.value.answer !== null && !accepted.value.duplicate) await desk.tell.answer(to, accepted.value.answer);
  return done;
};

/** What is quoted before the words: the thread so far, and the message that they reply to. The bot's own words in its own session are known. */
const quotedIn = (said: Said, history: History, known: boolean): readonly EarlierMessage[] => {
  const { repliesTo } = said;
  if (repliesTo === null || (repliesTo.byMe && known) || history.messages.some(({ key }) => key === repliesTo.key)) return history.messages;
  if (repliesTo.text === '' && repliesTo.files.length === 0) return history.messages;
  const { key, at, author, text, files } = repliesTo;
  return [...history.messages, { key, at, author, text, files }];
};

const repliedFiles = ({ repliesTo, channel }: Said): readonly HistoryFile[] =>
  repliesTo === null || repliesTo.byMe ? [] : repliesTo.attachments.map((file) => ({ file, channel, message: repliesTo.key }));

/** The messages before this one, where the bot comes late; without them where Discord does not let us, and the person is told so. */
const readBefore = async (desk: Desk, delivery: Delivery, said: Said, place: Place): Promise<History> => {
  const history = await readHistory(desk.calls, place, said.id, namesIn(delivery));
  if (history.ok) return history.value;
  desk.log.info({ code: history.failure.code, detail: history.failure.detail }, 'a thread could not be read; answered without it');
  await desk.tell.privately(
    toWriter(place, said.id, said.author.id),
    'Discord does not let me read what was written here before, so I answer from your message alone. The permission for it is Read Message History.',
  );
  return { ...noHistory, messages: titleOf(place, []) };
};

/** Said once in each thread: without the Message Content intent Discord holds back what does not mention the bot. */
const hintWithheld = async (desk: Desk, place: Place, to: Parameters<Desk['tell']['privately']>[0]): Done => {
  const mine = desk.clock.newId();
  const claimed = await desk.shared.claim(`withheld:${place.id}`, mine, 30 * 24 * 3_600_000);
  if (!claimed.ok) return claimed;
  if (claimed.value === mine) await desk.tell.privately(to, withheldHint);
  return done;
};

export const handleUpdated = async (desk: Desk, delivery: Delivery): Done => {
  const read = decodeUpdate(delivery.data, meIn(delivery), namesIn(delivery));
  if (read.kind === 'ignored') return done;
  const { said } = read;
  const place = await placeFor(desk, delivery, said.channel, said.guild);
  if (!place.ok) return place;
  if (place.value === null || said.withheld) return done;
  const address = await desk.where.sessionOf(place.value, said.id, false);
  if (!address.ok) return address;
  const settings = await desk.gateway.settings(address.value);
  if (!settings.ok) return settings;
  const accepted = await desk.gateway.accept({
    kind: 'edit',
    address: address.value,
    key: eventKey(said.id),
    author: said.author,
    standing: 'member',
    text: said.text,
    version: said.version,
    origin: originOfMessage(place.value, said.id, said.author.id, settings.value.threads, said.text),
  });
  return accepted.ok ? done : settle(desk, toWriter(place.value, said.id, said.author.id, address.value.thread), accepted.failure);
};

export const handleDeleted = async (desk: Desk, delivery: Delivery): Done => {
  const one = deletedSchema.safeParse(delivery.data).data;
  const many = bulkDeletedSchema.safeParse(delivery.data).data;
  const gone = one === undefined ? many : { ...one, ids: [one.id] };
  if (gone === undefined) return done;
  const place = await placeFor(desk, delivery, gone.channel_id, gone.guild_id ?? null);
  if (!place.ok) return place;
  if (place.value === null) return done;
  for (const id of gone.ids) {
    const address = await desk.where.sessionOf(place.value, id, false);
    if (!address.ok) return address;
    const accepted = await desk.gateway.accept({ kind: 'delete', address: address.value, key: eventKey(id) });
    if (!accepted.ok) return accepted;
  }
  return done;
};

const channelGoneSchema = z.object({ id: z.string(), guild_id: z.string().optional(), parent_id: z.string().nullish() });

/** A thread, a channel or a server that is gone: everything of it is erased. */
export const handleGone = async (desk: Desk, delivery: Delivery): Done => {
  const gone = channelGoneSchema.safeParse(delivery.data).data;
  if (gone === undefined) return done;
  const { gateway, shared } = desk;
  if (delivery.event === 'THREAD_DELETE') {
    const named = await shared.get(`thread:${gone.id}`);
    if (!named.ok) return named;
    const thread: Address = {
      platform: 'discord',
      workspace: gone.guild_id ?? 'dm',
      channel: gone.parent_id ?? gone.id,
      thread: named.value ?? gone.id,
    };
    const erased = await gateway.purge(thread);
    return erased.ok ? done : erased;
  }
  const whole = delivery.event === 'GUILD_DELETE';
  const purged = await gateway.purge({
    platform: 'discord',
    workspace: whole ? gone.id : (gone.guild_id ?? 'dm'),
    channel: whole ? null : gone.id,
  });
  if (!purged.ok) return purged;
  desk.log.info({ event: delivery.event, conversations: purged.value }, 'what was stored of a place that is gone is erased');
  return done;
};
