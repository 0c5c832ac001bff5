/**
 * The one authorisation gate. Every entry point (message, edit, slash command, button, web call) asks it, and nothing else decides.
 * Pure: who wants to do what to whose work, where, under which rules.
 */
import type { Action } from './command.ts';
import { failure } from './failure.ts';
import type { Failure } from './failure.ts';
import type { Address } from './ids.ts';
import type { Person, Standing } from './message.ts';
import { err, ok } from './result.ts';
import type { Result } from './result.ts';

export type Question = {
  readonly action: Action;
  readonly person: Person;
  readonly standing: Standing;
  readonly address: Address;
  /** The channel itself lets people of other organisations in. */
  readonly outsidersHere: boolean;
  /** Who started the thread; null: nobody in particular. */
  readonly owner: Person | null;
  /** Whose work is concerned: the asker of the turn to stop, the author of the run to undo. Null: nobody's in particular. */
  readonly subject: Person | null;
};

/**
 * What the operator allows. A person is `platform/id`, a channel `platform/workspace/channel`; each part may end in `*`. An empty list of
 * people, runners or channels is everybody, everywhere. The list of channels binds operators, too: elsewhere the bot is not at home.
 */
export type Rules = {
  /** May do everything. */
  readonly operators: readonly string[];
  readonly people: readonly string[];
  /** Who may run code, and have the model run it. */
  readonly runners: readonly string[];
  readonly channels: readonly string[];
  /** People of other organisations may talk wherever members may. */
  readonly outsiders: boolean;
};
export const openRules: Rules = { operators: [], people: [], runners: [], channels: [], outsiders: false };

const words: Readonly<Record<Action, string>> = {
  talk: 'talk to me',
  'run-code': 'run code',
  read: 'read this',
  stop: 'stop what somebody else asked for',
  undo: 'undo somebody else’s run',
  'change-settings': 'change the settings',
  'change-channel': 'change the settings of this channel',
  'open-channel': 'decide whether people of other organisations may talk to me',
  erase: 'erase this thread',
  approve: 'decide about what somebody else asked for',
};

/** Ok, or `forbidden` with words for the person. */
export const authorise = (question: Question, rules: Rules): Result<void, Failure> =>
  allowed(question, rules) ? ok(undefined) : err(failure('forbidden', { action: words[question.action] }));

/** Whether the model may run code for this person. */
export const mayRunCode = (person: Pick<Person, 'id'>, platform: string, { operators, runners }: Rules): boolean =>
  runners.length === 0 || fits(runners, [platform, person.id]) || fits(operators, [platform, person.id]);

const allowed = (question: Question, rules: Rules): boolean => {
  const { action, person, standing, address, owner, subject } = question;
  const { platform, workspace, channel } = address;
  const self = [platform, person.id];
  if (rules.channels.length > 0 && !fits(rules.channels, [platform, workspace, channel])) return false;
  if (fits(rules.operators, self)) return true;
  if (standing === 'outsider' && !rules.outsiders && !question.outsidersHere) return false;
  if (rules.people.length > 0 && !fits(rules.people, self)) return false;
  const owns = owner === null || owner.id === person.id;
  switch (action) {
    case 'talk':
    case 'read':
      return true;
    case 'run-code':
      return mayRunCode(person, platform, rules);
    case 'stop':
    case 'undo':
      // A first turn has no owner yet: whose work it is counts then, or anybody could end it.
      return owner?.id === person.id || subject === null || subject.id === person.id;
    // A call has effects outside: where nobody owns the thread, that is not everybody's to allow.
    case 'approve':
      return owner?.id === person.id || subject?.id === person.id;
    case 'change-settings':
    case 'erase':
      return owns;
    // A channel is everybody's: where there are operators it is theirs to set, where there are none somebody must be able to.
    case 'change-channel':
      return rules.operators.length === 0 && owns && standing === 'member';
    case 'open-channel':
      return false;
    default:
      return action satisfies never;
  }
};

const fits = (patterns: readonly string[], parts: readonly string[]): boolean =>
  patterns.some((pattern) => {
    const wanted = pattern.split('/');
    return wanted.length === parts.length && wanted.every((part, index) => fitsPart(part, parts[index] ?? ''));
  });
const fitsPart = (pattern: string, part: string): boolean =>
  pattern.endsWith('*') ? part.startsWith(pattern.slice(0, -1)) : pattern === part;
