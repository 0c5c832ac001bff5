/** Where what the bot says goes. Types, and what can be told from an event's origin alone. Pure. */
import type { Post } from '../../../src/core/outbound.ts';
import { INTERACTION_MS } from '../limits.ts';
import type { TokenRef } from '../rest/calls.ts';

export type Origin = { readonly [key: string]: string };

/** A message of the bot's. */
export type Ref = { readonly channel: string; readonly id: string };
/** As notes keep it. */
export const encodeRef = ({ channel, id }: Ref): string => `${channel}:${id}`;
export const decodeRef = (text: string): Ref => {
  const [channel = '', id = ''] = text.split(':');
  return { channel, id };
};
const EPOCH = 1_420_070_400_000n;
/** When a message was written: its id tells. */
export const timeOfRef = ({ id }: Ref): number => (/^\d+$/.test(id) ? Number((BigInt(id) >> 22n) + EPOCH) : 0);

/** An interaction through whose token something can still be said. */
export type Token = TokenRef & {
  readonly interaction: string;
  /** `fill`: its deferred first answer waits for words; `remove`: it waits, and the words must not go there; `none`: it was given. */
  readonly first: 'fill' | 'remove' | 'none';
  /** What is said by it is for this person alone. */
  readonly hidden: boolean;
  /** When it ends; milliseconds. */
  readonly until: number;
};

export type Target = {
  /** The channel or thread that messages go to. */
  readonly channel: string;
  /** Where they go if the thread does not take them; the same as `channel` outside of threads. */
  readonly parent: string;
  readonly direct: boolean;
  /** The message that the first part replies to; '' for none. */
  readonly reply: string;
  /** The message to reply to in `parent`. */
  readonly question: string;
  /** The session of this conversation, which messages outside of its own thread are noted to belong to. */
  readonly session: string;
  /** Who asked; '' where nobody is known. */
  readonly user: string;
  readonly token: Token | null;
  /** The bot can write here; otherwise all it has is the token. */
  readonly member: boolean;
};

/** Whether a message in this channel can be told to be of the session only by a fact. */
export const needsRoot = (target: Target, channel: string): boolean =>
  target.session !== '' && (target.direct || !target.member || channel === target.parent);

export const alive = (token: Token | null, now: number): token is Token => token !== null && now < token.until;

/** The token of an origin; null where it has none or its time is over. `post`: what is said; null for what is shown of a running turn. */
export const tokenOf = (origin: Origin, post: Pick<Post, 'kind' | 'privateTo'> | null, now: number): Token | null => {
  const { interaction = '', application = '', token = '', at = '', answered = '', member = '' } = origin;
  const until = Number(at) + INTERACTION_MS;
  if (interaction === '' || application === '' || token === '' || !(now < until)) return null;
  const alone = (post?.privateTo ?? null) !== null;
  const first = firstOf(answered, post?.kind ?? 'answer', alone);
  // Where the bot is no member it has nothing else; elsewhere a press is answered by ordinary messages.
  const use = first !== 'none' || alone || member === 'no';
  return use ? { interaction, application, token, first, until, hidden: alone || (answered === 'private' && first === 'fill') } : null;
};

const firstOf = (answered: string, kind: Post['kind'], alone: boolean): Token['first'] => {
  // What was begun for all cannot become private, and what was begun for one is no place for an answer to everybody.
  if (answered === 'public') return alone ? 'remove' : 'fill';
  if (answered === 'private') return alone || kind === 'command' ? 'fill' : 'remove';
  return 'none';
};
