/** Making workspaces, people, channels and installations. */
import { randomBytes } from 'node:crypto';
import type { Channel, Installation, Person, Workspace } from './model.ts';
import { ALL_SCOPES } from './world.ts';
import type { World } from './world.ts';

export const addWorkspace = (
  world: World,
  given: { readonly id: string; readonly name: string; readonly enterprise?: string | null },
): Workspace => {
  const workspace: Workspace = {
    id: given.id,
    name: given.name,
    domain: given.name.toLowerCase().replaceAll(/\W+/g, '-'),
    enterprise: given.enterprise ?? null,
  };
  world.workspaces.set(workspace.id, workspace);
  return workspace;
};

export const addPerson = (world: World, given: Pick<Person, 'id' | 'team' | 'name'> & Partial<Person>): Person => {
  const realName = given.name.replace(/^./, (letter) => letter.toUpperCase());
  const person: Person = { realName, displayName: '', guest: false, admin: false, deleted: false, bot: null, ...given };
  world.people.set(person.id, person);
  return person;
};

export const addChannel = (
  world: World,
  given: Pick<Channel, 'id' | 'team' | 'name'> & {
    readonly kind?: Channel['kind'];
    readonly members: readonly string[];
    readonly connected?: readonly string[];
  },
): Channel => {
  const channel: Channel = {
    id: given.id,
    team: given.team,
    name: given.name,
    kind: given.kind ?? 'channel',
    members: new Set(given.members),
    archived: false,
    connected: given.connected ?? [],
  };
  world.channels.set(channel.id, channel);
  return channel;
};

/** Puts the app into a workspace; `org` into a whole enterprise. The bot person is made where it is new. */
export const addInstallation = (
  world: World,
  team: string,
  given: Partial<Pick<Installation, 'botToken' | 'expiresAt' | 'refreshToken' | 'scopes'>> & { readonly org?: boolean } = {},
): Installation => {
  const first = team === 'T01LAB';
  const there = world.installations.find((one) => one.team === team);
  const botUser = there?.botUser ?? (first ? 'U0BOT' : `U0BOT${team.slice(1)}`);
  const botId = there?.botId ?? (first ? 'B0BOT' : `B0BOT${team.slice(1)}`);
  if (!world.people.has(botUser))
    addPerson(world, { id: botUser, team, name: 'hektor', realName: world.app.name, bot: { botId, appId: world.app.id } });
  const installation: Installation = {
    team: given.org === true ? null : team,
    enterprise: world.workspaces.get(team)?.enterprise ?? null,
    botToken: given.botToken ?? `xoxb-${randomBytes(12).toString('hex')}`,
    botUser,
    botId,
    scopes: [...(given.scopes ?? ALL_SCOPES)],
    state: 'active',
    expiresAt: given.expiresAt ?? null,
    refreshToken: given.refreshToken ?? null,
  };
  world.installations.unshift(installation);
  world.changed();
  return installation;
};

/** The workspace that a new stand-in begins with, by the names that the project's Slack payloads use. */
export const furnish = (world: World): void => {
  addWorkspace(world, { id: 'T01LAB', name: 'Lab' });
  addWorkspace(world, { id: 'T0PARTNER', name: 'Partner' });
  addPerson(world, { id: 'U01ALICE', team: 'T01LAB', name: 'alice', realName: 'Alice Archer', admin: true });
  addPerson(world, { id: 'U02BOB', team: 'T01LAB', name: 'bob', realName: 'Bob Baker' });
  addPerson(world, { id: 'U03GUEST', team: 'T01LAB', name: 'gus', realName: 'Gus Guest', displayName: 'Gustav', guest: true });
  addPerson(world, { id: 'U0EXTERN', team: 'T0PARTNER', name: 'erin', realName: 'Erin Extern' });
  addPerson(world, { id: 'U0OTHERBOT', team: 'T01LAB', name: 'alerts', realName: 'Alerts', bot: { botId: 'B0OTHER', appId: 'A0OTHER' } });
  addInstallation(world, 'T01LAB');
  const everyone = ['U01ALICE', 'U02BOB', 'U03GUEST', 'U0OTHERBOT', 'U0BOT'];
  addChannel(world, { id: 'C01GEN', team: 'T01LAB', name: 'general', members: everyone });
  addChannel(world, { id: 'C02LAB', team: 'T01LAB', name: 'lab', members: everyone });
  addChannel(world, { id: 'C03QUIET', team: 'T01LAB', name: 'quiet', members: ['U01ALICE', 'U02BOB'] });
  addChannel(world, { id: 'G01SECRET', team: 'T01LAB', name: 'secret', kind: 'group', members: ['U01ALICE', 'U0BOT'] });
  addChannel(world, {
    id: 'C0SHARED',
    team: 'T01LAB',
    name: 'partners',
    members: ['U01ALICE', 'U02BOB', 'U0EXTERN', 'U0BOT'],
    connected: ['T0PARTNER'],
  });
  addChannel(world, { id: 'D01ALICE', team: 'T01LAB', name: 'alice', kind: 'im', members: ['U01ALICE', 'U0BOT'] });
  addChannel(world, { id: 'D02BOB', team: 'T01LAB', name: 'bob', kind: 'im', members: ['U02BOB', 'U0BOT'] });
};
