/**
 * What the listening half says itself: that something was refused, what a command answers, a greeting. A worker never talks to the
 * gateway, so this goes to Slack by the same Web API, and looks the same as an answer.
 */
import type { Failure } from '../../../src/core/failure.ts';
import { forOperator, forPerson } from '../../../src/core/failure.ts';
import type { Result } from '../../../src/core/result.ts';
import type { CommandAnswer } from '../../../src/ports/adapter.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Log } from '../../../src/ports/log.ts';
import { attempt, retryAfterOf, slackError } from '../api/client.ts';
import type { Clients, SlackClient } from '../api/client.ts';
import type { Installed } from '../decode/decode-envelope.ts';
import type { OutMessage } from '../encode.ts';
import { toEphemeralArgs, toPostArgs, toResponse } from '../encode.ts';
import { isSlackHost } from './download.ts';
import { messagesForSlack } from '../markdown/markdown.ts';

/** To whom, and where they are. `thread` '': the channel itself. `responseUrl`: Slack's address for an answer to what they did; '' for none. */
export type To = {
  readonly by: Installed;
  readonly user: string;
  readonly channel: string;
  readonly thread: string;
  readonly responseUrl: string;
};

export type Tell = {
  /** Says something to this person alone, where they are; as a direct message where that is not possible. Never rejects. */
  readonly privately: (to: To, markdown: string) => Promise<void>;
  /** Says why something did not work, to this person alone. */
  readonly failure: (to: To, why: Failure) => Promise<void>;
  /** What a command answered: to everybody in the thread, or to this person alone. */
  readonly answer: (to: To, answer: CommandAnswer) => Promise<void>;
  /** Posts a message and resolves with its `ts`. */
  readonly post: (client: SlackClient, channel: string, thread: string, message: OutMessage) => Promise<Result<string, Failure>>;
  /** Takes a message of ours back. */
  readonly unpost: (client: SlackClient, channel: string, ts: string) => Promise<void>;
  /** The channel of the direct conversation with a person. */
  readonly directChannel: (client: SlackClient, user: string) => Promise<Result<string, Failure>>;
};

/** Nothing here is worth more patience; what waits longer is told too late to be of use. */
const MAX_WAIT_S = 15;

export const createTell = (deps: {
  readonly clients: Clients;
  readonly apiUrl: string;
  readonly log: Log;
  readonly clock: Clock;
}): Tell => {
  /** Once more after a rate limit: a call that was limited was not made. */
  const patiently = async <T>(call: () => Promise<T>): Promise<Result<T, Failure>> => {
    const first = await attempt(call);
    const wait = first.ok ? null : retryAfterOf(first.failure);
    if (wait === null || wait > MAX_WAIT_S) return first;
    await deps.clock.sleep(wait * 1000);
    return attempt(call);
  };
  const post: Tell['post'] = async (client, channel, thread, message) => {
    const args = toPostArgs({ workspace: '', channel, thread }, message, null);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Slack’s method, not a window’s
    const posted = await patiently(() => client.web.chat.postMessage({ ...args, blocks: [...message.blocks] }));
    return posted.ok ? { ok: true, value: posted.value.ts ?? '' } : posted;
  };
  const directChannel: Tell['directChannel'] = async (client, user) => {
    const opened = await patiently(() => client.web.conversations.open({ users: user }));
    return opened.ok ? { ok: true, value: opened.value.channel?.id ?? '' } : opened;
  };
  const directly = async (client: SlackClient, user: string, message: OutMessage): Promise<Result<unknown, Failure>> => {
    const direct = await directChannel(client, user);
    return direct.ok ? post(client, direct.value, '', message) : direct;
  };
  const respond = async (url: string, message: OutMessage, everybody: boolean): Promise<boolean> => {
    // The address came in a signed delivery; it is checked all the same, for people's words go there.
    if (url === '' || !isResponseHost(url, deps.apiUrl)) return false;
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'error',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(toResponse(message, everybody)),
        signal: AbortSignal.timeout(15_000),
      });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    }
  };
  const alone = async (client: SlackClient, to: To, message: OutMessage): Promise<void> => {
    if (await respond(to.responseUrl, message, false)) return;
    const args = toEphemeralArgs({ workspace: to.by.workspace, channel: to.channel, thread: to.thread }, to.user, message);
    const shown =
      to.channel === '' ? undefined : await patiently(() => client.web.chat.postEphemeral({ ...args, blocks: [...message.blocks] }));
    if (shown?.ok === true) return;
    const sent = await directly(client, to.user, message);
    if (!sent.ok) deps.log.warn({ detail: sent.failure.detail, first: shown?.failure.detail }, 'a person could not be told something');
  };
  const withClient = async (to: To, work: (client: SlackClient) => Promise<void>): Promise<void> => {
    const client = await deps.clients.of(to.by.workspace, to.by.team);
    if (client.ok) return work(client.value);
    deps.log.warn({ detail: client.failure.detail }, 'nobody can be told anything: there is no token');
  };
  const privately: Tell['privately'] = (to, markdown) =>
    withClient(to, async (client) => {
      for (const message of messagesForSlack(markdown).messages) await alone(client, to, message);
    });
  const upload = async (client: SlackClient, to: To, files: CommandAnswer['files'], alone: boolean): Promise<void> => {
    // A private file cannot be shown to one person in a channel: it goes to their direct messages.
    const direct = alone ? await directChannel(client, to.user) : undefined;
    const where =
      direct?.ok === true
        ? { channel_id: direct.value }
        : { channel_id: to.channel, ...(isThread(to.thread) ? { thread_ts: to.thread } : {}) };
    const [first, ...rest] = files.map((file) => ({ file: Buffer.from(file.content), filename: file.name, title: file.name }));
    if (first === undefined) return;
    const sent = await patiently(() => client.web.filesUploadV2({ ...where, file_uploads: [first, ...rest] }));
    if (sent.ok) return;
    const scope = slackError(sent.failure) === 'missing_scope' ? ' My app lacks the scope `files:write`.' : '';
    deps.log.warn({ detail: sent.failure.detail }, 'a file could not be uploaded');
    await privately(to, `I could not upload ${files.map((file) => file.name).join(', ')}.${scope}`);
  };
  return {
    privately,
    failure: async (to, why) => {
      deps.log.info({ code: why.code, detail: why.detail }, forOperator(why));
      await privately(to, forPerson(why));
    },
    answer: (to, answer) =>
      withClient(to, async (client) => {
        const { messages, files } = messagesForSlack(answer.text);
        for (const message of messages) {
          if (answer.private || !isThread(to.thread)) {
            if (answer.private || !(await respond(to.responseUrl, message, true))) await alone(client, to, message);
            continue;
          }
          const posted = await post(client, to.channel, to.thread, message);
          if (posted.ok) continue;
          deps.log.warn({ detail: posted.failure.detail }, 'an answer could not be posted');
          await alone(client, to, message);
        }
        const attached = [...answer.files, ...files.map((file) => ({ ...file, type: 'text/plain' }))];
        if (attached.length > 0) await upload(client, to, attached, answer.private);
      }),
    post,
    unpost: async (client, channel, ts) => {
      const deleted = await patiently(() => client.web.chat.delete({ channel, ts }));
      if (!deleted.ok) deps.log.info({ detail: deleted.failure.detail }, 'a message of ours could not be taken back');
    },
    directChannel,
  };
};

/** Where a thread is named by something else than its root, the answer belongs in the channel's box. */
const isThread = (thread: string): boolean => /^\d+\.\d+$/.test(thread);

/** Slack answers at `hooks.slack.com`, beside its Web API. */
const isResponseHost = (url: string, apiUrl: string): boolean => isSlackHost(url, apiUrl);
