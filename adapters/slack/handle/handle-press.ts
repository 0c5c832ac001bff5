/** A pressed button -> the gateway. Who pressed is checked by its gate, as for everything else. */
import { asPrompted } from '../../../src/core/addressing.ts';
import type { Failure } from '../../../src/core/failure.ts';
import { failure } from '../../../src/core/failure.ts';
import { eventKey } from '../../../src/core/ids.ts';
import type { Person } from '../../../src/core/message.ts';
import { codeInAnswer } from '../../../src/core/posted-code.ts';
import { ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import type { SlackClient } from '../api/client.ts';
import type { Pressed } from '../decode/decode-interaction.ts';
import type { Place } from '../decode/decode-message.ts';
import { addressIn, clientFor, conversationIn, originOf, settle, standingOf, toWriter } from './desk.ts';
import type { Desk } from './desk.ts';

type Done = Promise<Result<void, Failure>>;
/** Who did something by a button or a modal. */
export type Who = Pick<Pressed, 'by' | 'user' | 'name' | 'userTeam' | 'outsider'>;

/** The person, by the name that Slack knows. */
export const personOf = async (desk: Desk, client: SlackClient, who: Who): Promise<Person> => {
  const known = await desk.people.names(who.by.workspace, client, [who.user]);
  return { id: who.user, name: known.get(who.user) ?? (who.name || who.user) };
};

export const handlePressed = async (desk: Desk, pressed: Pressed): Done => {
  const { press, place } = pressed;
  if (press.kind === 'link' || press.kind === 'open' || place === null) return ok(undefined);
  const at = await clientFor(desk, pressed.by);
  if (!at.ok) return { ok: false, failure: at.failure };
  const to = { ...toWriter(pressed, place), thread: place.root };
  const common = {
    address: addressIn(pressed.by, place.channel, place.root),
    key: eventKey(`press:${pressed.user}:${pressed.at}`),
    author: await personOf(desk, at.value.client, pressed),
    standing: standingOf(pressed),
    origin: originOf(pressed, { ...place, threaded: true }),
  };
  if (press.kind === 'command') {
    const accepted = await desk.gateway.accept({ kind: 'command', ...common, name: press.name, args: press.args });
    if (!accepted.ok) return settle(desk, to, accepted.failure);
    // What the press brings about is seen by all; its receipt is for who pressed.
    if (accepted.value.answer !== null) await desk.tell.answer(to, { ...accepted.value.answer, private: true });
    return ok(undefined);
  }
  const code = await codeOf(desk, pressed, place, press.message, press.block);
  if (!code.ok) return settle(desk, to, code.failure);
  const accepted = await desk.gateway.accept({ kind: 'message', ...common, text: asPrompted(code.value), files: [], earlier: [] });
  return accepted.ok ? ok(undefined) : settle(desk, to, accepted.failure);
};

/** The code of a Run button: out of what is stored, never out of the message as it came back from Slack. */
const codeOf = async (desk: Desk, { by }: Who, place: Place, message: string, block: number): Promise<Result<string, Failure>> => {
  const read = await desk.gateway.read(conversationIn(by, place.channel, place.root));
  if (!read.ok) return read;
  const code = codeInAnswer(read.value?.entries ?? [], message, block);
  return code === null
    ? { ok: false, failure: failure('request-malformed', { what: 'the code of that button is no longer stored' }) }
    : ok(code);
};
