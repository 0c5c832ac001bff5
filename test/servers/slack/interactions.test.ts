/** Commands, buttons, shortcuts, modals and the Home tab, under the real Bolt. */
import { App } from '@slack/bolt';
import type { InputBlock, ModalView } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { createStand, silent } from './testing.ts';
import type { Stand } from './testing.ts';

const withApp = async (stand: Stand, prepare: (app: App) => void): Promise<AsyncDisposable> => {
  const app = new App({
    token: stand.server.botToken,
    appToken: stand.server.appToken,
    socketMode: true,
    clientOptions: { slackApiUrl: stand.server.apiUrl },
    logger: silent,
  });
  prepare(app);
  await app.start();
  return { [Symbol.asyncDispose]: async () => void (await app.stop()) };
};

const input: InputBlock = {
  type: 'input',
  block_id: 'rule',
  label: { type: 'plain_text', text: 'Rule' },
  element: { type: 'plain_text_input', action_id: 'value' },
};
const modal: ModalView = {
  type: 'modal',
  callback_id: 'settings',
  title: { type: 'plain_text', text: 'Settings' },
  submit: { type: 'plain_text', text: 'Save' },
  blocks: [input],
};

describe('interactions', () => {
  it('a response URL takes five posts, for half an hour', async () => {
    await using stand = await createStand();
    const urls: string[] = [];
    await using _ = await withApp(stand, (app) => {
      app.command('/hektor', async ({ ack, body }) => {
        await ack();
        urls.push(body.response_url);
      });
    });
    const run = () => stand.control.command({ user: 'U01ALICE', channel: 'general', command: '/hektor', text: 'ask @bob a < b' });
    const post = async (url = '') => (await fetch(url, { method: 'POST', body: JSON.stringify({ text: 'x' }) })).status;
    await run();
    const statuses = [];
    for (let n = 0; n < 6; n++) statuses.push(await post(urls[0]));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 404]);
    await run();
    await stand.control.advance({ ms: 1_801_000 });
    expect(await post(urls[1])).toBe(404);
    expect((await stand.control.sent())[0]?.payload).toMatchObject({ text: 'ask <@U02BOB|bob> a &lt; b', channel_id: 'C01GEN' });
    expect((await stand.control.sent())[0]?.payload).not.toHaveProperty('thread_ts');
  });

  it('a press carries the message, who pressed, and an address by which the message is replaced', async () => {
    await using stand = await createStand();
    await using _ = await withApp(stand, (app) => {
      app.action('retry', async ({ ack, respond, body }) => {
        await ack();
        await respond({ replace_original: true, text: `pressed by ${body.user.id}` });
      });
    });
    const { ts = '' } = await stand.web.chat.postMessage({
      channel: 'C01GEN',
      text: 'x',
      blocks: [
        { type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Retry' }, action_id: 'retry', value: 'v1' }] },
      ],
    });
    const press = stand.control.press({ user: 'U02BOB', channel: 'C01GEN', ts, button: 'Retry' });
    expect(await press).toMatchObject({ acked: true });
    await stand.control.until(async () => (await stand.control.messages({ channel: 'C01GEN' }))[0]?.text === 'pressed by U02BOB');
    expect((await stand.control.sent()).find((one) => one.kind === 'interactive')?.payload).toMatchObject({
      type: 'block_actions',
      user: { id: 'U02BOB' },
      container: { message_ts: ts },
      message: { ts },
      actions: [{ action_id: 'retry', value: 'v1' }],
    });
  });

  it('a shortcut opens a modal; errors keep it open, a good answer closes it', async () => {
    await using stand = await createStand();
    const seen: unknown[] = [];
    await using _ = await withApp(stand, (app) => {
      app.shortcut('ask_about_message', async ({ ack, client, shortcut }) => {
        await ack();
        await client.views.open({ trigger_id: shortcut.trigger_id, view: modal });
      });
      app.view('settings', async ({ ack, view }) => {
        const value = view.state.values['rule']?.['value']?.value;
        seen.push(value);
        await (value === 'bad' ? ack({ response_action: 'errors', errors: { rule: 'No such rule.' } }) : ack());
      });
    });
    await stand.control.shortcut({ user: 'U01ALICE', callbackId: 'ask_about_message', channel: 'C01GEN', ts: await stand.root() });
    await stand.control.until(() => stand.control.modal({ user: 'U01ALICE' }));
    const submit = (value: string) =>
      stand.control.submit({ user: 'U01ALICE', values: { rule: { value: { type: 'plain_text_input', value } } } });
    expect(await submit('bad')).toMatchObject({ response: { response_action: 'errors' } });
    expect(await stand.control.modal({ user: 'U01ALICE' })).not.toBeNull();
    await submit('all');
    expect(await stand.control.modal({ user: 'U01ALICE' })).toBeNull();
    expect(seen).toEqual(['bad', 'all']);
  });

  it('a trigger opens one modal, within three seconds', async () => {
    await using stand = await createStand();
    const triggers: string[] = [];
    await using _ = await withApp(stand, (app) => {
      app.command('/hektor', async ({ ack, body }) => {
        triggers.push(body.trigger_id);
        await ack();
      });
    });
    const run = () => stand.control.command({ user: 'U01ALICE', channel: 'general', command: '/hektor', text: '' });
    const open = (trigger_id = '') => stand.web.views.open({ trigger_id, view: modal });
    await run();
    await open(triggers[0]);
    expect(await stand.refusal(open(triggers[0]))).toMatchObject({ error: 'exchanged_trigger_id' });
    await run();
    await stand.control.advance({ ms: 3001 });
    expect(await stand.refusal(open(triggers[1]))).toMatchObject({ error: 'expired_trigger_id' });
    expect(await stand.refusal(open('1.2.3'))).toMatchObject({ error: 'invalid_trigger_id' });
    const { submit: _gone, ...without } = modal;
    expect(await stand.refusal(stand.web.apiCall('views.open', { trigger_id: 'x', view: without }))).toMatchObject({
      error: 'invalid_arguments',
    });
  });

  it('offers no commands to people of organisations that did not install the app', async () => {
    await using stand = await createStand();
    await using _ = await withApp(stand, (app) => {
      app.command('/hektor', async ({ ack }) => ack());
    });
    const run = (user: string) => stand.control.command({ user, channel: 'C0SHARED', command: '/hektor', text: 'help' });
    await expect(run('U0EXTERN')).rejects.toThrow('unknown_command');
    expect(await run('U01ALICE')).toMatchObject({ acked: true });
  });

  it('publishes a Home of up to 100 blocks when it is opened; guests stay out while Agents are on', async () => {
    await using stand = await createStand();
    const blocks = (count: number) => Array.from({ length: count }, () => ({ type: 'divider' }));
    const publish = (count: number) => stand.web.views.publish({ user_id: 'U01ALICE', view: { type: 'home', blocks: blocks(count) } });
    expect(await stand.refusal(publish(101))).toMatchObject({ error: 'invalid_blocks' });
    await publish(100);
    expect((await stand.control.home({ user: 'U01ALICE' }))?.['blocks']).toHaveLength(100);
    await stand.control.openHome({ user: 'U01ALICE' });
    expect((await stand.control.sent())[0]?.payload['event']).toMatchObject({ type: 'app_home_opened', tab: 'home' });
    await expect(stand.control.command({ user: 'U03GUEST', channel: 'general', command: '/hektor', text: '' })).rejects.toThrow('guests');
  });

  it('keeps the status of an agent session, in the newer and in the older way', async () => {
    await using stand = await createStand();
    const thread = await stand.root();
    const at = { channel_id: 'C01GEN', thread_ts: thread };
    await stand.web.apiCall('agents.sessions.setStatus', { ...at, status: 'processing', title: 'A title' });
    expect(await stand.control.session({ channel: 'C01GEN', thread })).toMatchObject({ status: 'processing', title: 'A title' });
    await stand.web.apiCall('agents.sessions.rename', { ...at, title: 'Another' });
    await stand.web.assistant.threads.setStatus({ ...at, status: 'is thinking…' });
    expect(await stand.control.session({ channel: 'C01GEN', thread })).toMatchObject({ title: 'Another', legacyStatus: 'is thinking…' });
    expect(await stand.refusal(stand.web.apiCall('agents.sessions.rename', { ...at, title: 'x'.repeat(201) }))).toMatchObject({
      error: 'invalid_arguments',
    });
    await stand.control.app({ agents: false });
    expect(await stand.refusal(stand.web.apiCall('agents.sessions.setStatus', { ...at, status: 'active' }))).toMatchObject({
      error: 'feature_not_enabled',
    });
  });
});
