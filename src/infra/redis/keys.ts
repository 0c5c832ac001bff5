/**
 * Every key that Hektor itself keeps in Redis (BullMQ keeps its own under `{hektor}:turns:*`).
 *
 * What belongs to one conversation has the hash tag `{c:<id>}`, so that one script may touch all of it on a Redis Cluster. What is about all
 * conversations has the tag `{hektor}`. No script touches both. A conversation id is percent-encoded, so it holds no brace.
 *
 * | key                                | type        | holds                                                               |
 * |------------------------------------|-------------|---------------------------------------------------------------------|
 * | `{c:<id>}:mailbox`                 | list        | event keys of accepted items, oldest first                          |
 * | `{c:<id>}:items`                   | hash        | event key -> mailbox item                                           |
 * | `{c:<id>}:seen`                    | sorted set  | event keys ever accepted, by time; a week                           |
 * | `{c:<id>}:attempts`                | hash        | event key -> failed attempts                                        |
 * | `{c:<id>}:fence`                   | number      | the newest claim; a month                                           |
 * | `{c:<id>}:session`                 | string      | the session record                                                  |
 * | `{c:<id>}:entries`                 | list        | entries, append-only                                                |
 * | `{c:<id>}:journal`                 | list        | writes of the running turn's events                                 |
 * | `{c:<id>}:outbox`                  | list        | keys of posts that are not confirmed, in order                      |
 * | `{c:<id>}:posts`                   | hash        | post key -> post                                                    |
 * | `{c:<id>}:committed`               | string      | name of the last commit                                             |
 * | `{c:<id>}:stop`                    | string      | the newest stop request, ten seconds; also its pub/sub channel      |
 * | `{c:<id>}:once`                    | hash        | what was done once and is not to be done again (a hint), by time    |
 * | `{c:<id>}:withdrawn`               | string      | first journal write of a turn whose message was edited or deleted   |
 * | `{c:<id>}:aside`                   | hash        | event key -> mailbox item that could not be read                    |
 * | `{c:<id>}:ratings`                 | list        | what people thought of answers; the newest 200                      |
 * | `{c:<id>}:blobs`                   | set         | ids of the conversation's blobs                                     |
 * | `{c:<id>}:blob:<blob id>`          | string      | one blob's bytes; a week after its last use                         |
 * | `{c:<id>}:notes`                   | hash        | an adapter's notes; a month after the last one was written          |
 * | `{hektor}:pending`                 | sorted set  | conversations with something to do, by the time it came             |
 * | `{hektor}:announced:<id>`          | sorted set  | announcements of messages (see scripts/pending.ts), by time         |
 * | `{hektor}:recent:<platform>:<ws>`  | sorted set  | conversations of a workspace, by last activity; the newest 1,000    |
 * | `{hektor}:all:<platform>:<ws>`     | sorted set  | every conversation of a workspace, by last activity                 |
 * | `{hektor}:channels:<platform>:<ws>`| hash        | channel -> its settings                                             |
 * | `{hektor}:active`                  | sorted set  | every conversation, by last activity                                |
 * | `{hektor}:installation`            | string      | id of the installation (one Redis is one)                           |
 * | `{hektor}:worker:<worker id>`      | string      | that worker is alive; half a minute after its last sign             |
 * | `{hektor}:secrets`                 | hash        | secrets of installations, sealed                                    |
 * | `{hektor}:lock:<name>`             | string      | who does that now; half a minute after its last sign                |
 * | `{hektor}:fact:<adapter>:<name>`   | string      | what the processes of an adapter share                              |
 * | `{i:<adapter>}:seen`               | sorted set  | ids of deliveries, by time; a day                                   |
 * | `{i:<adapter>}:serials`            | number      | the newest serial number of an item                                 |
 * | `{i:<adapter>}:queue`              | sorted set  | places of waiting items (see scripts/inbox.ts)                      |
 * | `{i:<adapter>}:items`              | hash        | place -> item                                                       |
 * | `{i:<adapter>}:tries`              | hash        | place -> failed attempts, times taken since                         |
 * | `{i:<adapter>}:lanes`              | sorted set  | lanes with items, by when one may be taken; also a pub/sub channel  |
 * | `{i:<adapter>}:owners`             | hash        | lane -> token of its holder                                         |
 * | `{i:<adapter>}:dead`               | list        | items that were given up, newest first; 1,000                       |
 * | `{t:<topic>}:events`               | stream      | what was shown on a topic; an hour. Also its pub/sub channel        |
 * | `{b:<platform>:<ws>}:day:<scope>`   | hash        | what was used in a day by a person, a channel, the workspace: tokens, micro-dollars, by model; two days |
 * | `{b:<platform>:<ws>}:held:<scope>`  | sorted set  | estimates of requests that run, by their end                        |
 * | `{b:<platform>:<ws>}:minute:<scope>`| sorted set  | messages of a person or channel in the last minute, by time         |
 * | `{b:<platform>:<ws>}:settled`       | sorted set  | requests that were settled in the last ten minutes, by time         |
 */
import type { Scope, Spender } from '../../core/budget.ts';
import type { Address, BlobId, ConversationId } from '../../core/ids.ts';

export const conversationKeys = (conversation: ConversationId) => {
  const key = (name: string): string => `{c:${conversation}}:${name}`;
  return {
    mailbox: key('mailbox'),
    items: key('items'),
    seen: key('seen'),
    attempts: key('attempts'),
    fence: key('fence'),
    session: key('session'),
    entries: key('entries'),
    journal: key('journal'),
    outbox: key('outbox'),
    posts: key('posts'),
    committed: key('committed'),
    stop: key('stop'),
    notes: key('notes'),
    once: key('once'),
    withdrawn: key('withdrawn'),
    aside: key('aside'),
    ratings: key('ratings'),
  } as const;
};

export const blobKeys = (conversation: ConversationId) => ({
  index: `{c:${conversation}}:blobs`,
  blob: (id: BlobId): string => `{c:${conversation}}:blob:${id}`,
});

export const activeKey = '{hektor}:active';
export const pendingKey = '{hektor}:pending';
export const announcedKey = (conversation: ConversationId): string => `{hektor}:announced:${conversation}`;
export const recentKey = (of: Pick<Address, 'platform' | 'workspace'>): string =>
  `{hektor}:recent:${encodeURIComponent(of.platform)}:${encodeURIComponent(of.workspace)}`;

export const allKey = (of: Pick<Address, 'platform' | 'workspace'>): string =>
  `{hektor}:all:${encodeURIComponent(of.platform)}:${encodeURIComponent(of.workspace)}`;
export const channelsKey = (of: Pick<Address, 'platform' | 'workspace'>): string =>
  `{hektor}:channels:${encodeURIComponent(of.platform)}:${encodeURIComponent(of.workspace)}`;

export const installationKey = '{hektor}:installation';
export const workerKey = (workerId: string): string => `{hektor}:worker:${workerId}`;

export const secretsKey = '{hektor}:secrets';
export const lockKey = (name: string): string => `{hektor}:lock:${name}`;
export const factKey = (adapter: string, name: string): string => `{hektor}:fact:${encodeURIComponent(adapter)}:${name}`;

export const inboxKeys = (adapter: string) => {
  const key = (name: string): string => `{i:${encodeURIComponent(adapter)}}:${name}`;
  return {
    seen: key('seen'),
    serials: key('serials'),
    queue: key('queue'),
    items: key('items'),
    tries: key('tries'),
    lanes: key('lanes'),
    owners: key('owners'),
    dead: key('dead'),
  } as const;
};

export const topicKey = (topic: string): string => `{t:${encodeURIComponent(topic)}}:events`;

export const budgetKeys = ({ platform, workspace, channel, person }: Spender, today: string) => {
  const tag = `{b:${encodeURIComponent(platform)}:${encodeURIComponent(workspace)}}`;
  const id: { readonly [S in Scope]: string } = { workspace: '', channel: encodeURIComponent(channel), person: encodeURIComponent(person) };
  return {
    day: (scope: Scope): string => `${tag}:day:${today}:${scope}:${id[scope]}`,
    held: (scope: Scope): string => `${tag}:held:${scope}:${id[scope]}`,
    minute: (scope: Scope): string => `${tag}:minute:${scope}:${id[scope]}`,
    settled: `${tag}:settled`,
  } as const;
};
