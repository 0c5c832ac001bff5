/** The page: what a newcomer sees and does, in a real browser, with a bot of the real discord.js on the other side. */
import { GatewayIntentBits as I, MessageFlags, Routes } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { startBrowser } from '../../support/browser.ts';
import { createStand, MODEST, oneButton, oneField } from './testing.ts';

describe('the page', () => {
  it('sends what is typed, opens the thread of the answer, shows its Markdown, completes and sends commands, passes presses and modals on', async () => {
    await using stand = await createStand();
    await stand.rest.put(Routes.applicationCommands(stand.server.applicationId), {
      body: [{ name: 'model', description: 'Choose', options: [{ type: 3, name: 'which', description: 'Its name', autocomplete: true }] }],
    });
    const client = await stand.login({ intents: [...MODEST, I.MessageContent] });
    client.on('messageCreate', (message) => {
      if (message.author.bot) return;
      void message.startThread({ name: 'Six times seven' }).then((thread) =>
        thread.send({
          content: '**bold** __under__ `x < 1` <b>no</b>\n- one\n```py\nprint(42)\n```',
          files: [{ name: 'data.csv', attachment: Buffer.from('a,b') }],
          components: [oneButton('s', 'Settings')],
        }),
      );
    });
    client.on('interactionCreate', (one) => {
      if (one.isAutocomplete()) void one.respond([{ name: 'thorough', value: 'thorough' }]);
      if (one.isChatInputCommand()) void one.reply({ content: `model ${one.options.getString('which')}`, flags: MessageFlags.Ephemeral });
      if (one.isButton()) void one.showModal(oneField('Persona'));
      if (one.isModalSubmit()) void one.reply(`now ${one.fields.getTextInputValue('field')}`);
    });
    const browser = await startBrowser();
    try {
      const page = await browser.newPage();
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(error.message));
      await page.goto(stand.server.baseUrl);
      const box = page.getByRole('textbox', { name: 'Message #general' });
      await box.fill('/model which:');
      await page.getByRole('listitem').filter({ hasText: 'thorough' }).click();
      await page.keyboard.press('Enter');
      await page.getByText('model thorough').waitFor();
      await box.fill('@hektor what is 6 * 7?');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: /Six times seven 1 message/ }).click();
      const text = page.locator('.message .text').last();
      await text.waitFor();
      expect(await text.locator('strong').innerText()).toBe('bold');
      expect(await text.locator('u').innerText()).toBe('under');
      expect(await text.locator('pre').innerText()).toBe('print(42)');
      expect(await text.innerText()).toContain('<b>no</b>');
      expect(await page.getByRole('link', { name: /data.csv/ }).getAttribute('href')).toContain('ex=');
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByRole('dialog').getByRole('textbox').fill('a pirate');
      await page.getByRole('button', { name: 'Submit' }).click();
      await page.getByText('now a pirate').waitFor();
      expect(faults).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
