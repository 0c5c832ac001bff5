/** The first answer to an interaction. */
import { InteractionType as I, InteractionResponseType as R } from '../numbers.ts';
import { checkModal } from '../components.ts';
import { listIn, numberIn, textOf } from '../json.ts';
import type { Interaction, Json } from '../model.ts';
import { objectOf } from '../request.ts';
import type { Request } from '../request.ts';
import { badChoice, badLength, invalidForm, refused } from '../rest-fault.ts';
import { messageShape } from '../shapes.ts';
import { channelAt } from '../world.ts';
import { applyEdit } from '../write-message.ts';
import { route } from './route.ts';
import { answerMessage } from './webhooks.ts';

const interactionOf = ({ world, interactions, params }: Request): Interaction => {
  const found = world.interactions.get(params['interaction'] ?? '');
  if (found === undefined || found.token !== params['token'] || interactions.over(found)) throw refused(10062);
  if (found.answered !== null) throw refused(40060);
  return found;
};

/** Which answers suit which interaction. */
const ANSWERS: Readonly<Record<number, readonly number[]>> = {
  [I.ApplicationCommand]: [R.ChannelMessageWithSource, R.DeferredChannelMessageWithSource, R.Modal, R.LaunchActivity],
  [I.MessageComponent]: [R.ChannelMessageWithSource, R.DeferredChannelMessageWithSource, R.DeferredMessageUpdate, R.UpdateMessage, R.Modal],
  [I.ApplicationCommandAutocomplete]: [R.ApplicationCommandAutocompleteResult],
  [I.ModalSubmit]: [R.ChannelMessageWithSource, R.DeferredChannelMessageWithSource, R.DeferredMessageUpdate, R.UpdateMessage],
};

const readChoices = (data: Json): readonly Json[] => {
  const choices = listIn(data, 'choices');
  const bad = choices.flatMap((one, n) => {
    const name = textOf(one['name']);
    return [
      ...(name.length < 1 || name.length > 100 ? [badLength(`data.choices.${n}.name`, 1, 100)] : []),
      ...(typeof one['value'] === 'string' && one['value'].length > 100 ? [badLength(`data.choices.${n}.value`, 1, 100)] : []),
    ];
  });
  if (choices.length > 25) bad.push(badLength('data.choices', 0, 25));
  if (bad.length > 0) throw invalidForm(...bad);
  return choices;
};

const answer = (request: Request): unknown => {
  const { world, query } = request;
  const one = interactionOf(request);
  const type = numberIn(request.body, 'type', -1);
  const allowed = ANSWERS[one.type] ?? [];
  if (!allowed.includes(type)) throw invalidForm(badChoice('type', allowed));
  const data = objectOf(request.body['data']);
  const inner: Request = { ...request, body: data };
  const channel = channelAt(world, one.channel);
  if (channel === null) throw refused(10003);
  let resource: Json | null = null;
  if (type === R.ApplicationCommandAutocompleteResult) one.choices = [...readChoices(data)];
  else if (type === R.Modal) {
    checkModal(data);
    one.modal = data;
  } else if (type === R.ChannelMessageWithSource) {
    const message = answerMessage(inner, one, channel);
    one.original = message.id;
    one.ephemeral = message.onlyFor !== null;
    resource = messageShape(world, message);
  } else if (type === R.DeferredChannelMessageWithSource) {
    one.deferred = true;
    const message = answerMessage(inner, one, channel, true);
    one.original = message.id;
    one.ephemeral = message.onlyFor !== null;
    resource = messageShape(world, message);
  } else {
    one.original = one.source;
    const source = one.source === null ? null : (world.messages.get(one.source) ?? null);
    if (type === R.UpdateMessage && source !== null) resource = messageShape(world, applyEdit(inner, channel, source, true));
  }
  one.answered = type;
  one.answeredAt = world.clock.now();
  world.changed();
  if (query.get('with_response') !== 'true') return undefined;
  return {
    interaction: {
      id: one.id,
      type: one.type,
      response_message_id: one.original,
      response_message_loading: type === R.DeferredChannelMessageWithSource,
      response_message_ephemeral: one.ephemeral,
    },
    resource: { type, ...(resource === null ? {} : { message: resource }) },
  };
};

export const interactionRoutes = [
  route('POST', '/interactions/:interaction/:token/callback', answer, { auth: false, major: ['interaction'], limit: 1000 }),
];
