/** The gateway, with the real discord.js: ready, what is told by which intents, and every way in which a connection ends. */
import { Events, GatewayIntentBits as I } from 'discord.js';
import type { Client, Message } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { createStand, MODEST } from './testing.ts';

const heard = (client: Client): Message[] => {
  const messages: Message[] = [];
  client.on(Events.MessageCreate, (message) => void messages.push(message));
  return messages;
};

describe('the gateway', () => {
  it('answers a mention in a thread that is opened on it, and shows both', async () => {
    await using stand = await createStand();
    const client = await stand.login();
    client.on(Events.MessageCreate, (message) => {
      if (message.author.bot) return;
      void message.startThread({ name: 'An answer' }).then((thread) => thread.send('42'));
    });
    expect(client.user.username).toBe('Hektor');
    expect(client.guilds.cache.first()?.channels.cache.size).toBe(3);
    const { id } = await stand.control.say({ user: 'alice', channel: 'general', text: '@hektor what is 6 * 7?' });
    const answer = await stand.control.until(async () => {
      const [thread] = await stand.control.threads({ channel: 'general' });
      return thread !== undefined && (await stand.control.messages({ channel: thread.id })).find((one) => one.text === '42');
    }, 'the answer');
    expect(answer.bot).toBe(true);
    expect(answer.channel).toBe(id);
  });

  it('empties messages without the content intent, but for mentions, own ones and direct messages', async () => {
    await using stand = await createStand();
    const messages = heard(await stand.login());
    await stand.control.say({ user: 'alice', channel: 'general', text: 'among us', files: [{ name: 'a.txt', text: 'x' }] });
    await stand.control.say({ user: 'alice', channel: 'general', text: '@hektor for you' });
    await stand.control.dm({ user: 'alice', text: 'in private' });
    await stand.control.until(async () => messages.length === 3);
    expect(messages.map((one) => one.content)).toEqual(['', `<@${stand.server.applicationId}> for you`, 'in private']);
    expect(messages[0]?.attachments.size).toBe(0);
    expect(messages[2]?.channel.isDMBased()).toBe(true);
  });

  it('reads everything with the content intent', async () => {
    await using stand = await createStand();
    const messages = heard(await stand.login({ intents: [...MODEST, I.MessageContent] }));
    await stand.control.say({ user: 'alice', channel: 'general', text: 'among us' });
    await stand.control.until(async () => messages[0]?.content === 'among us');
  });
});
