/** Routes of webhooks: those of channels, and those that an interaction's token opens. */
import { MessageFlags as F, MessageType } from '../numbers.ts';
import { numberIn, textIn } from '../json.ts';
import { allowedOf, defaultAllowed, readAllowed } from '../mentions.ts';
import { isEmpty, readMessageForm } from '../message-form.ts';
import type { Channel, Interaction, Message } from '../model.ts';
import { may, P } from '../permissions.ts';
import type { Request } from '../request.ts';
import { refused } from '../rest-fault.ts';
import { messageShape } from '../shapes.ts';
import { botIsIn, channelAt, messageAt } from '../world.ts';
import { applyEdit, checkAutoMod } from '../write-message.ts';
import { route } from './route.ts';

/** Follow-ups that an application may send where it is no member. */
const FOLLOW_UPS_OUTSIDE = 5;

/** Without USE_EXTERNAL_APPS what a person's own application says is seen by that person alone. */
const forcedEphemeral = ({ world }: Request, one: Interaction, channel: Channel): boolean =>
  one.byUserInstall && channel.guild !== null && !may(world, channel, one.user, P.UseExternalApps);

/** Writes an answer to an interaction; `loading` for the place-holder of a deferral. */
export const answerMessage = (request: Request, one: Interaction, channel: Channel, loading = false): Message => {
  const { world, body, posting } = request;
  const asked = numberIn(body, 'flags');
  const ephemeral = (asked & F.Ephemeral) !== 0 || forcedEphemeral(request, one, channel);
  const form = readMessageForm(world, { body, files: request.files, channel, ephemeral });
  if (!loading && isEmpty(form, form.newFiles.length, 0)) throw refused(50006);
  checkAutoMod(world, channel, form.content ?? '');
  const allowed = readAllowed(body) ?? defaultAllowed(true);
  return posting.post({
    channel,
    author: world.app.id,
    type: one.type === 2 ? MessageType.ChatInputCommand : MessageType.Reply,
    content: form.content ?? '',
    attachments: form.newFiles,
    embeds: form.embeds ?? [],
    components: form.components ?? [],
    flags: (asked & (F.SuppressEmbeds | F.IsComponentsV2)) | (ephemeral ? F.Ephemeral : 0) | (loading ? F.Loading : 0),
    mentions: allowedOf(world, form.content ?? '', { author: world.app.id, channel, allowed }),
    webhook: world.app.id,
    interaction: one.id,
    onlyFor: ephemeral ? one.user : null,
  });
};

/** The interaction of a token in the path; it must have been answered, and not long ago. */
const byToken = ({ world, interactions, params }: Request): Interaction | null => {
  if (params['webhook'] !== world.app.id) return null;
  const found = [...world.interactions.values()].find((one) => one.token === params['token']);
  if (found === undefined || !interactions.alive(found)) throw refused(50027);
  if (found.answered === null) throw refused(10015);
  return found;
};

const channelWebhook = ({ world, params }: Request) => {
  const found = world.webhooks.get(params['webhook'] ?? '');
  if (found === undefined) throw refused(10015);
  if (found.token !== params['token']) throw refused(50027);
  return found;
};

const originalOf = ({ world }: Request, one: Interaction): Message => {
  const found = one.original === null ? undefined : world.messages.get(one.original);
  if (found === undefined || found.deleted) throw refused(10008);
  return found;
};

const settleLoading = (request: Request, channel: Channel, message: Message): Message => {
  const edited = applyEdit(request, channel, message, true);
  if ((edited.flags & F.Loading) !== 0) {
    edited.flags &= ~F.Loading;
    edited.editedAt = null;
    request.events.messageUpdated(edited);
  }
  return edited;
};

const send = (request: Request): unknown => {
  const { world, body, posting, query } = request;
  const one = byToken(request);
  if (one !== null) {
    const channel = channelAt(world, one.channel);
    if (channel === null) throw refused(10003);
    const awaited = one.deferred && one.original !== null ? world.messages.get(one.original) : undefined;
    // One that was deleted is awaited no more: what follows is a message of its own.
    if (awaited !== undefined && !awaited.deleted && (awaited.flags & F.Loading) !== 0) {
      one.deferred = false;
      return messageShape(world, settleLoading(request, channel, originalOf(request, one)));
    }
    if (one.byUserInstall && one.followUps >= FOLLOW_UPS_OUTSIDE) throw refused(40094);
    const message = answerMessage(request, one, channel);
    one.followUps += 1;
    return messageShape(world, message);
  }
  const hook = channelWebhook(request);
  const channel = channelAt(world, query.get('thread_id') ?? hook.channel);
  if (channel === null || (channel.id !== hook.channel && channel.parent !== hook.channel)) throw refused(10003);
  const form = readMessageForm(world, { body, files: request.files, channel });
  if (isEmpty(form, form.newFiles.length, 0)) throw refused(50006);
  const allowed = readAllowed(body) ?? defaultAllowed(false);
  const message = posting.post({
    channel,
    author: hook.creator,
    content: form.content ?? '',
    attachments: form.newFiles,
    embeds: form.embeds ?? [],
    components: form.components ?? [],
    flags: numberIn(body, 'flags') & (F.SuppressEmbeds | F.SuppressNotifications),
    mentions: allowedOf(world, form.content ?? '', { author: hook.creator, channel, allowed }),
    webhook: hook.id,
    webhookName: textIn(body, 'username') || hook.name,
  });
  return query.get('wait') === 'true' ? messageShape(world, message) : undefined;
};

/** The message of the path, if it is one that the token wrote. */
const messageFor = (request: Request): { readonly message: Message; readonly channel: Channel } => {
  const { world, params } = request;
  const one = byToken(request);
  const id = params['message'] ?? '';
  if (one !== null) {
    const channel = channelAt(world, one.channel);
    if (channel === null) throw refused(10003);
    const message = id === '@original' ? originalOf(request, one) : messageAt(world, channel.id, id);
    if (message === null || (message.interaction !== one.id && message.id !== one.source)) throw refused(10008);
    return { message, channel };
  }
  const hook = channelWebhook(request);
  const message = world.messages.get(id);
  const channel = message === undefined ? null : channelAt(world, message.channel);
  if (message === undefined || message.deleted || channel === null || message.webhook !== hook.id) throw refused(10008);
  return { message, channel };
};

const ONE = '/webhooks/:webhook/:token/messages/:message';
const OPEN = { auth: false, major: ['webhook', 'token'], limit: 5, windowMs: 2000 };

export const webhookRoutes = [
  route(
    'GET',
    '/webhooks/:webhook/:token',
    (request) => {
      const hook = channelWebhook(request);
      return { id: hook.id, type: 1, channel_id: hook.channel, name: hook.name, token: hook.token, avatar: null, application_id: null };
    },
    { auth: false },
  ),
  route('POST', '/webhooks/:webhook/:token', send, OPEN),
  route('GET', ONE, (request) => messageShape(request.world, messageFor(request).message), OPEN),
  route(
    'PATCH',
    ONE,
    (request) => {
      const { message, channel } = messageFor(request);
      if (channel.thread?.archived === true && !botIsIn(request.world, channel)) throw refused(50083);
      return messageShape(request.world, settleLoading(request, channel, message));
    },
    OPEN,
  ),
  route(
    'DELETE',
    ONE,
    (request) => {
      request.posting.remove([messageFor(request).message]);
      return undefined;
    },
    OPEN,
  ),
];
