/** Works off what is in the in-tray: one payload, as Slack delivered it, on any replica. */
import type { Failure } from '../../../src/core/failure.ts';
import { eventKey } from '../../../src/core/ids.ts';
import { ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import { attempt } from '../api/client.ts';
import { decode } from '../decode.ts';
import type { Decoded, Happening } from '../decode.ts';
import { addressIn, clientFor, NO_THREAD, originOf, settle, toWriter } from './desk.ts';
import type { Desk } from './desk.ts';
import { arrival, suggestedPrompts } from './greeting.ts';
import { handleSlashed } from './handle-command.ts';
import { handleDeleted, handleEdited, handleSaid } from './handle-message.ts';
import { handleAskedAbout, handleSubmitted } from './handle-modal.ts';
import { handlePressed } from './handle-press.ts';
import { publishHome } from './home.ts';
import { installationName } from '../install/installation.ts';

type Done = Promise<Result<void, Failure>>;

export const createHandle =
  (desk: Desk) =>
  (payload: string): Done =>
    handle(desk, decode(JSON.parse(payload)));

const handle = (desk: Desk, decoded: Decoded): Done => {
  switch (decoded.kind) {
    case 'said':
      return handleSaid(desk, decoded);
    case 'edited':
      return handleEdited(desk, decoded);
    case 'deleted':
      return handleDeleted(desk, decoded);
    case 'slashed':
      return handleSlashed(desk, decoded);
    case 'pressed':
      return handlePressed(desk, decoded);
    case 'asked-about':
      return handleAskedAbout(desk, decoded);
    case 'submitted':
      return handleSubmitted(desk, decoded);
    case 'new-chat':
    case 'ignored':
      return Promise.resolve(ok(undefined));
    case 'home-opened':
    case 'panel-opened':
    case 'session-stopped':
    case 'joined':
    case 'channel-gone':
    case 'channel-moved':
    case 'uninstalled':
      return handleHappening(desk, decoded);
    default:
      return decoded satisfies never;
  }
};

const handleHappening = async (desk: Desk, happening: Happening): Done => {
  const { by } = happening;
  switch (happening.kind) {
    case 'home-opened':
      return publishHome(desk, by, happening.user);
    case 'panel-opened':
      return suggest(desk, happening);
    case 'session-stopped':
      return stopSession(desk, happening);
    case 'joined':
      return arrive(desk, happening);
    case 'channel-gone': {
      const purged = await desk.gateway.purge({ platform: 'slack', workspace: by.workspace, channel: happening.channel });
      return purged.ok ? ok(undefined) : purged;
    }
    case 'channel-moved':
      return desk.gateway.moveSettings(addressIn(by, happening.channel, NO_THREAD), addressIn(by, happening.to, NO_THREAD));
    case 'uninstalled':
      return leave(desk, by.workspace);
    default:
      return happening satisfies never;
  }
};

/** The stop button of Slack's own panel: the command of that name, by whoever pressed it. */
const stopSession = async (desk: Desk, { by, user, channel, root, at }: Happening & { kind: 'session-stopped' }): Done => {
  const client = await clientFor(desk, by);
  if (!client.ok) return client;
  const names = await desk.people.names(by.workspace, client.value.client, [user]);
  const place = { channel, ts: root, root, threaded: true };
  const accepted = await desk.gateway.accept({
    kind: 'command',
    address: addressIn(by, channel, root),
    key: eventKey(`session-stopped:${at}`),
    author: { id: user, name: names.get(user) ?? user },
    standing: 'member',
    name: 'stop',
    args: '',
    origin: originOf({ by, user, userTeam: by.team }, place),
  });
  return accepted.ok ? ok(undefined) : settle(desk, toWriter({ by, user }, place), accepted.failure);
};

/** The older form of the panel shows what may be asked; newer ones have it from the manifest. Without it nothing is lost. */
const suggest = async (desk: Desk, { by, channel, root }: Happening & { kind: 'panel-opened' }): Done => {
  const at = await clientFor(desk, by);
  if (!at.ok) return at;
  const [first, ...rest] = suggestedPrompts;
  await attempt(() =>
    at.value.client.web.assistant.threads.setSuggestedPrompts({ channel_id: channel, thread_ts: root, prompts: [first, ...rest] }),
  );
  return ok(undefined);
};

/** Says hello once in a channel, however often the bot leaves and comes back. */
const arrive = async (desk: Desk, { by, channel }: Happening & { kind: 'joined' }): Done => {
  const at = await clientFor(desk, by);
  if (!at.ok) return at;
  const mine = desk.clock.newId();
  const claimed = await desk.shared.claim(`greeted/${by.workspace}/${channel}`, mine, null);
  if (!claimed.ok) return claimed;
  if (claimed.value !== mine) return ok(undefined);
  const posted = await desk.tell.post(at.value.client, channel, '', arrival(desk.config.command));
  if (!posted.ok) desk.log.info({ detail: posted.failure.detail }, 'a channel could not be greeted');
  return ok(undefined);
};

/** The app was taken out of a workspace: everything of it goes, and its token last, so that a broken attempt is made again. */
const leave = async (desk: Desk, workspace: string): Done => {
  const purged = await desk.gateway.purge({ platform: 'slack', workspace, channel: null });
  if (!purged.ok) return purged;
  desk.clients.forget(workspace);
  desk.log.info({ workspace, conversations: purged.value }, 'the app was removed from a Slack workspace; what was stored of it is erased');
  return desk.config.credentials.kind === 'oauth' ? desk.secrets.remove(installationName(workspace)) : ok(undefined);
};
