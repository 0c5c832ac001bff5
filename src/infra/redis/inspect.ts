/** What a doctor wants to know of a Redis: version, and whether it keeps what it is given. */
import type { RedisClient } from './connection.ts';
import { attempt } from './attempt.ts';
import type { Failure } from '../../core/failure.ts';
import type { Result } from '../../core/result.ts';

export type RedisReport = { readonly version: string; readonly appendOnly: boolean; readonly evictionPolicy: string };

export const inspectRedis = (client: RedisClient): Promise<Result<RedisReport, Failure>> =>
  attempt(async () => {
    const info = await client.info();
    const field = (name: string): string => new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim() ?? '';
    return { version: field('redis_version'), appendOnly: field('aof_enabled') === '1', evictionPolicy: field('maxmemory_policy') };
  });
