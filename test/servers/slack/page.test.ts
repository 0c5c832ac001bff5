/** The page: what a newcomer sees and does, in a real browser. */
import { App } from '@slack/bolt';
import { describe, expect, it } from 'vitest';
import { startBrowser } from '../../support/browser.ts';
import { createStand, silent } from './testing.ts';

describe('the page', () => {
  it('sends what is typed, shows the streamed answer in the thread, passes a press on, refuses commands in threads', async () => {
    await using stand = await createStand();
    const app = new App({
      token: stand.server.botToken,
      appToken: stand.server.appToken,
      socketMode: true,
      clientOptions: { slackApiUrl: stand.server.apiUrl },
      logger: silent,
    });
    app.event('app_mention', async ({ event, client }) => {
      const streamer = client.chatStream({
        channel: event.channel,
        thread_ts: event.ts,
        recipient_user_id: event.user ?? '',
        recipient_team_id: event.team ?? '',
        buffer_size: 1,
      });
      await streamer.append({ markdown_text: 'a **bold** word, &lt;!here&gt; and <@U02BOB>' });
      await streamer.stop({
        blocks: [
          { type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Again' }, action_id: 'again', value: 'v' }] },
        ],
      });
    });
    app.action('again', async ({ ack, client, body }) => {
      await ack();
      const message = 'message' in body ? body.message : undefined;
      await client.chat.postMessage({
        channel: 'C01GEN',
        text: `again for <@${body.user.id}>`,
        thread_ts: message?.['thread_ts'] as string,
      });
    });
    await app.start();
    const browser = await startBrowser();
    try {
      const page = await browser.newPage();
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(error.message));
      await page.goto(stand.server.baseUrl);
      await page.getByRole('textbox', { name: 'Message #general' }).fill('@hektor hello `x < 1`');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: '1 reply' }).click();
      const thread = page.getByRole('complementary', { name: 'Thread' });
      await thread.getByText('bold').waitFor();
      expect(await thread.locator('.markdown').innerText()).toContain('a bold word, <!here> and @bob');
      expect(await thread.locator('.mention.loud').count()).toBe(0);
      await thread.getByRole('button', { name: 'Again' }).click();
      await thread.getByText('again for @alice').waitFor();
      await thread.getByRole('textbox').fill('/hektor vars');
      await page.keyboard.press('Enter');
      await page.getByText('not supported in threads').waitFor();
      expect((await stand.control.messages({ channel: 'C01GEN' }))[0]?.text).toBe('@hektor hello x < 1');
      expect(faults).toEqual([]);
    } finally {
      await browser.close();
      await app.stop();
    }
  });
});
