import { z } from 'zod';
import type { Failure } from '../../src/core/failure.ts';
import { failure } from '../../src/core/failure.ts';
import type { Result } from '../../src/core/result.ts';
import { err, ok } from '../../src/core/result.ts';

/**
 * `token`: what a caller must show; null: only this machine may call. `hosts`: names under which the page may be reached beside
 * loopback, lower case, each with or without a port; empty with a token: any.
 */
export type WebConfig = { readonly token: string | null; readonly hosts: readonly string[] };

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/;

const schema = z.object({
  HEKTOR_WEB_TOKEN: z
    .string()
    .trim()
    .refine((token) => token === '' || token.length >= 16, 'HEKTOR_WEB_TOKEN must have at least 16 characters')
    .optional(),
  HEKTOR_WEB_HOSTS: z
    .string()
    .transform((list) =>
      list
        .split(',')
        .map((host) => host.trim().toLowerCase())
        .filter((host) => host !== ''),
    )
    .refine((hosts) => hosts.every((host) => HOST.test(host)), 'HEKTOR_WEB_HOSTS must be host names, separated by commas')
    .optional(),
});

/** Reads the web adapter's settings from the environment; every problem is reported at once. */
export const readWebConfig = (env: { readonly [name: string]: string | undefined }): Result<WebConfig, Failure> => {
  const read = schema.safeParse(env);
  if (!read.success) return err(failure('config-invalid', { problems: read.error.issues.map((issue) => issue.message) }));
  const token = read.data.HEKTOR_WEB_TOKEN ?? '';
  return ok({ token: token === '' ? null : token, hosts: read.data.HEKTOR_WEB_HOSTS ?? [] });
};
