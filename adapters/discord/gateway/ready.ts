/** The first event of a fresh session: who the bot is, and which servers will be told of. Pure. */
import { z } from 'zod';
import type { Self } from './front.ts';

const schema = z.object({
  user: z.object({ id: z.string() }),
  application: z.object({ id: z.string() }),
  guilds: z.array(z.object({ id: z.string() })).default([]),
});

export const readReady = (data: unknown): { readonly self: Self; readonly guilds: readonly string[] } | null => {
  const read = schema.safeParse(data);
  if (!read.success) return null;
  const { user, application, guilds } = read.data;
  return { self: { id: user.id, application: application.id }, guilds: guilds.map(({ id }) => id) };
};
