/** What the stand-in's own tests share: a server, and the real discord.js against it. */
import { ButtonStyle, Client, ComponentType, GatewayIntentBits as I, Partials, REST, TextInputStyle } from 'discord.js';
import type { ActionRowData, ButtonComponentData, ClientOptions, ModalComponentData } from 'discord.js';
import { startDiscordServer } from './server.ts';
import type { DiscordServer } from './server.ts';

/** What a bot asks for that answers mentions and direct messages. */
export const MODEST = [I.Guilds, I.GuildMessages, I.DirectMessages];

export type Stand = AsyncDisposable & {
  readonly server: DiscordServer;
  readonly control: DiscordServer['control'];
  readonly rest: REST;
  /** A client that is logged in and ready; closed with the stand. */
  readonly login: (options?: Partial<ClientOptions>) => Promise<Client<true>>;
  /** A client that is not logged in yet. */
  readonly client: (options?: Partial<ClientOptions>) => Client;
  /** The refusal of a request: status, Discord's code, the body. */
  readonly refusal: (call: Promise<unknown>) => Promise<{ readonly status: number; readonly code: unknown; readonly body: unknown }>;
};

export const createStand = async (): Promise<Stand> => {
  const server = await startDiscordServer();
  const clients: Client[] = [];
  const rest = { api: server.apiUrl, version: '10', retries: 0, timeout: 20_000 };
  const client: Stand['client'] = (options = {}) => {
    const made = new Client({ intents: MODEST, partials: [Partials.Channel, Partials.Message], rest, ...options });
    made.on('error', () => {});
    clients.push(made);
    return made;
  };
  return {
    server,
    control: server.control,
    rest: new REST({ ...rest, rejectOnRateLimit: () => true }).setToken(server.token),
    client,
    login: async (options) => {
      const made = client(options);
      const ready = new Promise((resolve) => void made.once('clientReady', resolve));
      await made.login(server.token);
      await ready;
      return made as Client<true>;
    },
    refusal: async (call) => {
      try {
        await call;
      } catch (error) {
        const { status, code, rawError, name } = error as { status?: number; code?: unknown; rawError?: unknown; name: string };
        return { status: status ?? 0, code: code ?? name, body: rawError ?? error };
      }
      throw new Error('the call was not refused');
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(clients.map((one) => one.destroy()));
      await server[Symbol.asyncDispose]();
    },
  };
};

/** A row with one button. */
export const oneButton = (customId: string, label: string): ActionRowData<ButtonComponentData> => ({
  type: ComponentType.ActionRow,
  components: [{ type: ComponentType.Button, style: ButtonStyle.Secondary, customId, label }],
});

/** A modal with one field, `field`. */
export const oneField = (title: string): ModalComponentData => ({
  title,
  customId: 'modal',
  components: [
    {
      type: ComponentType.ActionRow,
      components: [{ type: ComponentType.TextInput, customId: 'field', label: 'Persona', style: TextInputStyle.Short }],
    },
  ],
});
