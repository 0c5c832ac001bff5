/** What came of reading a page, and what reading needs of it. */
import { z } from 'zod';

export const pageSchema = z.object({
  url: z.string(),
  type: z.string(),
  charset: z.string().nullable(),
  body: z.instanceof<typeof Uint8Array<ArrayBufferLike>>(Uint8Array),
});
export type Page = z.infer<typeof pageSchema>;

export const readingSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('read'),
    title: z.string(),
    text: z.string(),
    /** Lines for the reader: how many pages a PDF has, what is left out. */
    notes: z.array(z.string()),
    /** It is a page to log in. */
    login: z.boolean(),
  }),
  z.object({ kind: z.literal('unreadable'), why: z.string() }),
]);
export type Reading = z.infer<typeof readingSchema>;

export const unreadable = (why: string): Reading => ({ kind: 'unreadable', why });
