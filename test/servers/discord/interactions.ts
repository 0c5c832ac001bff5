/** Interactions: what people start with commands, menus, buttons and modals, and how long the application has to answer. */
import { ChannelType, InteractionResponseType as R, InteractionType as I } from './numbers.ts';
import { randomBytes } from 'node:crypto';
import type { Gateway } from './gateway.ts';
import type { Channel, Interaction, Json, Message } from './model.ts';
import { P, permissionsIn } from './permissions.ts';
import { channelShape, memberShape, userShape } from './shapes.ts';
import { botIsIn, guildOf, userOf } from './world.ts';
import type { World } from './world.ts';

export type Interactions = ReturnType<typeof createInteractions>;

export type Started = {
  readonly type: number;
  readonly user: string;
  readonly channel: Channel;
  readonly data: Json;
  /** The message whose button was pressed. */
  readonly source?: Message | null;
  readonly sourceShape?: Json | null;
  readonly locale?: string;
};

/** What came of an interaction, as the person who started it sees it. */
export type Outcome = {
  readonly id: string;
  /** `failed`: "The application did not respond". */
  readonly state: 'failed' | 'answered';
  /** Discord's `InteractionResponseType` of the first answer. */
  readonly answer: number | null;
  readonly ephemeral: boolean;
  /** The message that `@original` means, where there is one. */
  readonly original: string | null;
  readonly choices: readonly Json[] | null;
  readonly modal: Json | null;
};

export const createInteractions = (world: World, gateway: Gateway) => {
  const start = ({ type, user, channel, data, source = null, sourceShape = null, locale = 'en-US' }: Started): Interaction => {
    const guild = guildOf(world, channel.guild);
    const member = guild?.members.get(user);
    const botIn = botIsIn(world, channel);
    const byUserInstall = !botIn;
    const context = guild !== null ? 0 : channel.type === ChannelType.DM && botIn ? 1 : 2;
    const bits = permissionsIn(world, channel, user);
    // What the application may do with an answer here; where it is no member, hardly more than to write.
    const appBits = botIn ? permissionsIn(world, channel, world.app.id) : P.EmbedLinks | P.AttachFiles | P.UseExternalEmojis;
    const id = world.newId();
    const token = `${Buffer.from(`interaction:${id}`).toString('base64url')}${randomBytes(48).toString('base64url')}`;
    const owners: Json = {
      ...(botIn ? { '0': guild?.id ?? '0' } : {}),
      ...(byUserInstall || world.app.installedBy.has(user) ? { '1': user } : {}),
    };
    const payload: Json = {
      id,
      application_id: world.app.id,
      type,
      token,
      version: 1,
      data,
      channel_id: channel.id,
      channel: { ...channelShape(world, channel), ...(guild === null ? {} : { permissions: String(bits) }) },
      context,
      authorizing_integration_owners: owners,
      app_permissions: String(appBits),
      attachment_size_limit: guild?.fileBytes ?? 10 * 1024 * 1024,
      entitlements: [],
      entitlement_sku_ids: [],
      locale,
      ...(guild === null
        ? { user: userShape(userOf(world, user)) }
        : {
            guild_id: guild.id,
            guild: { id: guild.id, locale: 'en-US', features: [] },
            guild_locale: 'en-US',
            member: {
              ...(member === undefined ? {} : memberShape(member)),
              permissions: String(bits),
              user: userShape(userOf(world, user)),
            },
          }),
      ...(sourceShape === null ? {} : { message: sourceShape }),
    };
    const interaction: Interaction = {
      id,
      token,
      type,
      user,
      channel: channel.id,
      guild: channel.guild,
      at: world.clock.now(),
      context,
      byUserInstall,
      payload,
      source: source?.id ?? null,
      answered: null,
      answeredAt: null,
      ephemeral: false,
      original: null,
      deferred: false,
      followUps: 0,
      choices: null,
      modal: null,
    };
    world.interactions.set(id, interaction);
    // No intent is needed; a server's come over its shard, the others over the first.
    gateway.tell({ event: 'INTERACTION_CREATE', guild: botIn ? channel.guild : null, data: () => payload });
    world.clock.after(world.settings.interactionMs, world.changed);
    world.changed();
    return interaction;
  };

  const over = (one: Interaction): boolean => one.answered === null && world.clock.now() - one.at >= world.settings.interactionMs;

  const outcome = (one: Interaction): Outcome => ({
    id: one.id,
    state: one.answered === null ? 'failed' : 'answered',
    answer: one.answered,
    ephemeral: one.ephemeral,
    original: one.original,
    choices: one.choices,
    modal: one.modal,
  });

  return {
    start,
    /** Waits until the application has answered, or its time is over. */
    settled: async (one: Interaction): Promise<Outcome> => {
      while (one.answered === null && !over(one)) {
        await world.change({ revision: world.revision(), ms: 200 });
      }
      return outcome(one);
    },
    outcome,
    over,
    /** The token still opens the way to follow-ups. */
    alive: (one: Interaction): boolean => world.clock.now() - one.at < world.settings.tokenMs,
  };
};

export { I as InteractionType, R as ResponseType };
