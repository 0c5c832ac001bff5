/** Control: commands, menus, buttons, modals and autocomplete, as a person uses them. Each waits for the application's answer. */
import { ApplicationCommandType as T, ApplicationCommandOptionType as O, ComponentType as C, InteractionType as I } from '../numbers.ts';
import type { Outcome } from '../interactions.ts';
import { isObject, listIn, numberIn, textIn } from '../json.ts';
import type { Channel, Command, Interaction, Json, Message } from '../model.ts';
import type { Parts } from '../request.ts';
import { refused, RestFault } from '../rest-fault.ts';
import { attachmentShape, memberShape, messageShape, userShape } from '../shapes.ts';
import { mimeOf } from '../../support/mime.ts';
import { buttonsOf } from '../seen.ts';
import { guildOf } from '../world.ts';
import { createFinding } from './finding.ts';
import type { NewFile } from './acting.ts';

type Where = { readonly user: string; readonly channel: string; readonly locale?: string };
/** Values of options by their names; files for options that take one. */
export type Options = Readonly<Record<string, string | number | boolean | NewFile>>;

export const interactingOps = (parts: Parts) => {
  const { world, interactions } = parts;
  const find = createFinding(parts);

  const commandOf = (channel: Channel, name: string, type: number): Command => {
    const found = world.app.commands.filter(
      (one) => one.name === name && one.type === type && (one.guild === null || one.guild === channel.guild),
    );
    const command = found.find((one) => one.guild !== null) ?? found[0];
    if (command === undefined) throw refused(10063);
    return command;
  };
  const memberData = (channel: Channel, id: string): { readonly users: Json; readonly members: Json } => {
    const member = guildOf(world, channel.guild)?.members.get(id);
    return { users: { [id]: userShape(find.user(id)) }, members: member === undefined ? {} : { [id]: memberShape(member) } };
  };

  /** The options as Discord sends them, down the subcommands that the name goes through. */
  const filled = (
    definition: Json,
    words: readonly string[],
    values: Options,
    channel: Channel,
    resolved: Json,
    focused: string | null,
  ): Json[] => {
    const options = listIn(definition, 'options');
    const [word, ...rest] = words;
    if (word !== undefined) {
      const sub = options.find((one) => one['name'] === word && [O.Subcommand, O.SubcommandGroup].includes(numberIn(one, 'type')));
      if (sub === undefined) throw refused(10063);
      return [{ name: word, type: sub['type'], options: filled(sub, rest, values, channel, resolved, focused) }];
    }
    for (const option of options)
      if (option['required'] === true && focused === null && values[textIn(option, 'name')] === undefined)
        throw new RestFault(400, 50035, `option ${textIn(option, 'name')} is required`);
    return Object.entries(values).map(([name, given]) => {
      const option = options.find((one) => one['name'] === name);
      if (option === undefined) throw new RestFault(400, 50035, `there is no option ${name}`);
      const type = numberIn(option, 'type');
      const choices = listIn(option, 'choices');
      if (choices.length > 0 && !choices.some((one) => one['value'] === given))
        throw new RestFault(400, 50035, `${name} has no choice ${JSON.stringify(given)}`);
      let value: unknown = given;
      if (isObject(given) && type === O.Attachment) {
        const file: NewFile = given;
        const bytes = file.base64 === undefined ? Buffer.from(file.text ?? '') : Buffer.from(file.base64, 'base64');
        const attachment = {
          id: world.newId(),
          filename: file.name,
          description: null,
          contentType: file.type ?? mimeOf(file.name),
          bytes,
          toldSize: file.toldSize ?? bytes.length,
          channel: channel.id,
          ephemeral: true,
          status: file.status ?? null,
          spoiler: false,
        };
        world.uploads.set(attachment.id, attachment);
        value = attachment.id;
        resolved['attachments'] = {
          ...(isObject(resolved['attachments']) ? resolved['attachments'] : {}),
          [attachment.id]: attachmentShape(world, attachment),
        };
      }
      if (type === O.User && typeof given === 'string') {
        value = find.user(given).id;
        Object.assign(resolved, memberData(channel, find.user(given).id));
      }
      return { name, type, value, ...(focused === name ? { focused: true } : {}) };
    });
  };

  const commandData = (channel: Channel, line: string, values: Options, focused: string | null): Json => {
    const [name = '', ...words] = line.replace(/^\//, '').trim().split(/\s+/);
    const command = commandOf(channel, name, T.ChatInput);
    const resolved: Json = {};
    const options = filled(command.body, words, values, channel, resolved, focused);
    return {
      id: command.id,
      name: command.name,
      type: command.type,
      options,
      ...(Object.keys(resolved).length === 0 ? {} : { resolved }),
      ...(command.guild === null ? {} : { guild_id: command.guild }),
    };
  };

  const run = (interaction: Interaction): Promise<Outcome> => interactions.settled(interaction);
  /** The message as the application gets it with the interaction: whole, since it wrote it. */
  const press = (user: string, message: Message, data: Json): Promise<Outcome> => {
    if (message.onlyFor !== null && message.onlyFor !== user) throw refused(10008);
    return run(
      interactions.start({
        type: I.MessageComponent,
        user,
        channel: find.channel(message.channel),
        data,
        source: message,
        sourceShape: messageShape(world, message),
      }),
    );
  };

  return {
    /** `/name`, with the words of subcommands after it, and its options. */
    command: ({
      user,
      channel,
      name,
      options = {},
      locale,
    }: Where & { readonly name: string; readonly options?: Options }): Promise<Outcome> => {
      const where = find.channel(channel);
      return run(
        interactions.start({
          type: I.ApplicationCommand,
          user: find.user(user).id,
          channel: where,
          data: commandData(where, name, options, null),
          ...(locale === undefined ? {} : { locale }),
        }),
      );
    },
    /** What is offered while somebody types into an option. */
    autocomplete: ({
      user,
      channel,
      name,
      options,
      focused,
    }: Where & { readonly name: string; readonly options: Options; readonly focused: string }): Promise<Outcome> => {
      const where = find.channel(channel);
      return run(
        interactions.start({
          type: I.ApplicationCommandAutocomplete,
          user: find.user(user).id,
          channel: where,
          data: commandData(where, name, options, focused),
        }),
      );
    },
    /** An entry of a message's menu. The message goes with it whole, whatever the intents are. */
    menu: ({ user, message: id, name }: { readonly user: string; readonly message: string; readonly name: string }): Promise<Outcome> => {
      const message = find.message(id);
      const where = find.channel(message.channel);
      const command = commandOf(where, name, T.Message);
      return run(
        interactions.start({
          type: I.ApplicationCommand,
          user: find.user(user).id,
          channel: where,
          data: { id: command.id, name, type: T.Message, target_id: id, resolved: { messages: { [id]: messageShape(world, message) } } },
        }),
      );
    },
    /** Presses a button by its label or its id. */
    press: ({
      user,
      message: id,
      button,
    }: {
      readonly user: string;
      readonly message: string;
      readonly button: string;
    }): Promise<Outcome> => {
      const message = find.message(id);
      const found = buttonsOf(message).find((one) => one.label === button || one.id === button);
      if (found === undefined || found.disabled || found.url !== '')
        throw new RestFault(
          400,
          0,
          `no such button; there is: ${buttonsOf(message)
            .map((one) => `${one.label} (${one.id})`)
            .join(', ')}`,
        );
      return press(find.user(user).id, message, { custom_id: found.id, component_type: C.Button, id: 1 });
    },
    /** A press with any id, as from an outdated or forged message; also a choice from a menu. */
    pressRaw: ({ user, message, data }: { readonly user: string; readonly message: string; readonly data: Json }): Promise<Outcome> =>
      press(find.user(user).id, find.message(message), data),
    /** Sends the modal that an interaction was answered with; `values` by the ids of its fields. */
    submit: ({
      interaction: id,
      values,
    }: {
      readonly interaction: string;
      readonly values: Readonly<Record<string, string>>;
    }): Promise<Outcome> => {
      const from = world.interactions.get(id);
      if (from?.modal === null || from === undefined) throw refused(10062);
      const fields = (components: readonly Json[]): Json[] =>
        components.flatMap((one): Json[] => {
          const value = values[textIn(one, 'custom_id')] ?? textIn(one, 'value');
          if (one['type'] === C.TextInput) return [{ type: one['type'], id: 1, custom_id: one['custom_id'], value }];
          if (one['type'] === C.StringSelect)
            return [{ type: one['type'], id: 1, custom_id: one['custom_id'], values: value === '' ? [] : [value] }];
          if (isObject(one['component'])) return [{ type: one['type'], id: 1, component: fields([one['component']])[0] }];
          if (one['type'] === C.ActionRow) return [{ type: one['type'], id: 1, components: fields(listIn(one, 'components')) }];
          return [];
        });
      const source = from.source === null ? null : (world.messages.get(from.source) ?? null);
      return run(
        interactions.start({
          type: I.ModalSubmit,
          user: from.user,
          channel: find.channel(from.channel),
          data: { custom_id: from.modal['custom_id'], components: fields(listIn(from.modal, 'components')) },
          source,
          ...(source === null ? {} : { sourceShape: messageShape(world, source) }),
        }),
      );
    },
    /** How an interaction stands now. */
    outcome: ({ interaction }: { readonly interaction: string }): Outcome => {
      const found = world.interactions.get(interaction);
      if (found === undefined) throw refused(10062);
      return interactions.outcome(found);
    },
  };
};
