/** Control: the workspace itself, its settings, its faults and its time. */
import type { Parts } from '../call.ts';
import { verifyUrl } from '../http-delivery.ts';
import type { Fault } from '../injected.ts';
import { methods } from '../method-table.ts';
import type { App, Channel, Json, Person } from '../model.ts';
import { addChannel, addInstallation, addPerson, addWorkspace } from '../people-and-places.ts';
import type { Settings } from '../world.ts';
import { ApiFault } from '../fault.ts';
import type { Deliver } from '../deliver.ts';

export type Credentials = {
  readonly apiUrl: string;
  readonly pageUrl: string;
  readonly authorizeUrl: string;
  readonly team: string;
  readonly appId: string;
  readonly botUser: string;
  readonly botId: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
  readonly clientId: string;
  readonly clientSecret: string;
};

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export const arrangingOps = (parts: Parts, deliver: Deliver) => {
  const { world, events, socket } = parts;

  const installed = (team: string | undefined) => {
    const found = world.installations.find((one) => team === undefined || one.team === team);
    if (found === undefined) throw new ApiFault('not_installed');
    return found;
  };
  const channel = (id: string): Channel => {
    const found = world.channels.get(id);
    if (found === undefined) throw new ApiFault('channel_not_found');
    return found;
  };

  return {
    credentials: ({ team }: { readonly team?: string } = {}): Credentials => {
      const installation = installed(team);
      return {
        apiUrl: `${world.baseUrl}/api/`,
        pageUrl: `${world.baseUrl}/`,
        authorizeUrl: `${world.baseUrl}/oauth/v2/authorize`,
        team: installation.team ?? '',
        appId: world.app.id,
        botUser: installation.botUser,
        botId: installation.botId,
        botToken: installation.botToken,
        appToken: world.app.appToken,
        signingSecret: world.app.signingSecret,
        clientId: world.app.clientId,
        clientSecret: world.app.clientSecret,
      };
    },
    /** The app's manifest: transport, request URL, subscriptions, commands, distribution. */
    app: (change: Partial<Mutable<App>>): void => void Object.assign(world.app, change),
    settings: (change: Partial<Settings>): void => void Object.assign(world.settings, change),
    workspace: (given: { readonly id: string; readonly name: string; readonly enterprise?: string | null }): void =>
      void addWorkspace(world, given),
    person: (given: Pick<Person, 'id' | 'team' | 'name'> & Partial<Person>): void => void addPerson(world, given),
    channel: (
      given: Pick<Channel, 'id' | 'team' | 'name'> & {
        readonly kind?: Channel['kind'];
        readonly members: readonly string[];
        readonly connected?: readonly string[];
      },
    ): void => {
      addChannel(world, given);
      world.changed();
    },
    install: ({
      team,
      ...given
    }: {
      readonly team: string;
      readonly org?: boolean;
      readonly scopes?: string[];
      readonly botToken?: string;
    }): { readonly botToken: string; readonly botUser: string } => {
      const { botToken, botUser } = addInstallation(world, team, given);
      return { botToken, botUser };
    },
    scopes: ({ team, scopes }: { readonly team?: string; readonly scopes: string[] }): void =>
      void Object.assign(installed(team), { scopes }),
    /** The app is thrown out of a workspace: its tokens die, and it is told. */
    uninstall: ({ team }: { readonly team?: string }): void => {
      const gone = world.installations.filter((one) => team === undefined || one.team === team);
      for (const one of gone.slice(0, 1)) {
        one.state = 'uninstalled';
        events.tell(one, { type: 'tokens_revoked', tokens: { oauth: [], bot: [one.botUser] }, event_ts: world.newTs() });
        events.tell(one, { type: 'app_uninstalled', event_ts: world.newTs() });
      }
      for (const one of gone) one.state = 'uninstalled';
    },
    revoke: ({ team }: { readonly team?: string }): void => {
      const one = installed(team);
      one.state = 'revoked';
      events.tell(one, { type: 'tokens_revoked', tokens: { oauth: [], bot: [one.botUser] }, event_ts: world.newTs() });
    },
    invite: ({ channel: id, user }: { readonly channel: string; readonly user: string }): void => {
      channel(id).members.add(user);
      const one = world.installations.find((candidate) => channel(id).members.has(candidate.botUser));
      if (one !== undefined)
        events.tell(
          one,
          {
            type: 'member_joined_channel',
            user,
            channel: id,
            channel_type: 'C',
            team: one.team,
            inviter: 'U01ALICE',
            event_ts: world.newTs(),
          },
          { channel: channel(id) },
        );
      world.changed();
    },
    remove: ({ channel: id, user }: { readonly channel: string; readonly user: string }): void => {
      channel(id).members.delete(user);
      world.changed();
    },
    archive: ({ channel: id }: { readonly channel: string }): void => {
      const one = world.installations.find((candidate) => channel(id).members.has(candidate.botUser));
      channel(id).archived = true;
      if (one !== undefined)
        events.tell(one, {
          type: channel(id).kind === 'group' ? 'group_archive' : 'channel_archive',
          channel: id,
          user: 'U01ALICE',
          event_ts: world.newTs(),
        });
      world.changed();
    },
    renameChannel: ({ channel: id, name }: { readonly channel: string; readonly name: string }): void => {
      channel(id).name = name;
      for (const one of world.installations.slice(0, 1))
        events.tell(one, { type: 'channel_rename', channel: { id, name, created: 0 }, event_ts: world.newTs() });
      world.changed();
    },
    file: ({
      id,
      ...change
    }: {
      readonly id: string;
      readonly download?: 'bytes' | 'login-page' | 'redirect' | 'endless' | 'gone';
      readonly mode?: string;
    }): void => {
      const file = world.files.get(id);
      if (file === undefined) throw new ApiFault('file_not_found');
      Object.assign(file, change);
    },

    /** Puts the clock forward: streams end, retries come, limits pass, tokens expire. */
    advance: ({ ms }: { readonly ms: number }): void => {
      world.clock.advance(ms);
      world.changed();
    },
    fault: (fault: Fault): void => {
      if (fault.method.includes('.') && methods[fault.method] === undefined) throw new ApiFault('unknown_method');
      world.faults.push({ ...fault });
    },
    clearFaults: (): void => void world.faults.splice(0),
    /** Another rate for a method: calls per minute. */
    rate: ({ method, perMinute }: { readonly method: string; readonly perMinute: number }): void =>
      void world.limits.override.set(method, perMinute),
    resetRates: (): void => world.limits.reset(),

    /** Any event in an envelope of Slack's, whether the app is subscribed or not being checked as usual. */
    event: ({ event, channel: id, from }: { readonly event: Json; readonly channel?: string; readonly from?: string }): void =>
      events.tell(installed(undefined), event, {
        ...(id === undefined ? {} : { channel: channel(id) }),
        ...(from === undefined ? {} : { from }),
      }),
    /** A whole payload, exactly as given: the examples of `slack-events.json`. */
    payload: ({
      payload,
      kind = 'events_api',
    }: {
      readonly payload: Json;
      readonly kind?: 'events_api' | 'slash_commands' | 'interactive';
    }): { readonly n: number } => ({
      n: deliver(kind, payload).sent.n,
    }),

    connections: (): number => socket.connections().length,
    disconnect: ({ reason, connection }: { readonly reason: string; readonly connection?: number }): void =>
      socket.disconnect(reason, connection),
    dropSockets: ({ connection }: { readonly connection?: number } = {}): void => socket.drop(connection),
    sendFrame: ({ frame }: { readonly frame: string }): void => socket.sendRaw(frame),
    verifyUrl: (): Promise<boolean> => verifyUrl(world),
  };
};
