/** Slash commands -> the gateway. What opens a thread begins with a message of ours, since a command leaves none in the channel. */
import { codeIn } from '../../../src/core/addressing.ts';
import type { Failure } from '../../../src/core/failure.ts';
import { eventKey } from '../../../src/core/ids.ts';
import { codeBlock, plainWords } from '../../../src/core/markdown-text.ts';
import type { Person } from '../../../src/core/message.ts';
import { ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import { onlyInThreads, readSlash } from '../commands.ts';
import { slackError } from '../api/client.ts';
import type { SlackClient } from '../api/client.ts';
import type { Slashed } from '../decode/decode-interaction.ts';
import { readText, usersIn } from '../decode/decode-text.ts';
import { addressIn, clientFor, NO_THREAD, namesOf, originOf, settle, standingOf } from './desk.ts';
import type { Desk } from './desk.ts';
import type { OutMessage } from '../encode.ts';
import { oneMessage } from './greeting.ts';
import { messagesForSlack } from '../markdown/markdown.ts';
import type { To } from './tell.ts';

type Done = Promise<Result<void, Failure>>;

export const handleSlashed = async (desk: Desk, slashed: Slashed): Done => {
  const to: To = { by: slashed.by, user: slashed.user, channel: slashed.channel, thread: '', responseUrl: slashed.responseUrl };
  const call = readSlash(slashed.command, slashed.raw, desk.config.command, desk.gateway.commands);
  // The modal was opened when the command was acknowledged.
  if (call.kind === 'settings') return ok(undefined);
  if (call.kind === 'in-thread') {
    await desk.tell.privately(to, onlyInThreads(desk.config.command, call, slashed.direct));
    return ok(undefined);
  }
  const at = await clientFor(desk, slashed.by);
  if (!at.ok) return settle(desk, to, at.failure);
  const { client } = at.value;
  const known = await desk.people.names(slashed.by.workspace, client, [slashed.user, ...usersIn(call.args)]);
  const args = readText(call.args, namesOf(known));
  const author: Person = { id: slashed.user, name: known.get(slashed.user) ?? (slashed.name || slashed.user) };
  const key = eventKey(`command:${slashed.trigger}`);
  const command = { kind: 'command', key, author, standing: standingOf(slashed), name: call.name, args } as const;
  if (call.kind === 'thread' && args.trim() !== '') {
    // Asked before anything is posted for all to see: who may not even read here opens no thread.
    const may = await desk.gateway.accept({
      ...command,
      name: 'help',
      args: '',
      address: addressIn(slashed.by, slashed.channel, NO_THREAD),
      origin: {},
    });
    if (!may.ok) return settle(desk, to, may.failure);
    const who = `**${plainWords(author.name)}**`;
    const root = await openRoot(
      desk,
      client,
      slashed,
      call.name === 'py' ? rootOfRun(`${who} runs:`, args) : rootMessage(`${who} asks:`, args),
    );
    if (!root.ok) {
      await desk.tell.privately(to, notThere(root.failure, args));
      return ok(undefined);
    }
    const place = { channel: slashed.channel, ts: root.value, root: root.value, threaded: false };
    const accepted = await desk.gateway.accept({
      ...command,
      address: addressIn(slashed.by, slashed.channel, root.value),
      origin: originOf(slashed, place),
    });
    if (accepted.ok) return ok(undefined);
    const settled = await settle(desk, to, accepted.failure);
    if (settled.ok) await desk.tell.unpost(client, slashed.channel, root.value);
    return settled;
  }
  const accepted = await desk.gateway.accept({
    ...command,
    address: addressIn(slashed.by, slashed.channel, NO_THREAD),
    origin: originOf(slashed, { channel: slashed.channel, ts: '', root: '', threaded: false }, { response_url: slashed.responseUrl }),
  });
  if (!accepted.ok) return settle(desk, to, accepted.failure);
  if (accepted.value.answer !== null) await desk.tell.answer(to, accepted.value.answer);
  return ok(undefined);
};

/** The message that a thread begins with: who asked what. Posted once, also where the command is worked off twice. */
const openRoot = async (desk: Desk, client: SlackClient, slashed: Slashed, message: OutMessage): Promise<Result<string, Failure>> => {
  const fact = `root/${slashed.by.workspace}/${slashed.trigger}`;
  const before = await desk.shared.get(fact);
  if (before.ok && before.value !== null) return ok(before.value);
  const posted = await desk.tell.post(client, slashed.channel, '', message);
  if (posted.ok) await desk.shared.set(fact, posted.value, 24 * 60 * 60_000);
  return posted;
};

/** Who asked what, quoted, as one message: what does not fit is in the question itself, which is asked whole. */
export const rootMessage = (lead: string, words: string): OutMessage => {
  const quoted = words
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
  const { messages } = messagesForSlack(`${lead}\n\n${quoted}`);
  return messages[0] ?? oneMessage(lead);
};

/** Who runs what: code as code. */
const rootOfRun = (lead: string, args: string): OutMessage =>
  messagesForSlack(`${lead}\n\n${codeBlock(codeIn(args), 'python')}`).messages[0] ?? oneMessage(lead);

/** Why nothing could be posted where somebody asked, and what to do about it. The question stands in it, so that it is not lost. */
const notThere = (why: Failure, words: string): string => {
  const again = `You asked:\n\n${words.slice(0, 1_500)}`;
  switch (slackError(why) ?? '') {
    case 'not_in_channel':
    case 'channel_not_found':
      return `I am not a member of this conversation, so I cannot answer in it. Invite me with \`/invite\` and my name, or write to me directly. ${again}`;
    case 'is_archived':
      return `This channel is archived. Write to me directly. ${again}`;
    case 'missing_scope':
      return `My app lacks the scope \`chat:write\`; an administrator can add it under OAuth & Permissions and install the app again. ${again}`;
    default:
      return `Slack did not let me write here. Please try again in a moment. ${again}`;
  }
};
