/** What people do with the app beside writing: commands, buttons, shortcuts, modals. */
import { isObject } from './args.ts';
import type { Deliver } from './deliver.ts';
import { ApiFault } from './fault.ts';
import type { Channel, Json, Message, Sent, View } from './model.ts';
import { compose } from './composer.ts';
import { messageShape } from './shapes.ts';
import { personOf } from './world.ts';
import type { Posting } from './posting.ts';
import type { ResponseUrl, World } from './world.ts';
import { addView, checkView, replaceView, viewShape } from './methods/views.ts';
import { checkBlocks } from './blocks.ts';

export type Outcome = { readonly n: number; readonly acked: boolean; readonly ms: number; readonly response: unknown };

/** With `should_escape` names become `<@U1|name>` and the three characters are escaped; without, the text is as typed. */
const composeText = (world: World, team: string, text: string): string =>
  compose(world, team, text).text.replaceAll(/<@(\w+)>/g, (all, id: string) => `<@${id}|${world.people.get(id)?.name ?? ''}>`);

/** With Agents on, guests of the workspace cannot use the app. */
const refuseGuest = (world: World, user: string): void => {
  if (world.app.agents && personOf(world, user).guest) throw new ApiFault('app_not_available_to_guests');
};

const newTrigger = (world: World, user: string, team: string): string => {
  const id = `${world.newId('')}.${Date.now()}.${world.newId('t').toLowerCase()}`;
  world.triggers.set(id, { user, team, expiresAt: world.clock.now() + world.settings.triggerMs, used: false });
  return id;
};

/** An address that takes five posts within half an hour. */
const newResponseUrl = (world: World, given: Omit<ResponseUrl, 'expiresAt' | 'left'>): string => {
  const id = world.newId('R');
  world.responseUrls.set(id, { ...given, expiresAt: world.clock.now() + 1_800_000, left: 5 });
  return `${world.baseUrl}/hooks/response/${id}`;
};

export const createInteractions = (world: World, deliver: Deliver, respond: (url: ResponseUrl, content: Json) => void) => {
  const home = (channel: Channel | null): string =>
    world.installations.find((one) => one.state === 'active' && one.team !== null)?.team ?? channel?.team ?? '';

  const send = async (kind: Sent['kind'], payload: Json, user: string, channel: string | null): Promise<Outcome> => {
    const { sent, first } = deliver(kind, payload);
    const began = Date.now();
    await first;
    if (!sent.acked && channel !== null) {
      world.ephemerals.push({
        channel,
        ts: world.newTs(),
        user,
        threadTs: null,
        text:
          kind === 'slash_commands'
            ? `${String(payload['command'])} failed with the error "operation_timeout"`
            : 'Something went wrong. Please try again.',
        blocks: [],
        by: 'slackbot',
        deleted: false,
      });
      world.changed();
    }
    return { n: sent.n, acked: sent.acked, ms: Date.now() - began, response: sent.response };
  };

  const common = (user: string, channel: Channel | null): Json => {
    const person = personOf(world, user);
    const team = home(channel);
    const workspace = world.workspaces.get(team);
    return {
      token: world.app.verificationToken,
      team: { id: team, domain: workspace?.domain },
      enterprise: workspace?.enterprise === null || workspace === undefined ? null : { id: workspace.enterprise, name: 'The enterprise' },
      is_enterprise_install: false,
      user: { id: user, username: person.name, name: person.name, team_id: person.team },
      api_app_id: world.app.id,
      trigger_id: newTrigger(world, user, person.team),
      action_ts: world.newTs(),
    };
  };

  return {
    command: async (user: string, channel: Channel, command: string, text: string): Promise<Outcome> => {
      refuseGuest(world, user);
      const registered = world.app.commands.find((one) => one.command === command);
      const person = personOf(world, user);
      // In a channel that organisations share, an app's commands are there only for the people of those that installed it.
      const offered = world.installations.some((one) => one.team === null || one.team === person.team);
      if (registered === undefined || !offered) throw new ApiFault('unknown_command');
      const url: Omit<ResponseUrl, 'expiresAt' | 'left'> = { channel: channel.id, user, threadTs: null, message: null };
      const team = home(channel);
      const outcome = await send(
        'slash_commands',
        {
          token: world.app.verificationToken,
          team_id: team,
          team_domain: world.workspaces.get(team)?.domain ?? '',
          channel_id: channel.id,
          channel_name: channel.kind === 'im' ? 'directmessage' : channel.kind === 'group' ? 'privategroup' : channel.name,
          user_id: user,
          user_name: person.name,
          command,
          text: registered.shouldEscape ? composeText(world, person.team, text) : text,
          api_app_id: world.app.id,
          is_enterprise_install: 'false',
          response_url: newResponseUrl(world, url),
          trigger_id: newTrigger(world, user, person.team),
        },
        user,
        channel.id,
      );
      const { response } = outcome;
      if (typeof response === 'string' && response.trim() !== '') respond({ ...url, expiresAt: 0, left: 0 }, { text: response });
      else if (isObject(response) && (typeof response['text'] === 'string' || Array.isArray(response['blocks'])))
        respond({ ...url, expiresAt: 0, left: 0 }, response);
      return outcome;
    },

    press: (
      user: string,
      channel: Channel,
      at:
        | { readonly message: Message }
        | {
            readonly ephemeral: {
              readonly ts: string;
              readonly threadTs: string | null;
              readonly blocks: readonly Json[];
              readonly text: string;
            };
          },
      action: Json,
    ): Promise<Outcome> => {
      const ephemeral = 'ephemeral' in at;
      const { ts, threadTs } = ephemeral ? at.ephemeral : at.message;
      return send(
        'interactive',
        {
          type: 'block_actions',
          ...common(user, channel),
          container: {
            type: 'message',
            message_ts: ts,
            channel_id: channel.id,
            is_ephemeral: ephemeral,
            ...(threadTs === null ? {} : { thread_ts: threadTs }),
          },
          channel: { id: channel.id, name: channel.kind === 'im' ? 'directmessage' : channel.name },
          ...(ephemeral ? {} : { message: messageShape(world, at.message) }),
          state: { values: {} },
          response_url: newResponseUrl(world, { channel: channel.id, user, threadTs, message: { ts, ephemeral } }),
          actions: [{ ...action, action_ts: world.newTs() }],
        },
        user,
        channel.id,
      );
    },

    /** A control in the Home tab or in a modal. */
    pressInView: (view: View, action: Json): Promise<Outcome> =>
      send(
        'interactive',
        {
          type: 'block_actions',
          ...common(view.user, null),
          container: { type: 'view', view_id: view.id },
          view: viewShape(world, view),
          actions: [{ ...action, action_ts: world.newTs() }],
        },
        view.user,
        null,
      ),

    shortcut: (user: string, callbackId: string, on: { readonly channel: Channel; readonly message: Message } | null): Promise<Outcome> => {
      refuseGuest(world, user);
      return send(
        'interactive',
        on === null
          ? { type: 'shortcut', ...common(user, null), callback_id: callbackId }
          : {
              type: 'message_action',
              ...common(user, on.channel),
              callback_id: callbackId,
              channel: { id: on.channel.id, name: on.channel.kind === 'im' ? 'directmessage' : on.channel.name },
              message_ts: on.message.ts,
              message: messageShape(world, on.message),
              response_url: newResponseUrl(world, { channel: on.channel.id, user, threadTs: on.message.threadTs, message: null }),
            },
        user,
        on?.channel.id ?? null,
      );
    },

    /** Sends a modal off. What the acknowledgement says is done with the view: errors keep it open. */
    submit: async (view: View, values: Json): Promise<Outcome> => {
      const outcome = await send(
        'interactive',
        { type: 'view_submission', ...common(view.user, null), view: { ...viewShape(world, view), state: { values } }, response_urls: [] },
        view.user,
        null,
      );
      if (!outcome.acked) return outcome;
      const answer = isObject(outcome.response) ? outcome.response : {};
      const next = isObject(answer['view']) ? answer['view'] : {};
      switch (answer['response_action']) {
        case 'errors':
          break;
        case 'update':
          checkView(next, 'modal');
          replaceView(world, view, next);
          break;
        case 'push':
          checkView(next, 'modal');
          addView(world, { team: view.team, user: view.user, view: next, type: 'modal' }, view);
          break;
        case 'clear':
          for (const one of world.views.values()) if (one.rootId === view.rootId) one.open = false;
          break;
        default:
          view.open = false;
      }
      world.changed();
      return outcome;
    },

    close: async (view: View): Promise<void> => {
      view.open = false;
      world.changed();
      if (view.view['notify_on_close'] !== true) return;
      await send(
        'interactive',
        { type: 'view_closed', ...common(view.user, null), view: viewShape(world, view), is_cleared: false },
        view.user,
        null,
      );
    },
  };
};

export type Interactions = ReturnType<typeof createInteractions>;

/** What a response URL or an acknowledgement puts into the channel. */
export const createRespond =
  (world: World, posting: Posting) =>
  (url: ResponseUrl, content: Json): void => {
    const text = typeof content['text'] === 'string' ? content['text'] : '';
    const blocks = Array.isArray(content['blocks']) ? content['blocks'].filter(isObject) : [];
    checkBlocks(blocks, 'message');
    const installation = world.installations.find((one) => one.state === 'active');
    const there = url.message === null ? null : { ...url.message };
    if (there !== null && (content['replace_original'] === true || content['delete_original'] === true)) {
      const gone = content['delete_original'] === true;
      if (there.ephemeral) {
        const one = world.ephemerals.find((ephemeral) => ephemeral.ts === there.ts);
        if (one !== undefined) Object.assign(one, gone ? { deleted: true } : { text, blocks });
      } else {
        const one = world.messages.find((message) => message.channel === url.channel && message.ts === there.ts);
        if (one !== undefined && gone) posting.remove(one);
        else if (one !== undefined)
          posting.edit(one, () => {
            one.text = text;
            one.blocks = blocks;
          });
      }
      world.changed();
      return;
    }
    const threadTs = typeof content['thread_ts'] === 'string' ? content['thread_ts'] : url.threadTs;
    if (content['response_type'] === 'in_channel') {
      posting.post({
        channel: url.channel,
        user: installation?.botUser ?? 'U0BOT',
        team: installation?.team ?? '',
        bot: installation === undefined ? null : { botId: installation.botId, appId: world.app.id },
        subtype: null,
        text,
        blocks,
        threadTs,
      });
      return;
    }
    world.ephemerals.push({ channel: url.channel, ts: world.newTs(), user: url.user, threadTs, text, blocks, by: 'app', deleted: false });
    world.changed();
  };
