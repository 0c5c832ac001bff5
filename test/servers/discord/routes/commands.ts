/** Routes of application commands, with their limits. */
import { ApplicationCommandType as T } from '../numbers.ts';
import { isObject, listIn, numberIn, textIn, textOf } from '../json.ts';
import type { Command, Json } from '../model.ts';
import type { Request } from '../request.ts';
import { badLength, invalidForm, refused, required, tooLong } from '../rest-fault.ts';
import type { Problem } from '../rest-fault.ts';
import { guildOf } from '../world.ts';
import { route } from './route.ts';

const CREATES_PER_DAY = 200;
const MOST: Readonly<Record<number, number>> = { [T.ChatInput]: 100, [T.User]: 15, [T.Message]: 15 };
const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;

const scopeOf = (request: Request): string | null => {
  if (request.params['application'] !== request.world.app.id) throw refused(20001);
  const id = request.params['guild'] ?? null;
  if (id === null) return null;
  const guild = guildOf(request.world, id);
  if (guild === null || !guild.members.has(request.world.app.id)) throw refused(50001);
  return guild.id;
};

/** The characters that count towards the 8000 of a command. */
const sizeOf = (given: Json): number =>
  textIn(given, 'name').length +
  textIn(given, 'description').length +
  listIn(given, 'options').reduce((sum, one) => sum + sizeOf(one), 0) +
  listIn(given, 'choices').reduce((sum, one) => sum + textIn(one, 'name').length + textOf(one['value']).length, 0);

const localeProblems = (given: Json, at: string): readonly Problem[] => {
  const names = isObject(given['name_localizations']) ? given['name_localizations'] : {};
  return Object.entries(names)
    .filter(([, name]) => typeof name === 'string' && (!NAME.test(name) || name !== name.toLowerCase()))
    .map(([locale]) => ({
      at: `${at}name_localizations.${locale}`,
      code: 'APPLICATION_COMMAND_INVALID_NAME',
      message: 'Command name is invalid',
    }));
};

const optionProblems = (given: Json, at: string): readonly Problem[] => {
  const options = listIn(given, 'options');
  const problems: Problem[] = [];
  if (options.length > 25) problems.push(badLength(`${at}options`, 0, 25));
  let optional = false;
  const names = new Set<string>();
  options.forEach((option, n) => {
    const here = `${at}options.${n}.`;
    const name = textIn(option, 'name');
    if (!NAME.test(name) || name !== name.toLowerCase())
      problems.push({ at: `${here}name`, code: 'APPLICATION_COMMAND_INVALID_NAME', message: 'Command name is invalid' });
    if (names.has(name))
      problems.push({ at: `${at}options`, code: 'APPLICATION_COMMAND_OPTIONS_NAME_INVALID', message: 'Option names must be unique' });
    names.add(name);
    const description = textIn(option, 'description');
    if (description.length < 1 || description.length > 100) problems.push(badLength(`${here}description`, 1, 100));
    const choices = listIn(option, 'choices');
    if (choices.length > 25) problems.push(badLength(`${here}choices`, 0, 25));
    choices.forEach((choice, m) => {
      if (textIn(choice, 'name').length < 1 || textIn(choice, 'name').length > 100)
        problems.push(badLength(`${here}choices.${m}.name`, 1, 100));
      if (typeof choice['value'] === 'string' && choice['value'].length > 100) problems.push(tooLong(`${here}choices.${m}.value`, 100));
    });
    if (choices.length > 0 && option['autocomplete'] === true)
      problems.push({
        at: `${here}autocomplete`,
        code: 'APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_CHOICES',
        message: 'Cannot have choices with autocomplete',
      });
    if (option['required'] === true && optional)
      problems.push({
        at: here.slice(0, -1),
        code: 'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
        message: 'Required options must be placed before non-required options',
      });
    if (option['required'] !== true) optional = true;
    problems.push(...localeProblems(option, here), ...optionProblems(option, here));
  });
  return problems;
};

const problemsOf = (given: Json, at: string): readonly Problem[] => {
  const type = numberIn(given, 'type', T.ChatInput);
  const name = textIn(given, 'name');
  if (name === '') return [required(`${at}name`)];
  const problems: Problem[] = [];
  if (type === T.ChatInput) {
    if (!NAME.test(name) || name !== name.toLowerCase())
      problems.push({ at: `${at}name`, code: 'APPLICATION_COMMAND_INVALID_NAME', message: 'Command name is invalid' });
    const description = textIn(given, 'description');
    if (description.length < 1 || description.length > 100) problems.push(badLength(`${at}description`, 1, 100));
    problems.push(...optionProblems(given, at), ...localeProblems(given, at));
  } else {
    if (name.length > 32) problems.push(badLength(`${at}name`, 1, 32));
    if (textIn(given, 'description') !== '')
      problems.push({
        at: `${at}description`,
        code: 'APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_CANNOT_BE_SET',
        message: 'Context menu commands cannot have description',
      });
  }
  if (sizeOf(given) > 8000) problems.push({ at, code: 'APPLICATION_COMMAND_TOO_LARGE', message: 'Command exceeds maximum size (8000)' });
  return problems;
};

const shapeOf = ({ world }: Request, command: Command): Json => ({
  id: command.id,
  application_id: world.app.id,
  version: command.version,
  default_member_permissions: null,
  type: command.type,
  name: command.name,
  name_localizations: null,
  description: '',
  description_localizations: null,
  nsfw: false,
  ...(command.guild === null ? { contexts: [0, 1, 2], integration_types: [0], dm_permission: true } : { guild_id: command.guild }),
  ...command.body,
});

/** Creates a command, or replaces the one of the same name and type. Only new ones count against the day. */
const put = (request: Request, guild: string | null, given: Json): Command => {
  const { world } = request;
  const type = numberIn(given, 'type', T.ChatInput);
  const name = textIn(given, 'name');
  const there = world.app.commands.find((one) => one.guild === guild && one.type === type && one.name === name);
  if (there !== undefined) {
    if (JSON.stringify(there.body) !== JSON.stringify(given)) there.version = world.newId();
    there.body = given;
    return there;
  }
  const same = world.app.commands.filter((one) => one.guild === guild && one.type === type);
  if (same.length >= (MOST[type] ?? 0)) throw refused(30032);
  const scope = guild ?? 'global';
  const today = world.app.commandCreates.filter((one) => one.scope === scope && one.at > world.clock.now() - 24 * 3_600_000);
  if (today.length >= CREATES_PER_DAY) throw refused(30034);
  world.app.commandCreates.push({ scope, at: world.clock.now() });
  const command: Command = { id: world.newId(), guild, type, name, version: world.newId(), body: given };
  world.app.commands.push(command);
  return command;
};

const overwrite = (request: Request): readonly Json[] => {
  const { world } = request;
  const guild = scopeOf(request);
  const given = request.list.filter(isObject);
  const problems = given.flatMap((one, n) => problemsOf(one, `${n}.`));
  const keys = given.map((one) => `${numberIn(one, 'type', T.ChatInput)} ${textIn(one, 'name')}`);
  keys.forEach((key, n) => {
    if (keys.indexOf(key) !== n)
      problems.push({ at: String(n), code: 'APPLICATION_COMMANDS_DUPLICATE_NAME', message: 'Application command names must be unique' });
  });
  if (problems.length > 0) throw invalidForm(...problems);
  for (const [type, most] of Object.entries(MOST))
    if (given.filter((one) => numberIn(one, 'type', T.ChatInput) === Number(type)).length > most) throw refused(30032);
  const gone = world.app.commands.filter((one) => one.guild === guild && !keys.includes(`${one.type} ${one.name}`));
  for (const one of gone) world.app.commands.splice(world.app.commands.indexOf(one), 1);
  return given.map((one) => shapeOf(request, put(request, guild, one)));
};

const one = (request: Request): Command => {
  const guild = scopeOf(request);
  const found = request.world.app.commands.find((command) => command.id === request.params['command'] && command.guild === guild);
  if (found === undefined) throw refused(10063);
  return found;
};

export const commandRoutes = ['/applications/:application/commands', '/applications/:application/guilds/:guild/commands'].flatMap(
  (path) => [
    route('PUT', path, overwrite),
    route('GET', path, (request) => {
      const guild = scopeOf(request);
      return request.world.app.commands.filter((command) => command.guild === guild).map((command) => shapeOf(request, command));
    }),
    route(
      'POST',
      path,
      (request) => {
        const guild = scopeOf(request);
        const problems = problemsOf(request.body, '');
        if (problems.length > 0) throw invalidForm(...problems);
        return shapeOf(request, put(request, guild, request.body));
      },
      { status: 201 },
    ),
    route('GET', `${path}/:command`, (request) => shapeOf(request, one(request))),
    route('PATCH', `${path}/:command`, (request) => {
      const command = one(request);
      const body = { ...command.body, ...request.body };
      const problems = problemsOf(body, '');
      if (problems.length > 0) throw invalidForm(...problems);
      command.body = body;
      command.version = request.world.newId();
      return shapeOf(request, command);
    }),
    route('DELETE', `${path}/:command`, (request) => {
      request.world.app.commands.splice(request.world.app.commands.indexOf(one(request)), 1);
      return undefined;
    }),
  ],
);
