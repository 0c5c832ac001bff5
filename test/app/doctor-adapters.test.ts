import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toLines } from '../../src/app/doctor.ts';
import { examineAdapters } from '../../src/app/doctor-adapters.ts';
import { installText } from '../../src/app/operator.ts';
import { failure } from '../../src/core/failure.ts';
import { advice, fault, good } from '../../src/core/finding.ts';
import { err, ok } from '../../src/core/result.ts';
import type { Adapter, AdapterFactory } from '../../src/ports/adapter.ts';
import { startRedis } from '../support/redis.ts';
import type { TestRedis } from '../support/redis.ts';
import { codeOf, valueOf } from '../support/results.ts';
import { startStoreProcess } from '../support/store-process.ts';
import { createTestLog } from '../support/test-log.ts';
import { until } from '../support/until.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

const limits = { postChars: 1, filesPerPost: 1, fileBytes: 1, draftIntervalMs: 1 };
const never = () => Promise.resolve(err(failure('interrupted', {})));
const factory = (name: string, check?: NonNullable<Adapter['check']>): AdapterFactory => ({
  name,
  create: () => ok({ name, limits, inbound: never, outbound: never, ...(check === undefined ? {} : { check }) }),
});
const examine = (...adapters: AdapterFactory[]) =>
  examineAdapters({ env: {}, encryptionKey: null, client: redis.look(), log: createTestLog().log, adapters });

describe('the doctor and the platforms', () => {
  it('prints what an adapter found, each fault with its fix', async () => {
    const found = await examine(
      factory('slack', async () => [
        good('Slack', 'the token is right'),
        fault('Slack', 'chat:write is not granted', 'Tick it, install again'),
      ]),
      factory('web'),
    );
    expect(toLines(found)).toEqual([
      '  ok    Slack: the token is right',
      '  FAULT Slack: chat:write is not granted',
      '          what to do: Tick it, install again',
    ]);
  });
  it('names every problem of settings, leaves out what is not set up, and outlives a check that throws', async () => {
    const wrong = (): ReturnType<AdapterFactory['create']> =>
      err(failure('config-invalid', { problems: ['SLACK_BOT_TOKEN: is no token', 'b'] }));
    const found = await examine(
      { name: 'slack', create: wrong },
      { name: 'irc', create: () => ok(null) },
      factory('discord', () => Promise.reject(new Error('a bug'))),
    );
    expect(found.map(({ of, kind, text }) => [of, kind, text])).toEqual([
      ['slack', 'fault', 'SLACK_BOT_TOKEN: is no token'],
      ['slack', 'fault', 'b'],
      ['discord', 'fault', expect.stringContaining('a bug')],
    ]);
  });
  it('lets checks use secrets and shared facts, which say what they lack', async () => {
    const found = await examine(
      factory('slack', async ({ secrets, shared }) => {
        valueOf(await shared.set('x', '1', null));
        return [advice('Slack', codeOf(await secrets.get('T1'))), good('Slack', valueOf(await shared.get('x')) ?? '')];
      }),
    );
    expect(found.map(({ text }) => text)).toEqual(['config-invalid', '1']);
  });
  it('tells how many deliveries were given up, why, and how they are put back', async () => {
    await using stores = await startStoreProcess(redis.url);
    valueOf(await stores.inbox('slack').put({ id: '1', lane: 'a', payload: 'x' }));
    {
      await using _ = stores.inbox('slack').open(async () => err(failure('request-malformed', { what: 'x' })));
      await until(async () => (await stores.dead('slack')) === 1, 'it is given up');
    }
    expect(await examine(factory('slack'))).toMatchObject([
      { kind: 'advice', text: '1 delivery was given up (the newest: request-malformed)', fix: expect.stringContaining('--requeue=slack') },
    ]);
  });
});

describe('what installs a bot', () => {
  const slack = { ...factory('slack'), install: (env: { readonly [name: string]: string | undefined }) => ok(`{"name":"${env['NAME']}"}`) };
  it('is the adapter’s own text, from the environment', () => {
    expect(valueOf(installText('slack', { NAME: 'Hektor' }, [factory('web'), slack]))).toBe('{"name":"Hektor"}');
  });
  it('says for which platforms there is something, where there is nothing', () => {
    for (const name of ['web', 'irc'])
      expect(installText(name, {}, [factory('web'), slack])).toMatchObject({
        failure: { code: 'config-invalid', problems: [expect.stringMatching(/it takes slack$/)] },
      });
  });
});
