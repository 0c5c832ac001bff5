/** Commands, presses, menu entries and modals -> the gateway. Who did it is checked by its gate, as for everything else. */
import { z } from 'zod';
import { asPrompted, codeIn } from '../../../src/core/addressing.ts';
import { argsOf } from '../../../src/core/command.ts';
import { failure } from '../../../src/core/failure.ts';
import type { Failure } from '../../../src/core/failure.ts';
import { conversationIdOf, eventKey } from '../../../src/core/ids.ts';
import type { Address, ConversationId } from '../../../src/core/ids.ts';
import { earlierMessageSchema } from '../../../src/core/message.ts';
import type { EarlierMessage } from '../../../src/core/message.ts';
import { codeInAnswer } from '../../../src/core/posted-code.ts';
import { err, ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import { firstPython } from '../decode-code.ts';
import { decodeEarlier } from '../decode.ts';
import { filesOf } from '../decode-body.ts';
import { decodeInteraction } from '../decode-interaction.ts';
import type { Interaction, Wish } from '../decode-interaction.ts';
import { attachmentSchema, messageSchema } from '../decode-schema.ts';
import type { Delivery } from '../delivery.ts';
import { isOfThread, onlyInThreads, opensSession } from '../gateway/first-answer.ts';
import { inboundLimits } from '../limits.ts';
import type { Place } from '../place.ts';
import { namesIn, NO_THREAD, originOfInteraction, settle, toActor } from './desk.ts';
import type { Desk } from './desk.ts';
import { fetchFiles, withNotes } from './files.ts';
import { placeFor } from './handle-message.ts';
import type { To } from './tell.ts';
import { readHistory } from './thread-history.ts';
import type { HistoryFile } from './thread-history.ts';
import { addressIn } from './where.ts';

type Done = Promise<Result<void, Failure>>;
const done: Result<void, Failure> = ok(undefined);

/** One interaction, with all that is said about it. */
type Act = { readonly desk: Desk; readonly delivery: Delivery; readonly it: Interaction; readonly place: Place };

export const handleInteraction = async (desk: Desk, delivery: Delivery): Done => {
  const it = decodeInteraction(delivery.data, desk.gateway.commands);
  if (it === null) return done;
  const place = await placeFor(desk, delivery, it.channel, it.guild);
  if (!place.ok) return place;
  // Where the bot cannot look, the interaction says all that is known of the place.
  const act = { desk, delivery, it, place: place.value ?? { ...unseen, id: it.channel, guild: it.guild } };
  switch (it.wish.kind) {
    case 'command':
      return handleCommand(act, it.wish);
    case 'press':
      return handlePress(act, it.wish);
    case 'menu':
      return it.wish.entry === 'run' ? runTarget(act, it.wish) : noteTarget(act, it.wish);
    case 'modal':
      return handleModal(act, it.wish);
    case 'typing':
    case 'ping':
    case 'unknown':
      return done;
    default:
      return it.wish satisfies never;
  }
};

const unseen: Omit<Place, 'id' | 'guild'> = { parent: null, kind: 'channel', threads: false, name: '', owner: null, tags: [] };

/** The session that something is about; null at the top of a channel, where none is. */
const sessionHere = ({ desk, it, place }: Act, fresh: boolean): Promise<Result<Address | null, Failure>> => {
  if (!it.member) return desk.where.personal(place, it.id, it.user.id, fresh);
  if (place.kind !== 'channel') return desk.where.session(place, it.id, null, fresh);
  return Promise.resolve(ok(null));
};

const handleCommand = async (act: Act, wish: Wish & { kind: 'command' }): Done => {
  const { desk, it, place } = act;
  const { name, args } = wish.called;
  const here = await sessionHere(act, name === 'reset');
  if (!here.ok) return here;
  const opens = opensSession(name);
  if (here.value === null && isOfThread(name)) {
    await desk.tell.privately(toActor(place, it, act.delivery.answered), onlyInThreads(name));
    return done;
  }
  const address = here.value ?? addressIn(place, opens ? it.id : NO_THREAD);
  if (wish.file === null || !opens) return call(act, address, name, args);
  const file: HistoryFile = { file: wish.file, channel: place.id, message: '' };
  const files = await fetchFiles(desk, [file], 1);
  for (const one of files.unreadable) return tellAndFinish(act, address, one.words);
  return say(act, address, name === 'py' ? asPrompted(args) : withNotes(args, files.unreadable), [], [file]);
};

const tellAndFinish = async ({ desk, it, place, delivery }: Act, address: Address, words: string): Done => {
  await desk.tell.privately(toActor(place, it, delivery.answered, address.thread), words);
  return done;
};

/** Calls a command in a session, and says what it answers at once. */
const call = async (act: Act, address: Address, name: string, args: string): Done => {
  const { desk, it, place, delivery } = act;
  const origin = await originFor(act, address, name === 'py' ? asPrompted(codeIn(args)) : args);
  if (!origin.ok) return origin;
  const accepted = await desk.gateway.accept({
    kind: 'command',
    address,
    key: eventKey(`interaction:${it.id}`),
    author: it.user,
    standing: 'member',
    name,
    args,
    origin: origin.value,
  });
  const to = toActor(place, it, delivery.answered, address.thread);
  if (!accepted.ok) return settle(desk, to, accepted.failure);
  if (accepted.value.answer === null) return done;
  // What a press brings about is seen by all; its receipt is for who pressed.
  const answer = delivery.answered === 'update' ? { ...accepted.value.answer, private: true } : accepted.value.answer;
  if (answer.text.trim() === '' && answer.files.length === 0) return done;
  await desk.tell.answer(to, answer);
  return done;
};

/** Says something in a session, as if it had been written there. */
const say = async (act: Act, address: Address, text: string, earlier: readonly EarlierMessage[], files: readonly HistoryFile[]): Done => {
  const { desk, it, place, delivery } = act;
  const origin = await originFor(act, address, text);
  if (!origin.ok) return origin;
  const fetched = await fetchFiles(desk, files, 0);
  const accepted = await desk.gateway.accept({
    kind: 'message',
    address,
    key: eventKey(`interaction:${it.id}`),
    author: it.user,
    standing: 'member',
    text,
    files: fetched.read,
    earlier,
    origin: origin.value,
  });
  const to: To = toActor(place, it, delivery.answered, address.thread);
  if (!accepted.ok) return settle(desk, to, accepted.failure);
  if (accepted.value.answer !== null && !accepted.value.duplicate) await desk.tell.answer(to, accepted.value.answer);
  return done;
};

const originFor = async ({ desk, it, place, delivery }: Act, address: Address, text: string) => {
  const settings = await desk.gateway.settings(address);
  return settings.ok ? ok(originOfInteraction(place, it, delivery.answered, settings.value.threads, text)) : settings;
};

/** The session of the message that a button stands under. */
const sessionUnder = async (act: Act): Promise<Result<Address, Failure>> => {
  const { desk, it, place } = act;
  return it.member ? desk.where.sessionOf(place, it.under, true) : desk.where.personal(place, it.id, it.user.id, false);
};

const handlePress = async (act: Act, { press }: Wish & { kind: 'press' }): Done => {
  if (press.kind === 'open') return done;
  const address = await sessionUnder(act);
  if (!address.ok) return address;
  if (press.kind === 'command') return call(act, address.value, press.name, press.args);
  const code = await storedCode(act.desk, conversationIdOf(address.value), press.message, press.block);
  if (code.ok) return say(act, address.value, asPrompted(code.value), [], []);
  return settle(act.desk, toActor(act.place, act.it, act.delivery.answered), code.failure);
};

/** The code of a Run button: out of what is stored, never out of the message as it stands in Discord. */
const storedCode = async (desk: Desk, conversation: ConversationId, message: string, block: number): Promise<Result<string, Failure>> => {
  const read = await desk.gateway.read(conversation);
  if (!read.ok) return read;
  const code = codeInAnswer(read.value?.entries ?? [], message, block);
  return code === null ? err(failure('request-malformed', { what: 'the code of that button is no longer stored' })) : ok(code);
};

/** Runs the code of the message, in the session where it stands, or in one of its own. */
const runTarget = async (act: Act, { target }: Wish & { kind: 'menu' }): Done => {
  const code = firstPython(target);
  if (code === null) return done;
  const here = await sessionHere(act, false);
  if (!here.ok) return here;
  return say(act, here.value ?? addressIn(act.place, act.it.id), asPrompted(code), [], []);
};

/** The message that is asked about, as it was when the menu was used; noted until the modal is sent off. */
const notedSchema = z.object({ message: earlierMessageSchema.nullable(), files: z.array(attachmentSchema) });
const noteIn = (place: Place, message: string): ConversationId => conversationIdOf(addressIn(place, message));
const noteName = (interaction: string): string => `asked-about/${interaction}`;

const noteTarget = async ({ desk, delivery, it, place }: Act, { target }: Wish & { kind: 'menu' }): Done => {
  const message = messageSchema.safeParse(target).data;
  if (message === undefined) return done;
  const noted = { message: decodeEarlier(target, namesIn(delivery), inboundLimits.earlierChars), files: filesOf(message) };
  return desk.notes.set(noteIn(place, message.id), noteName(it.id), JSON.stringify(noted));
};

const handleModal = async (act: Act, { modal, values }: Wish & { kind: 'modal' }): Done => {
  const { desk, it, place, delivery } = act;
  const to = toActor(place, it, delivery.answered);
  if (modal.kind === 'ask') return askAbout(act, modal, values['question'] ?? '');
  const here = await sessionHere(act, false);
  if (!here.ok) return here;
  const command = desk.gateway.commands.find(({ name }) => name === modal.kind);
  if (command === undefined) return done;
  if (modal.kind === 'persona' && here.value === null) {
    await desk.tell.privately(
      to,
      'A persona belongs to one thread: use `/persona` in the thread that you mean, or set one for the channel with `/settings`.',
    );
    return done;
  }
  const args = argsOf(command, values);
  return call(act, here.value ?? addressIn(place, NO_THREAD), modal.kind, args);
};

const askAbout = async (act: Act, modal: { readonly message: string; readonly note: string }, typed: string): Done => {
  const { desk, it, place } = act;
  const note = await desk.notes.get(noteIn(place, modal.message), noteName(modal.note));
  if (!note.ok) return note;
  const noted = note.value === null ? null : (notedSchema.safeParse(JSON.parse(note.value)).data ?? null);
  const here = await sessionHere(act, false);
  if (!here.ok) return here;
  const address = here.value ?? addressIn(place, it.id);
  const known = await desk.gateway.knows(conversationIdOf(address));
  if (!known.ok) return known;
  const before =
    it.member && place.kind === 'thread' && !known.value ? await readHistory(desk.calls, place, it.id, namesIn(act.delivery)) : null;
  const told = before?.ok === true ? before.value.messages : [];
  const own =
    noted?.message === null || noted?.message === undefined || told.some(({ key }) => key === noted.message?.key) ? [] : [noted.message];
  const files = (noted?.files ?? []).map((file): HistoryFile => ({ file, channel: place.id, message: it.member ? modal.message : '' }));
  return say(act, address, typed.trim() || 'What do you say to this?', [...told, ...own], files);
};
