/**
 * The one catalogue of what can go wrong in normal life.
 *
 * A failure carries what the operator needs (`detail`, never shown to anybody else) and the facts its words need.
 * The table below says for each code whether trying again can help, what the person reads and what the log says.
 * What the model reads when a tool fails is a prompt: `src/prompts/tool-failed.prompt.ts`.
 */
import { z } from 'zod';

type Facts = {
  // the model
  'model-missing': object;
  'model-unreachable': object;
  'model-silent': { readonly seconds: number };
  'model-refused-key': object;
  'model-not-found': { readonly model: string };
  'model-rate-limited': { readonly waitSeconds: number };
  'model-quota': object;
  'model-overloaded': object;
  'model-broken-stream': object;
  'model-bad-reply': object;
  'model-rejected': object;
  'model-filtered': object;
  'model-empty': object;
  'context-overflow': object;
  // the sandbox
  'sandbox-missing': object;
  'sandbox-busy': { readonly waiting: number };
  'sandbox-broken': object;
  'snapshot-lost': object;
  // the store
  'store-unreachable': object;
  'store-busy': object;
  'fence-lost': object;
  'mailbox-full': { readonly limit: number };
  'entry-unreadable': object;
  // what somebody sent
  'message-empty': object;
  'message-too-long': { readonly length: number; readonly limit: number };
  'file-too-large': { readonly name: string; readonly limit: number };
  'file-unreadable': { readonly name: string };
  'too-many-files': { readonly limit: number };
  'command-unknown': { readonly name: string };
  'command-arguments': { readonly usage: string };
  'request-malformed': { readonly what: string };
  'thread-unknown': object;
  forbidden: { readonly action: string };
  'rate-limited': { readonly waitSeconds: number };
  'budget-turn': { readonly what: 'tokens' | 'money' };
  'budget-day': { readonly whose: 'person' | 'channel' | 'workspace'; readonly what: 'tokens' | 'money'; readonly minutes: number };
  // a turn
  stopped: { readonly by: string };
  withdrawn: object;
  'turn-timeout': { readonly seconds: number };
  interrupted: object;
  'turn-poisoned': object;
  // a tool
  'tool-unknown': { readonly name: string; readonly available: readonly string[] };
  'tool-arguments': { readonly name: string; readonly problem: string };
  'tool-timeout': { readonly name: string; readonly seconds: number };
  'tool-threw': { readonly name: string };
  'tool-result-bad': { readonly name: string };
  'tool-not-run': { readonly name: string; readonly why: string };
  // the web
  'fetch-url-bad': { readonly problem: string };
  'fetch-url-unknown': object;
  'fetch-address-refused': { readonly host: string };
  'fetch-unreachable': { readonly host: string; readonly problem: string };
  'fetch-timeout': { readonly host: string; readonly seconds: number };
  'fetch-redirects': { readonly limit: number };
  'fetch-too-large': { readonly limit: number };
  'fetch-wrong-type': { readonly type: string };
  // going out
  'delivery-refused': object;
  'delivery-unknown': object;
  // a person must mend the set-up
  'config-invalid': { readonly problems: readonly string[] };
};

export type FailureCode = keyof Facts;
export type FailureOf<C extends FailureCode> = { readonly code: C; readonly detail: string; readonly cause?: unknown } & Facts[C];
export type Failure = { [C in FailureCode]: FailureOf<C> }[FailureCode];

/** Makes a failure. `detail` is for the operator's log: it may name hosts and files, never a secret. */
export const failure = <C extends FailureCode>(code: C, facts: Facts[C], detail = '', cause?: unknown): FailureOf<C> => ({
  code,
  detail,
  ...(cause === undefined ? {} : { cause }),
  ...facts,
});

type Row<C extends FailureCode> = {
  /** May the same thing succeed if it is tried again without anybody changing anything? */
  readonly retry: boolean;
  /** What the person reads. Plain, without internals, with the next step where there is one. */
  readonly person: (failure: FailureOf<C>) => string;
  /** What the operator's log says; `detail` stands beside it. */
  readonly operator: string;
};

const seconds = (n: number): string => (n === 1 ? '1 second' : `${n} seconds`);
const owners = { person: 'You have', channel: 'This channel has', workspace: 'This workspace has' };
const clockTime = (minutes: number): string =>
  minutes >= 60
    ? `about ${Math.round(minutes / 60)} ${minutes >= 90 ? 'hours' : 'hour'}`
    : minutes === 1
      ? '1 minute'
      : `${minutes} minutes`;
const bytes = (n: number): string => (n >= 1 << 20 ? `${Math.round(n / (1 << 20))} MB` : `${Math.ceil(n / 1024)} kB`);

const catalogue: { readonly [C in FailureCode]: Row<C> } = {
  'model-missing': {
    retry: false,
    person: () => 'No language model is set up here yet. Code still runs: start a message with `>>>`.',
    operator: 'no model is configured',
  },
  'model-unreachable': {
    retry: true,
    person: () => 'I could not reach the language model. Your message is kept: press Retry, or just ask again in a moment.',
    operator: 'the model server did not answer',
  },
  'model-silent': {
    retry: true,
    person: (f) => `The language model went silent for ${seconds(f.seconds)}, so I stopped waiting. Retry, or ask again.`,
    operator: 'the model stream was idle too long',
  },
  'model-refused-key': {
    retry: false,
    person: () => 'The language model refused our credentials. Only the operator of this bot can mend that.',
    operator: 'the model server answered 401 or 403: check the key',
  },
  'model-not-found': {
    retry: false,
    person: () => 'The language model that is set up here does not exist on its server. Only the operator can mend that.',
    operator: 'the model server does not know the model',
  },
  'model-rate-limited': {
    retry: true,
    person: (f) => `The language model is busy. Please try again in about ${seconds(f.waitSeconds)}.`,
    operator: 'the model server limits the rate',
  },
  'model-quota': {
    retry: false,
    person: () => 'The account behind the language model has used up its quota. Only the operator can mend that.',
    operator: 'quota of the model account is used up',
  },
  'model-overloaded': {
    retry: true,
    person: () => 'The language model is overloaded right now. Please try again in a moment.',
    operator: 'the model server answered 5xx',
  },
  'model-broken-stream': {
    retry: true,
    person: () => 'The answer broke off in the middle. Retry, or ask again.',
    operator: 'the model stream ended early or was garbled',
  },
  'model-bad-reply': {
    retry: true,
    person: () => 'The language model sent something that is not an answer. Retry, or ask again.',
    operator: 'the model server answered with something else than a completion (HTML?)',
  },
  'model-rejected': {
    retry: false,
    person: () => 'The language model did not accept this request. The operator has the details.',
    operator: 'the model server rejected the request (400)',
  },
  'model-filtered': {
    retry: false,
    person: () => 'The language model’s content filter held this answer back. Try to put it another way.',
    operator: 'finish_reason content_filter',
  },
  'model-empty': {
    retry: true,
    person: () => 'The language model answered with nothing, twice. Retry, or put the question another way.',
    operator: 'empty completion after a nudge',
  },
  'context-overflow': {
    retry: false,
    person: () => 'This is too long for the language model, even after shortening. Start a new thread, or send less at once.',
    operator: 'the context does not fit after relief',
  },
  'sandbox-missing': {
    retry: false,
    person: () => 'No sandbox is available here, so code cannot run. Chat goes on without it; the operator can add Docker.',
    operator: 'no Docker engine or no sandbox image',
  },
  'sandbox-busy': {
    retry: true,
    person: (f) => `All sandboxes are busy (${f.waiting} waiting). Please try again in a moment.`,
    operator: 'waited too long for a sandbox container',
  },
  'sandbox-broken': {
    retry: true,
    person: () => 'The sandbox failed under this run. The state is as it was before it; please try again.',
    operator: 'a sandbox container ended or broke its protocol',
  },
  'snapshot-lost': {
    retry: false,
    person: () => 'The saved Python state of this thread can no longer be read. It starts empty from here.',
    operator: 'a snapshot or one of its blobs is missing or damaged',
  },
  'store-unreachable': {
    retry: true,
    person: () => 'I cannot reach my memory right now. Please send that again in a moment.',
    operator: 'Redis did not answer',
  },
  'store-busy': {
    retry: true,
    person: () => 'Somebody else is just doing that. Please try again in a moment.',
    operator: 'waited too long for a lock that another process holds',
  },
  'fence-lost': {
    retry: false,
    person: () => 'Another worker has taken over this thread.',
    operator: 'a newer claim on the conversation exists',
  },
  'mailbox-full': {
    retry: true,
    person: (f) => `There are already ${f.limit} messages waiting here. Please wait until I have caught up, then send this again.`,
    operator: 'mailbox cap reached',
  },
  'entry-unreadable': {
    retry: false,
    person: () => 'A part of this thread’s history cannot be read any more.',
    operator: 'a stored record does not decode',
  },
  'message-empty': {
    retry: false,
    person: () => 'That message was empty. Write a question, or `>>>` and some Python.',
    operator: 'empty message',
  },
  'message-too-long': {
    retry: false,
    person: (f) =>
      `That message has ${f.length.toLocaleString('en')} characters; I take ${f.limit.toLocaleString('en')}. Send the long part as a file instead.`,
    operator: 'message too long',
  },
  'file-too-large': {
    retry: false,
    person: (f) => `${f.name} is too large: I take files up to ${bytes(f.limit)}.`,
    operator: 'file too large',
  },
  'file-unreadable': {
    retry: false,
    person: (f) => `I could not read ${f.name}. Please send it again.`,
    operator: 'file could not be fetched or read',
  },
  'too-many-files': { retry: false, person: (f) => `Too many files at once: I take ${f.limit}.`, operator: 'too many files' },
  'command-unknown': { retry: false, person: (f) => `There is no command ${f.name}. \`help\` lists them.`, operator: 'unknown command' },
  'command-arguments': {
    retry: false,
    person: (f) => `I did not understand that. Usage: ${f.usage}`,
    operator: 'command arguments do not decode',
  },
  'request-malformed': { retry: false, person: (f) => `That request is not of the right form: ${f.what}.`, operator: 'malformed request' },
  'thread-unknown': { retry: false, person: () => 'There is no such thread.', operator: 'unknown thread' },
  forbidden: { retry: false, person: (f) => `You may not ${f.action} here.`, operator: 'the authorisation gate said no' },
  'rate-limited': {
    retry: true,
    person: (f) => `That was a lot at once. Please wait ${seconds(f.waitSeconds)}.`,
    operator: 'rate limit of a person or channel',
  },
  'budget-turn': {
    retry: false,
    person: (f) =>
      `I stopped here: one answer may use only so ${f.what === 'tokens' ? 'many tokens' : 'much money'}. Ask for a smaller step.`,
    operator: 'a turn reached its budget',
  },
  'budget-day': {
    retry: false,
    person: (f) =>
      `${owners[f.whose]} used up what the language model may ${f.what === 'tokens' ? 'read and write' : 'cost'} today. It starts afresh in ${clockTime(f.minutes)} (midnight UTC). Code still runs: start a message with \`>>>\`.`,
    operator: 'a budget of the day is used up',
  },
  stopped: { retry: false, person: (f) => `Stopped by ${f.by}.`, operator: 'a person stopped the turn' },
  withdrawn: {
    retry: false,
    person: () => 'Stopped: the message was edited or deleted.',
    operator: 'a message was edited or deleted while it was being answered',
  },
  'turn-timeout': {
    retry: true,
    person: (f) => `That took longer than ${seconds(f.seconds)}, so I stopped. What was done so far is kept.`,
    operator: 'turn over its wall-clock limit',
  },
  interrupted: { retry: true, person: () => 'I was interrupted in the middle of this.', operator: 'a worker ended in mid-turn' },
  'turn-poisoned': {
    retry: false,
    person: () =>
      'Something about this message makes me fail again and again, so I have put it aside. I am sorry. The operator has the details.',
    operator: 'a mailbox item failed its last attempt and was dead-lettered',
  },
  'tool-unknown': { retry: false, person: (f) => `The model asked for a tool that does not exist (${f.name}).`, operator: 'unknown tool' },
  'tool-arguments': { retry: false, person: (f) => `The model called ${f.name} in a wrong way.`, operator: 'tool arguments do not decode' },
  'tool-timeout': { retry: true, person: (f) => `${f.name} took longer than ${seconds(f.seconds)}.`, operator: 'tool over its time limit' },
  'tool-threw': { retry: true, person: (f) => `${f.name} failed.`, operator: 'a plugin threw' },
  'tool-result-bad': {
    retry: false,
    person: (f) => `${f.name} returned something unusable.`,
    operator: 'a plugin returned a value of the wrong form',
  },
  'tool-not-run': { retry: false, person: (f) => `${f.name} was not run: ${f.why}.`, operator: 'a call was answered without running it' },
  'fetch-url-bad': {
    retry: false,
    person: (f) => `That address cannot be opened: ${f.problem}.`,
    operator: 'a URL that is not fetched',
  },
  'fetch-url-unknown': {
    retry: false,
    person: () =>
      'That address was not opened. Since text from outside was read here, only addresses that a person wrote in this thread or that a search found are opened, exactly as they stand.',
    operator: 'the taint rule refused a URL of the model',
  },
  'fetch-address-refused': {
    retry: false,
    person: (f) => `${f.host} is not on the public internet (a private, local or reserved address), so it is not opened.`,
    operator: 'a private, local or reserved address was refused; HEKTOR_FETCH_ALLOW permits one',
  },
  'fetch-unreachable': {
    retry: true,
    person: (f) => `${f.host} could not be reached: ${f.problem}.`,
    operator: 'a web server could not be reached',
  },
  'fetch-timeout': {
    retry: true,
    person: (f) => `${f.host} did not answer in full within ${seconds(f.seconds)}.`,
    operator: 'a web server was too slow',
  },
  'fetch-redirects': {
    retry: false,
    person: (f) => `That address leads on and on: more than ${f.limit} redirects.`,
    operator: 'too many redirects',
  },
  'fetch-too-large': {
    retry: false,
    person: (f) => `What stands there is too large: I read up to ${bytes(f.limit)} of its kind.`,
    operator: 'a body over its cap',
  },
  'fetch-wrong-type': {
    retry: false,
    person: (f) => `What stands there is not something I can read (${f.type === '' ? 'of no stated type' : f.type}).`,
    operator: 'a media type that is not read',
  },
  'delivery-refused': { retry: false, person: () => 'The platform refused my message.', operator: 'the platform refused a message' },
  'delivery-unknown': {
    retry: true,
    person: () => 'I do not know whether my message arrived.',
    operator: 'the outcome of a send is unknown',
  },
  'config-invalid': { retry: false, person: () => 'The bot is not set up correctly.', operator: 'the configuration has problems' },
};

// One row is looked up by the failure's own code, so the pair always fits; TypeScript cannot follow that correlation by itself.
const rowOf = <C extends FailureCode>(f: FailureOf<C>): Row<C> => catalogue[f.code];

/** Every code there is. */
export const failureCodes: readonly string[] = Object.keys(catalogue);
/** Whether trying the same thing again can help. */
export const mayRetry = (f: Failure): boolean => rowOf(f).retry;
/** The sentence for the person concerned. */
export const forPerson = (f: Failure): string => rowOf(f).person(f);
/** The sentence for the log. */
export const forOperator = (f: Failure): string => rowOf(f).operator;

/** Stored failures keep their code and the person's words; facts and detail stay in the log. */
export const storedFailureSchema = z.object({ code: z.string(), words: z.string() }).readonly();
export type StoredFailure = z.infer<typeof storedFailureSchema>;
export const toStoredFailure = (f: Failure): StoredFailure => ({ code: f.code, words: forPerson(f) });
