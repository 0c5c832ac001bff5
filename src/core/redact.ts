/**
 * What becomes of stored entries when people edit or delete messages, or have their words erased. Pure. Entries are append-only but for
 * this: what somebody takes back must be gone from the store, not only hidden (the store's `redact` puts the new entry in the old one's place).
 *
 * Each function gives the very same entry where nothing is to be changed.
 */
import type { Entry, EntryOf } from './conversation.ts';
import { eventKey } from './ids.ts';
import type { EventKey, MessageId, TurnId } from './ids.ts';
import type { Person } from './message.ts';
import type { Run } from './run.ts';

/** The key under which an edited question is asked anew. */
export const keyOfEdit = (key: EventKey, version: string): EventKey => eventKey(`${key}${EDIT}${version}`);
const EDIT = ':edit:';

/** Whether an item or entry is about the message of this event: itself, or itself asked anew after an edit. */
export const isAbout = (key: EventKey, other: EventKey | MessageId): boolean => other === key || other.startsWith(`${key}${EDIT}`);

type Why = EntryOf<'redacted'>['why'];

/** In the place of a message: who wrote it and when, and why its words are gone. */
const redacted = (entry: EntryOf<'said'>, why: Why, author: Person = entry.author): EntryOf<'redacted'> => ({
  kind: 'redacted',
  at: entry.at,
  turn: entry.turn,
  message: entry.message,
  key: entry.key,
  author,
  why,
});

/** A run without what anybody wrote or printed. Its number and states stay: later runs stand on them. */
const blank = (run: Run, why: Why): Run => ({
  ...run,
  code: `# ${words[why]}`,
  output: '',
  value: null,
  error: run.error === null ? null : { type: run.error.type, value: '', traceback: '', line: null },
  files: [],
  removedFiles: [],
  lost: [],
  notes: [],
});
const words: Readonly<Record<Why, string>> = { deleted: 'deleted', replaced: 'edited and sent anew', forgotten: 'erased' };

/** The message is gone, and with it the code that it ran and the copy that was read later. */
export const withoutMessage =
  (key: EventKey, why: 'deleted' | 'replaced') =>
  (entry: Entry): Entry => {
    if (entry.kind === 'said') return isAbout(key, entry.key) ? redacted(entry, why) : entry;
    if (entry.kind === 'heard') return withMessages(entry, (messages) => messages.filter((one) => one.key !== key));
    // Code that was edited did run: what it did is in the state, and the model must know it.
    if (why === 'replaced' || entry.kind !== 'ran' || entry.call !== null || !isAbout(key, entry.message)) return entry;
    return entry.run.code === `# ${words.deleted}` ? entry : { ...entry, run: blank(entry.run, why) };
  };

/** The message has another text now. What it once ran or was answered stays as it was. */
export const withText =
  (key: EventKey, text: string) =>
  (entry: Entry): Entry => {
    if (entry.kind === 'said') return isAbout(key, entry.key) && entry.text !== text ? { ...entry, text } : entry;
    if (entry.kind !== 'heard') return entry;
    return withMessages(entry, (messages) => messages.map((one) => (one.key === key && one.text !== text ? { ...one, text } : one)));
  };

const withMessages = (
  entry: EntryOf<'heard'>,
  change: (messages: EntryOf<'heard'>['messages']) => EntryOf<'heard'>['messages'],
): EntryOf<'heard'> => {
  const messages = change(entry.messages);
  const same = messages.length === entry.messages.length && messages.every((one, index) => one === entry.messages[index]);
  return same ? entry : { ...entry, messages };
};

/** The turns in which nobody but this person said anything: what the bot said and did in them is an answer to them alone. */
export const turnsOf = (entries: readonly Entry[], person: Pick<Person, 'id'>): ReadonlySet<TurnId> => {
  const own = new Set<TurnId>();
  const others = new Set<TurnId>();
  for (const entry of entries)
    if (entry.kind === 'said' || entry.kind === 'redacted') (entry.author.id === person.id ? own : others).add(entry.turn);
  return new Set([...own].filter((turn) => !others.has(turn)));
};

/**
 * Everything that a person wrote is gone, and so is what the bot wrote in turns that were theirs alone (`turns`), since answers repeat
 * questions. Summaries go as a whole: their words cannot be told apart. Who ran which number stays, without the name.
 */
export const withoutPerson =
  (person: Pick<Person, 'id'>, turns: ReadonlySet<TurnId>) =>
  (entry: Entry): Entry => {
    const nameless: Person = { id: person.id, name: 'Somebody' };
    switch (entry.kind) {
      case 'said':
        return entry.author.id === person.id ? redacted(entry, 'forgotten', nameless) : entry;
      case 'redacted':
        return entry.author.id === person.id && entry.why !== 'forgotten' ? { ...entry, author: nameless, why: 'forgotten' } : entry;
      case 'heard':
        return withMessages(entry, (messages) => messages.filter((one) => one.author.id !== person.id));
      case 'ran': {
        const theirs = entry.run.author?.id === person.id || turns.has(entry.turn);
        if (!theirs || entry.run.code === `# ${words.forgotten}`) return entry;
        const author = entry.run.author?.id === person.id ? nameless : entry.run.author;
        return { ...entry, run: { ...blank(entry.run, 'forgotten'), author } };
      }
      case 'called':
        return turns.has(entry.turn)
          ? { ...entry, text: '', calls: entry.calls.map((call) => ({ ...call, arguments: '{}' })), passBack: null }
          : entry;
      case 'result':
        return turns.has(entry.turn) ? { ...entry, text: 'Erased.', links: [], kept: null, files: [] } : entry;
      case 'answered':
        return turns.has(entry.turn) ? { ...entry, text: '', files: [] } : entry;
      case 'awaiting':
      case 'decided':
        return turns.has(entry.turn) ? { ...entry, arguments: '{}' } : entry;
      case 'summarised':
        return entry.text === '' ? entry : { ...entry, text: '' };
      case 'noticed':
      case 'state-moved':
        return entry;
      default:
        return entry satisfies never;
    }
  };
