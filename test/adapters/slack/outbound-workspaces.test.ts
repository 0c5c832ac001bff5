/** U113: each workspace is written to with its own token, whichever came first and whatever they share. */
import { afterEach, describe, expect, it } from 'vitest';
import { readSlackConfig } from '../../../adapters/slack/config.ts';
import { installationName } from '../../../adapters/slack/install/installation.ts';
import { createOutbound } from '../../../adapters/slack/outbound.ts';
import { conversationIdOf, messageId, turnId } from '../../../src/core/ids.ts';
import { startSlackServer } from '../../servers/slack/server.ts';
import { createMemoryDeps } from '../../support/memory-ports.ts';

describe('many workspaces', { timeout: 60_000 }, () => {
  const open: AsyncDisposable[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).toReversed()) await one[Symbol.asyncDispose]();
  });

  it('U113: answers in T1 and T2 with the token of each; a workspace that removed the app is refused', async () => {
    const slack = await startSlackServer();
    open.push(slack);
    await slack.control.workspace({ id: 'T02SHOP', name: 'Shop' });
    await slack.control.person({ id: 'U09ZOE', team: 'T02SHOP', name: 'zoe' });
    const shop = await slack.control.install({ team: 'T02SHOP' });
    await slack.control.channel({ id: 'C09SHOP', team: 'T02SHOP', name: 'shop', members: ['U09ZOE', shop.botUser] });
    const { outbound: deps } = createMemoryDeps();
    const config = readSlackConfig({
      SLACK_API_URL: slack.apiUrl,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_CLIENT_ID: slack.clientId,
      SLACK_CLIENT_SECRET: slack.clientSecret,
      SLACK_STATE_SECRET: 'a secret of the test',
      SLACK_PUBLIC_URL: 'https://hektor.example',
      HEKTOR_ENCRYPTION_KEY: 'x'.repeat(44),
    });
    if (!config.ok || config.value === null) throw new Error('the settings of the test are wrong');
    const stored = (team: string, token: string, userId: string) =>
      deps.secrets.put(installationName(team), JSON.stringify({ team: { id: team }, bot: { token, userId } }));
    await stored('T01LAB', slack.botToken, slack.botUser);
    await stored('T02SHOP', shop.botToken, shop.botUser);
    const outbound = createOutbound(deps, config.value);
    open.push(outbound);
    const post = async (workspace: string, channel: string, user: string) => {
      const said = await slack.control.say({ user, channel, text: 'hi' });
      const conversation = conversationIdOf({ platform: 'slack', workspace, channel, thread: said.ts });
      return outbound.perform(conversation, {
        op: 'post',
        key: `${workspace}:answer`,
        turn: turnId('T'),
        message: messageId('T'),
        kind: 'answer',
        text: `Hello ${workspace}.`,
        status: 'complete',
        files: [],
        run: null,
        privateTo: null,
        origin: { user, team: workspace },
        actions: [],
        approval: null,
      });
    };
    expect(await Promise.all([post('T01LAB', 'C01GEN', 'U01ALICE'), post('T02SHOP', 'C09SHOP', 'U09ZOE')])).toMatchObject([
      { ok: true },
      { ok: true },
    ]);
    const calls = await slack.control.calls({ method: 'chat.postMessage' });
    expect(new Set(calls.map((call) => `${String(call.args['channel'])} ${String(call.team)}`))).toEqual(
      new Set(['C01GEN T01LAB', 'C09SHOP T02SHOP']),
    );
    expect((await slack.control.messages({ channel: 'C09SHOP' })).at(-1)?.user).toBe(shop.botUser);
    const gone = await post('T0PARTNER', 'C0SHARED', 'U0EXTERN');
    expect(gone.ok ? '' : gone.failure.code).toBe('config-invalid');
  });
});
