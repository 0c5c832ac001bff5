/**
 * The door at which Discord's events arrive. What means something is put into the in-tray, which is durable, before anything is done about it; an
 * interaction is answered first of all, since its token dies after three seconds.
 *
 * Discord delivers an event once. While the in-tray cannot be reached, events wait here, in their order, as long as there is room.
 */
import { InteractionResponseType, MessageFlags } from 'discord.js';
import type { APIInteractionResponse } from 'discord.js';
import type { Choice } from '../../../src/core/command.ts';
import type { ChannelSettings } from '../../../src/core/channel-settings.ts';
import type { Gateway } from '../../../src/ports/adapter.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Inbox } from '../../../src/ports/inbox.ts';
import type { Log } from '../../../src/ports/log.ts';
import { decodeMessage, decodeUpdate } from '../decode.ts';
import { decodeInteraction } from '../decode-interaction.ts';
import type { Interaction } from '../decode-interaction.ts';
import { deliveryId, laneOf } from '../delivery.ts';
import type { Delivery } from '../delivery.ts';
import { askModal, personaModal, settingsModal } from '../modals.ts';
import { channelOf, workspaceOf } from '../place.ts';
import type { Calls } from '../rest/calls.ts';
import { firstAnswerTo, isWorkLeft } from './first-answer.ts';
import type { FirstAnswer } from './first-answer.ts';
import type { Known } from './known.ts';

export type FrontDeps = {
  readonly inbox: Pick<Inbox, 'put'>;
  readonly gateway: Pick<Gateway, 'commands' | 'complete' | 'settings'>;
  readonly calls: Calls;
  readonly known: Known;
  readonly log: Log;
  readonly clock: Clock;
};

/** Who the bot is: known from the first `READY` on. */
export type Self = { readonly id: string; readonly application: string };

export type Front = {
  /** Takes an event. Never throws, and never waits. */
  readonly take: (event: string, data: unknown, self: Self) => void;
  /** Resolves once what was taken so far is in the in-tray, or given up. */
  readonly settled: () => Promise<void>;
};

/** Events that wait for the in-tray at most; they are dropped beyond it, and the next gap is read from Discord anyway. */
const MOST_WAITING = 5_000;
/** How long autocompletion and a modal wait for what they could show. */
const COMPLETE_MS = 2_000;
const MODAL_MS = 700;

export const createFront = (deps: FrontDeps): Front => {
  const { inbox, known, log, clock } = deps;
  const lanes = new Map<string, Promise<void>>();
  let waiting = 0;

  /** Puts until it is in. In its lane nothing overtakes it. */
  const put = async (item: { readonly id: string; readonly lane: string; readonly payload: string }): Promise<void> => {
    for (let attempt = 0; ; attempt += 1) {
      const kept = await inbox.put(item);
      if (kept.ok) return;
      if (attempt === 0) log.warn({ detail: kept.failure.detail }, 'an event could not be kept; it is put again');
      if (attempt > 600) return log.error({ id: item.id }, 'an event was lost: the in-tray could not be reached');
      await clock.sleep(Math.min(250 * 2 ** attempt, 2_000));
    }
  };
  const keep = (delivery: Delivery): void => {
    const id = deliveryId(delivery.event, delivery.data, delivery.at);
    if (id === null) return;
    if (waiting >= MOST_WAITING) return log.error({ id }, 'an event was dropped: too many wait for the in-tray');
    const lane = laneOf(delivery.data);
    waiting += 1;
    const before = lanes.get(lane) ?? Promise.resolve();
    const now = before
      .then(() => put({ id, lane, payload: JSON.stringify(delivery) }))
      .catch((error: unknown) => log.error({ error: error instanceof Error ? error.stack : String(error) }, 'keeping an event failed'))
      .finally(() => {
        waiting -= 1;
        if (lanes.get(lane) === now) lanes.delete(lane);
      });
    lanes.set(lane, now);
  };

  const deliveryOf = (event: string, data: unknown, self: Self): Delivery => {
    const facts = textOf(data);
    return {
      event,
      data,
      at: clock.now(),
      me: { ...self, roles: known.myRoles(facts.guild) },
      place: known.place(data),
      ...known.names(facts.guild, facts.text),
      answered: 'none',
    };
  };

  const interact = async (data: unknown, self: Self): Promise<void> => {
    const interaction = decodeInteraction(data, deps.gateway.commands);
    if (interaction === null) return log.debug({}, 'an interaction that cannot be read');
    const answer = firstAnswerTo(interaction);
    const body = await responseFor(deps, interaction, answer);
    const answered = deps.calls.respond(interaction, body);
    // Kept at the same time: whether the answer got through is not worth a wait, and it is not asked for twice.
    if (isWorkLeft(interaction, answer)) {
      const delivery = deliveryOf('INTERACTION_CREATE', data, self);
      keep({ ...delivery, place: interaction.place ?? delivery.place, answered: answeredAs(answer) });
    }
    const said = await answered;
    if (said.ok) return;
    // 10062: its three seconds were over. The work is done all the same, and answered in the channel.
    log.warn({ detail: said.failure.detail, afterMs: clock.now() - interaction.at }, 'an interaction could not be answered in time');
  };

  return {
    take: (event, data, self) => {
      known.hear(event, data, self.id);
      switch (event) {
        case 'INTERACTION_CREATE':
          void interact(data, self).catch((error: unknown) =>
            log.error({ error: error instanceof Error ? error.stack : String(error) }, 'taking an interaction failed'),
          );
          return;
        case 'MESSAGE_CREATE':
        case 'MESSAGE_UPDATE': {
          const delivery = deliveryOf(event, data, self);
          const me = { id: self.id, roles: new Set(delivery.me.roles) };
          // What nobody said needs no place in the tray: most of what a busy server writes.
          const read = event === 'MESSAGE_CREATE' ? decodeMessage(data, me, nobody) : decodeUpdate(data, me, nobody);
          if (read.kind === 'said') keep(delivery);
          return;
        }
        case 'MESSAGE_DELETE':
        case 'MESSAGE_DELETE_BULK':
        case 'THREAD_DELETE':
        case 'CHANNEL_DELETE':
        case 'GUILD_DELETE':
          keep(deliveryOf(event, data, self));
          return;
        default:
      }
    },
    settled: async () => {
      while (lanes.size > 0) await Promise.all(lanes.values());
    },
  };
};

const nobody = { user: () => undefined, role: () => undefined, channel: () => undefined };

const answeredAs = (answer: FirstAnswer): Delivery['answered'] => {
  switch (answer.kind) {
    case 'defer':
      return answer.private ? 'private' : 'public';
    case 'update':
    case 'modal':
      return answer.kind;
    case 'say':
    case 'complete':
    case 'pong':
      return 'none';
    default:
      return answer satisfies never;
  }
};

const responseFor = async (deps: FrontDeps, interaction: Interaction, answer: FirstAnswer): Promise<APIInteractionResponse> => {
  switch (answer.kind) {
    case 'defer':
      return {
        type: InteractionResponseType.DeferredChannelMessageWithSource,
        ...(answer.private ? { data: { flags: MessageFlags.Ephemeral } } : {}),
      };
    case 'update':
      return { type: InteractionResponseType.DeferredMessageUpdate };
    case 'say':
      return {
        type: InteractionResponseType.ChannelMessageWithSource,
        data: { content: answer.text, flags: MessageFlags.Ephemeral, allowed_mentions: { parse: [] } },
      };
    case 'pong':
      return { type: InteractionResponseType.Pong };
    case 'complete':
      return {
        type: InteractionResponseType.ApplicationCommandAutocompleteResult,
        data: { choices: [...(await suggestions(deps, interaction))].slice(0, 25) },
      };
    case 'modal':
      return { type: InteractionResponseType.Modal, data: await modalFor(deps, interaction, answer.modal) };
    default:
      return answer satisfies never;
  }
};

const addressOf = (interaction: Interaction) => ({
  platform: 'discord',
  workspace: workspaceOf({ guild: interaction.guild }),
  channel: interaction.place === null ? interaction.channel : channelOf(interaction.place),
  thread: interaction.channel,
});

const within = async <T>(clock: Clock, ms: number, work: Promise<T>, otherwise: T): Promise<T> => {
  const waited = new AbortController();
  const late = clock.sleep(ms, waited.signal).then(() => otherwise);
  const got = await Promise.race([work.catch(() => otherwise), late]);
  waited.abort();
  return got;
};

const suggestions = async ({ gateway, clock }: FrontDeps, interaction: Interaction): Promise<readonly Choice[]> => {
  const { wish } = interaction;
  if (wish.kind !== 'typing') return [];
  const none: readonly Choice[] = [];
  const found = gateway.complete(addressOf(interaction), interaction.user, wish.command, wish.option, wish.partial);
  return within(clock, COMPLETE_MS, found, none);
};

const modalFor = async ({ gateway, clock }: FrontDeps, interaction: Interaction, modal: 'settings' | 'persona' | 'ask') => {
  if (modal === 'persona') return personaModal();
  if (modal === 'ask') {
    const target = interaction.wish.kind === 'menu' ? idOf(interaction.wish.target) : '';
    return askModal({ message: target, note: interaction.id });
  }
  const command = gateway.commands.find(({ name }) => name === 'settings');
  if (command === undefined) return personaModal();
  const unknown: ChannelSettings | null = null;
  const read = gateway.settings(addressOf(interaction)).then((now) => (now.ok ? now.value : null));
  return settingsModal(command, await within<ChannelSettings | null>(clock, MODAL_MS, read, unknown));
};

const idOf = (message: unknown): string =>
  typeof message === 'object' && message !== null && 'id' in message && typeof message.id === 'string' ? message.id : '0';

/** The server that an event is of, and the text in which channels and roles may be mentioned. */
const textOf = (data: unknown): { readonly guild: string | null; readonly text: string } => {
  if (typeof data !== 'object' || data === null) return { guild: null, text: '' };
  const guild = 'guild_id' in data && typeof data.guild_id === 'string' ? data.guild_id : null;
  const text = 'content' in data && typeof data.content === 'string' ? data.content : '';
  return { guild, text };
};
