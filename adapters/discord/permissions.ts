/** What somebody with these roles may do in a channel. Pure. https://docs.discord.com/developers/topics/permissions#permission-overwrites */
import { z } from 'zod';

const bits = z.union([z.string(), z.number()]).transform((text) => BigInt(text));
const overwriteSchema = z.object({ id: z.string(), type: z.number(), allow: bits, deny: bits });
export const permittedChannelSchema = z.object({
  id: z.string(),
  type: z.number(),
  name: z.string().nullish(),
  permission_overwrites: z.array(overwriteSchema).default([]),
});
export type PermittedChannel = z.infer<typeof permittedChannelSchema>;
export const permittedRoleSchema = z.object({ id: z.string(), permissions: bits });
export type PermittedRole = z.infer<typeof permittedRoleSchema>;

const ADMINISTRATOR = 1n << 3n;
const ALL = (1n << 60n) - 1n;

/** What the roles allow in the whole server. The role of everybody has the server's own id. */
export const basePermissions = (guild: string, roles: readonly PermittedRole[], mine: readonly string[]): bigint => {
  const all = roles.filter(({ id }) => id === guild || mine.includes(id)).reduce((sum, { permissions }) => sum | permissions, 0n);
  return (all & ADMINISTRATOR) === 0n ? all : ALL;
};

/** What is left of it in a channel: first what everybody has, then the roles, then the person. */
export const permissionsIn = (
  channel: Pick<PermittedChannel, 'permission_overwrites'>,
  base: bigint,
  who: { readonly guild: string; readonly roles: readonly string[]; readonly user: string },
): bigint => {
  if (base === ALL) return base;
  const over = channel.permission_overwrites;
  const apply = (now: bigint, chosen: typeof over): bigint =>
    (now & ~chosen.reduce((sum, { deny }) => sum | deny, 0n)) | chosen.reduce((sum, { allow }) => sum | allow, 0n);
  const everybody = apply(
    base,
    over.filter(({ id }) => id === who.guild),
  );
  const roles = apply(
    everybody,
    over.filter(({ id }) => who.roles.includes(id)),
  );
  return apply(
    roles,
    over.filter(({ id }) => id === who.user),
  );
};
