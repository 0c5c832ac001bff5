/** A conversation as people see it: entries -> messages. Pure; the web API and `export` show this. */
import type { Entry } from './conversation.ts';
import type { StoredFailure } from './failure.ts';
import { countingRuns } from './ledger.ts';
import type { MessageId } from './ids.ts';
import { askingWords, decidedWords } from './approval-words.ts';
import { botMessage } from './turn-state.ts';
import type { StoredFile } from './message.ts';
import type { Run, RunFile } from './run.ts';

export type ApprovalView = { readonly id: string; readonly state: 'waiting' | 'approved' | 'denied'; readonly until: number };

export type MessageView = {
  readonly id: MessageId;
  readonly role: 'person' | 'bot';
  readonly author: string;
  readonly at: number;
  readonly text: string;
  readonly status: 'complete' | 'cut' | 'stopped' | 'failed';
  readonly failure: StoredFailure | null;
  readonly model: string;
  readonly files: readonly (StoredFile | RunFile)[];
  readonly runs: readonly Run[];
  /** Set on a message that asks for a yes. `waiting` is right until `until`; after that nobody can decide any more. */
  readonly approval: ApprovalView | null;
  /** Numbers of those of its runs that were undone or reset away. */
  readonly undone: readonly number[];
};

type Draft = { -readonly [K in Exclude<keyof MessageView, 'undone'>]: MessageView[K] };

/** Messages in order. A turn's runs stand with the bot's message, a person's own run with the person's. */
export const toMessages = (entries: readonly Entry[], botName: string): readonly MessageView[] => {
  const messages = new Map<MessageId, Draft>();
  const bot = (id: MessageId, at: number): Draft => {
    const known = messages.get(id);
    if (known !== undefined) return known;
    const made: Draft = {
      id,
      role: 'bot',
      author: botName,
      at,
      text: '',
      status: 'complete',
      failure: null,
      model: '',
      files: [],
      runs: [],
      approval: null,
    };
    messages.set(id, made);
    return made;
  };
  const say = (message: Draft, text: string): void => {
    if (text.trim() !== '') message.text = message.text === '' ? text : `${message.text}\n\n${text}`;
  };
  for (const entry of entries) {
    switch (entry.kind) {
      case 'said':
        messages.set(entry.message, {
          id: entry.message,
          role: 'person',
          author: entry.author.name,
          at: entry.at,
          text: entry.text,
          status: 'complete',
          failure: null,
          model: '',
          files: entry.files,
          runs: [],
          approval: null,
        });
        break;
      case 'ran': {
        const message = bot(entry.message, entry.at);
        message.runs = [...message.runs, entry.run];
        if (entry.call === null) message.files = [...message.files, ...entry.run.files];
        break;
      }
      case 'called':
        say(bot(botMessage(entry.turn), entry.at), entry.text);
        break;
      case 'answered': {
        const message = bot(entry.message, entry.at);
        say(message, entry.text);
        // The words for the person are part of what was answered: whoever reads only `text` must see them.
        if (entry.failure !== null) say(message, entry.failure.words);
        message.files = entry.files;
        message.status = entry.status;
        message.failure = entry.failure;
        message.model = entry.model;
        break;
      }
      case 'awaiting': {
        const message = bot(entry.message, entry.at);
        say(message, askingWords(entry));
        message.approval = { id: entry.approval, state: 'waiting', until: entry.expiresAt };
        break;
      }
      case 'decided': {
        const message = bot(entry.message, entry.at);
        say(message, decidedWords(entry));
        message.approval = { id: entry.approval, state: entry.verdict, until: message.approval?.until ?? entry.at };
        break;
      }
      case 'noticed':
        say(bot(entry.message, entry.at), entry.text);
        break;
      case 'heard':
      case 'redacted':
      case 'result':
      case 'state-moved':
      case 'summarised':
        break;
      default:
        entry satisfies never;
    }
  }
  const counting = new Set(countingRuns(entries).map((ran) => ran.run.n));
  return [...messages.values()].map((message) => ({
    ...message,
    undone: message.runs.map((run) => run.n).filter((n) => !counting.has(n)),
  }));
};
