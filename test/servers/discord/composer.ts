/** What a person types, as Discord's own composer would send it. */
import { guildOf } from './world.ts';
import type { World } from './world.ts';

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** `@name`, `@role` and `#channel` become tokens where there is one of that name; `@everyone` and `@here` stay words. */
export const compose = (world: World, guildId: string | null, text: string): string => {
  const guild = guildOf(world, guildId);
  const tokens = new Map<string, string>();
  // Last wins: a person has the name rather than a role.
  for (const role of guild?.roles.values() ?? []) if (role.id !== guild?.id) tokens.set(`@${role.name}`, `<@&${role.id}>`);
  for (const user of world.users.values()) tokens.set(`@${user.username}`, `<@${user.id}>`);
  for (const channel of world.channels.values())
    if (channel.guild === guildId && channel.thread === null && guildId !== null) tokens.set(`#${channel.name}`, `<#${channel.id}>`);
  const names = [...tokens.keys()].toSorted((a, b) => b.length - a.length);
  if (names.length === 0) return text;
  const found = new RegExp(`(?<![\\w<])(${names.map(escape).join('|')})(?![\\w-])`, 'giu');
  const lower = new Map([...tokens].map(([name, token]) => [name.toLowerCase(), token]));
  return text
    .split(/(```[\s\S]*?```|`[^`\n]+`)/)
    .map((part, n) => (n % 2 === 1 ? part : part.replaceAll(found, (name) => lower.get(name.toLowerCase()) ?? name)))
    .join('');
};
