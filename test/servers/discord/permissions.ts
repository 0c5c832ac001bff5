/** What somebody may do in a channel, computed as Discord documents it: roles, then the channel's overwrites, then what follows from them. */
import { PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { Channel, Guild } from './model.ts';
import { ChannelType } from './numbers.ts';
import { refused } from './rest-fault.ts';
import { channelAt, guildOf } from './world.ts';
import type { World } from './world.ts';

export const ALL: bigint = Object.values(P).reduce((sum, bit) => sum | bit, 0n);

/** What everybody may do in a new server. */
export const EVERYONE: bigint =
  P.ViewChannel |
  P.SendMessages |
  P.SendMessagesInThreads |
  P.CreatePublicThreads |
  P.EmbedLinks |
  P.AttachFiles |
  P.ReadMessageHistory |
  P.AddReactions |
  P.UseApplicationCommands |
  P.UseExternalEmojis |
  P.UseExternalApps |
  P.MentionEveryone |
  P.ChangeNickname;

/** The permissions that the bot's invitation asks for. */
export const INVITED = 397_284_592_704n;

export const isThread = (channel: Channel): boolean => channel.thread !== null;

const guildPermissions = (guild: Guild, user: string): bigint => {
  if (guild.owner === user) return ALL;
  const member = guild.members.get(user);
  if (member === undefined) return 0n;
  let bits = guild.roles.get(guild.id)?.permissions ?? 0n;
  for (const id of member.roles) bits |= guild.roles.get(id)?.permissions ?? 0n;
  return (bits & P.Administrator) === 0n ? bits : ALL;
};

const DIRECT =
  P.ViewChannel | P.SendMessages | P.ReadMessageHistory | P.AddReactions | P.AttachFiles | P.EmbedLinks | P.UseApplicationCommands;

/** All that `user` may do in `channel`. In threads SEND_MESSAGES stands for the right to send there. */
export const permissionsIn = (world: World, channel: Channel, user: string): bigint => {
  const guild = guildOf(world, channel.guild);
  if (guild === null) return channel.recipients.includes(user) ? DIRECT : 0n;
  let bits = guildPermissions(guild, user);
  if (bits === ALL) return ALL;
  const member = guild.members.get(user);
  if (member === undefined) return 0n;
  const { overwrites } = isThread(channel) ? (channelAt(world, channel.parent) ?? channel) : channel;
  const apply = (ids: readonly string[]): void => {
    const found = overwrites.filter((one) => ids.includes(one.id));
    bits = (bits & ~found.reduce((sum, one) => sum | one.deny, 0n)) | found.reduce((sum, one) => sum | one.allow, 0n);
  };
  apply([guild.id]);
  apply(member.roles);
  apply([user]);
  if ((bits & P.ViewChannel) === 0n) return 0n;
  const thread = channel.thread;
  if (thread !== null) {
    if (channel.type === ChannelType.PrivateThread && !thread.members.has(user) && (bits & P.ManageThreads) === 0n) return 0n;
    bits = (bits & P.SendMessagesInThreads) === 0n ? bits & ~P.SendMessages : bits | P.SendMessages;
  }
  return (bits & P.SendMessages) === 0n ? bits & ~(P.MentionEveryone | P.AttachFiles | P.EmbedLinks) : bits;
};

export const may = (world: World, channel: Channel, user: string, bit: bigint): boolean =>
  (permissionsIn(world, channel, user) & bit) === bit;

/** Refuses with Missing Access where the channel cannot be seen, with Missing Permissions where something else lacks. */
export const need = (world: World, channel: Channel, user: string, bits: bigint): void => {
  const has = permissionsIn(world, channel, user);
  if ((has & P.ViewChannel) === 0n) throw refused(50001);
  if ((has & bits) !== bits) throw refused(50013);
};

export { P };
