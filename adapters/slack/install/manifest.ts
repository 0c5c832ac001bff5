/** The app's manifest: what an operator pastes at api.slack.com/apps to create the app with everything in place. Pure. */
import { shortcutIds } from '../actions.ts';
import type { ManifestWish } from '../config.ts';
import { suggestedPrompts } from '../handle/greeting.ts';
import { eventsFor, scopesFor } from './scopes.ts';

const EVENTS = '/slack/events';
export const INSTALL = '/slack/install';
export const REDIRECT = '/slack/oauth_redirect';

/** The manifest as Slack's JSON. Without a public URL the app opens a socket, and Slack needs no address of ours. */
export const toManifest = ({ app, command, publicUrl, distributed }: ManifestWish) => {
  const url = publicUrl === null ? {} : { request_url: `${publicUrl}${EVENTS}` };
  return {
    _metadata: { major_version: 2, minor_version: 1 },
    display_information: {
      name: 'Hektor',
      description: 'Ask, run Python and draw plots together, in any thread.',
      long_description:
        'Mention Hektor in a channel or write to it directly. It answers in the thread, streams its answer, shows what it does, runs Python whose variables everybody in the thread shares, and reads and sends files and plots. Answers are written by a language model and may be wrong: check them before you act on them.',
      background_color: '#1f2937',
    },
    features: {
      bot_user: { display_name: 'hektor', always_online: true },
      app_home: { home_tab_enabled: true, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      ...(app.agent
        ? {
            agent_view: {
              agent_description:
                'Answers questions, runs Python, draws plots and reads the files you share. Mention it in a channel or write to it here.',
              suggested_prompts: suggestedPrompts,
            },
          }
        : {}),
      slash_commands: [
        {
          command,
          ...(publicUrl === null ? {} : { url: `${publicUrl}${EVENTS}` }),
          description: 'Ask, run Python, see what was used, change settings',
          usage_hint: 'ask <question> | py <code> | usage | settings | help',
          should_escape: true,
        },
      ],
      shortcuts: [
        {
          type: 'message',
          name: 'Ask about this',
          callback_id: shortcutIds.askAbout,
          description: 'Ask Hektor about this message; works in threads too',
        },
        { type: 'global', name: 'New chat', callback_id: shortcutIds.newChat, description: 'Ask Hektor something, in a direct message' },
      ],
    },
    oauth_config: {
      ...(distributed && publicUrl !== null ? { redirect_urls: [`${publicUrl}${REDIRECT}`] } : {}),
      scopes: { bot: scopesFor(app).map(({ scope }) => scope) },
    },
    settings: {
      event_subscriptions: {
        ...url,
        bot_events: eventsFor(app)
          .map(({ event }) => event)
          .toSorted(),
      },
      interactivity: { is_enabled: true, ...url },
      org_deploy_enabled: distributed,
      socket_mode_enabled: publicUrl === null,
      token_rotation_enabled: false,
    },
  };
};

export const manifestText = (wish: ManifestWish): string => `${JSON.stringify(toManifest(wish), null, 2)}\n`;
