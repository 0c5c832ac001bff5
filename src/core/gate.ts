/**
 * The one authorisation gate. Every entry point (message, slash command, button, web call) asks it, and nothing else decides.
 * Pure: who wants to do what to whose work, under which rules.
 */
import type { Action } from './command.ts';
import { failure } from './failure.ts';
import type { Failure } from './failure.ts';
import type { Person } from './message.ts';
import { err, ok } from './result.ts';
import type { Result } from './result.ts';

export type Question = {
  readonly action: Action;
  readonly person: Person;
  /** Who started the thread; null: nobody in particular. */
  readonly owner: Person | null;
  /** Whose work is concerned: the asker of the turn to stop, the author of the run to undo. Null: nobody's in particular. */
  readonly subject: Person | null;
};
/** `operators`: platform ids of people who may do everything. */
export type Rules = { readonly operators: ReadonlySet<string> };

const words: Readonly<Record<Action, string>> = {
  talk: 'talk to me',
  'run-code': 'run code',
  read: 'read this',
  stop: 'stop what somebody else asked for',
  undo: 'undo somebody else’s run',
  'change-settings': 'change the settings',
  erase: 'erase this thread',
  approve: 'decide about what somebody else asked for',
};

/** Ok, or `forbidden` with words for the person. */
export const authorise = (question: Question, rules: Rules): Result<void, Failure> =>
  allowed(question, rules) ? ok(undefined) : err(failure('forbidden', { action: words[question.action] }));

const allowed = ({ action, person, owner, subject }: Question, rules: Rules): boolean => {
  if (rules.operators.has(person.id)) return true;
  const owns = owner === null || owner.id === person.id;
  switch (action) {
    case 'talk':
    case 'run-code':
    case 'read':
      return true;
    case 'stop':
    case 'undo':
      return owns || subject === null || subject.id === person.id;
    // A call has effects outside: where nobody owns the thread, that is not everybody's to allow.
    case 'approve':
      return owner?.id === person.id || subject?.id === person.id;
    case 'change-settings':
    case 'erase':
      return owns;
    default:
      return action satisfies never;
  }
};
