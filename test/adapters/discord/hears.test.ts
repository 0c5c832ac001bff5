/** Whom the listening half hears, over real sockets: mentions, threads, direct messages, and what is none of its business. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultChannelSettings } from '../../../src/core/channel-settings.ts';
import { conversationIdOf } from '../../../src/core/ids.ts';
import { startDiscordInbound } from '../../support/discord-inbound.ts';
import type { DiscordInbound } from '../../support/discord-inbound.ts';
import { ids } from '../../servers/discord/places.ts';

let world: DiscordInbound;
beforeAll(async () => {
  world = await startDiscordInbound();
}, 60_000);
afterAll(async () => world[Symbol.asyncDispose]());

const next = () => world.nth('message', world.of('message').length + 1);

describe('a mention', () => {
  it('begins a session that is named after its message', async () => {
    const coming = next();
    const said = await world.control.say({ user: 'alice', channel: 'general', text: '@hektor what is 6 * 7?' });
    expect(await coming).toMatchObject({
      address: { platform: 'discord', workspace: ids.guild, channel: ids.general, thread: said.id },
      key: said.id,
      author: { id: ids.alice, name: 'Alice' },
      text: 'what is 6 * 7?',
      earlier: [],
      origin: {
        channel: ids.general,
        message: said.id,
        guild: ids.guild,
        user: ids.alice,
        threads: 'thread',
        title: 'what is 6 7?',
        member: 'yes',
      },
    });
  });

  it('of the bot’s own role counts as one', async () => {
    const coming = next();
    await world.control.say({ user: 'bob', channel: 'general', raw: true, text: `<@&${ids.botRole}> hello` });
    expect((await coming).text).toBe('hello');
  });
});

describe('what wakes nobody', () => {
  it('D16: @everyone and @here, D17: webhooks and bots, system messages, code and quotations', async () => {
    const before = world.accepted.length;
    const me = `<@${(await world.control.credentials()).applicationId}>`;
    await world.control.say({ user: 'carol', channel: 'general', text: '@everyone lunch?' });
    await world.control.say({ user: 'carol', channel: 'general', text: '@here lunch?' });
    for (let n = 0; n < 10; n += 1)
      await world.control.say({ user: 'alice', channel: 'general', raw: true, text: `${me} hello`, webhook: 'CI' });
    await world.control.say({ user: 'otherbot', channel: 'general', raw: true, text: `${me} hello` });
    await world.control.say({ user: 'alice', channel: 'general', raw: true, text: `${me} pinned`, type: 6 });
    await world.control.say({ user: 'alice', channel: 'general', raw: true, text: `look: \`${me} hi\`` });
    await world.control.say({ user: 'alice', channel: 'general', raw: true, text: `> ${me} hi\nindeed` });
    await world.control.say({ user: 'alice', channel: 'general', text: 'nobody in particular' });
    await world.quiet();
    expect(world.accepted.slice(before)).toEqual([]);
  });
});

describe('a thread', () => {
  it('U031, U037: goes on with its message’s session without a mention, but not where others are spoken to', async () => {
    const coming = next();
    const said = await world.control.say({ user: 'alice', channel: 'general', text: '@hektor my number is 41' });
    const first = await coming;
    const { thread } = await world.control.openThread({ user: 'carol', channel: 'general', name: 'numbers', from: said.id });
    expect(thread).toBe(said.id);
    const followUp = next();
    await world.control.say({ user: 'bob', channel: thread, text: 'add one' });
    expect(await followUp).toMatchObject({ address: first.address, author: { name: 'Bob' }, text: 'add one', origin: { channel: thread } });
    const before = world.accepted.length;
    await world.control.say({ user: 'bob', channel: thread, text: '@alice look at this' });
    await world.quiet();
    expect(world.accepted.length).toBe(before);
  });

  it('U035, U038: strict, plain words get one hint and no answer', async () => {
    const coming = next();
    const said = await world.control.say({ user: 'alice', channel: 'random', text: '@hektor hello' });
    await coming;
    const { thread } = await world.control.openThread({ user: 'carol', channel: 'random', name: 'strict', from: said.id });
    world.steer.settings = { ...defaultChannelSettings, speak: 'strict' };
    const before = world.accepted.length;
    await world.control.say({ user: 'alice', channel: thread, text: 'and in March?' });
    await world.control.say({ user: 'alice', channel: thread, text: 'and in April?' });
    await world.quiet();
    world.steer.settings = defaultChannelSettings;
    expect(world.accepted.length).toBe(before);
    const hints = (await world.control.messages({ channel: thread })).filter((one) => one.bot);
    expect(hints.map((one) => one.text)).toEqual(['Mention me.']);
    expect(hints[0]?.pings).toEqual([]);
  });

  it('U032: of people is read when the bot is called into it, with the message it hangs on', async () => {
    const said = await world.control.say({
      user: 'alice',
      channel: 'general',
      text: 'ticket: red button',
      files: [{ name: 'photo.txt', text: 'red' }],
    });
    const { thread } = await world.control.openThread({ user: 'bob', channel: 'general', name: 'Ticket 7', from: said.id });
    await world.control.say({ user: 'bob', channel: thread, text: 'I saw it, too' });
    const coming = next();
    await world.control.say({ user: 'bob', channel: thread, text: '@hektor what colour?' });
    const heard = await coming;
    expect(heard.address).toMatchObject({ channel: ids.general, thread });
    expect(heard.earlier.map(({ author, text }) => [author.name, text])).toEqual([
      ['Bob', 'Title of this thread: Ticket 7'],
      ['Alice', 'ticket: red button'],
      ['Bob', 'I saw it, too'],
    ]);
    expect(heard.files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([['photo.txt', 'red']]);
  });

  it('U043: of a forum is answered in the post, with its title and tags', async () => {
    await world.control.channel({ name: 'bugs', kind: 'forum', tags: ['urgent'] });
    const coming = next();
    const { thread } = await world.control.openThread({
      user: 'alice',
      channel: 'bugs',
      name: 'It crashes',
      tags: ['urgent'],
      first: { text: '@hektor help' },
    });
    const heard = await coming;
    expect(heard).toMatchObject({ address: { thread }, text: 'help', origin: { channel: thread } });
    expect(heard.address.channel).not.toBe(thread);
    expect(heard.earlier.map(({ text }) => text)).toEqual(['Title of this thread: It crashes (tags: urgent)']);
  });
});

describe('a direct message', () => {
  it('U044: belongs to one session after another, parted by a day of silence or a reset', async () => {
    const [one, two] = [next(), world.nth('message', world.of('message').length + 2)];
    await world.control.dm({ user: 'bob', text: 'hello' });
    await world.control.dm({ user: 'bob', text: 'still there?' });
    expect((await two).address).toEqual((await one).address);
    expect((await one).address.workspace).toBe('dm');
    await world.control.advance({ ms: 30 * 3_600_000 });
    const later = next();
    await world.control.dm({ user: 'bob', text: 'good morning' });
    const third = (await later).address;
    expect(conversationIdOf(third)).not.toBe(conversationIdOf((await one).address));
    const reset = next();
    await world.control.dm({ user: 'bob', text: '!reset' });
    const fourth = (await reset).address;
    expect(conversationIdOf(fourth)).not.toBe(conversationIdOf(third));
    const after = next();
    await world.control.dm({ user: 'bob', text: 'afresh' });
    expect((await after).address).toEqual(fourth);
  });
});

describe('what a message brings along', () => {
  it('D13: the words and files of a forwarded message', async () => {
    const before = await world.control.say({
      user: 'alice',
      channel: 'random',
      text: 'Q3 revenue fell 4 %',
      files: [{ name: 'q3.csv', text: 'a,b' }],
    });
    const dm = await world.control.directChannel({ user: 'alice' });
    const coming = next();
    await world.control.forward({ user: 'alice', channel: dm, message: before.id });
    const heard = await coming;
    expect(heard.text).toContain('Q3 revenue fell 4 %');
    expect(heard.files.map(({ name }) => name)).toEqual(['q3.csv']);
  });

  it('U089: the message that it replies to, with its files', async () => {
    const shown = await world.control.say({
      user: 'alice',
      channel: 'random',
      text: 'my plot',
      files: [{ name: 'plot.png', base64: 'iVBORw0KGgo=' }],
    });
    const coming = next();
    await world.control.say({ user: 'bob', channel: 'random', text: '@hektor what is this?', replyTo: shown.id });
    const heard = await coming;
    expect(heard.earlier.map(({ author, text, files }) => [author.name, text, files])).toEqual([['Alice', 'my plot', ['plot.png']]]);
    expect(heard.files.map(({ name, type, bytes }) => [name, type, bytes.length])).toEqual([['plot.png', 'image/png', 8]]);
  });

  it('U085: all its files, in order; stickers and polls as words', async () => {
    const coming = next();
    await world.control.say({
      user: 'alice',
      channel: 'random',
      text: '@hektor compare',
      files: [
        { name: 'a.txt', text: '1' },
        { name: 'b.txt', text: '2' },
        { name: 'c.csv', text: '3' },
      ],
      stickers: ['Wave'],
      poll: { question: 'Tea?', answers: ['yes', 'no'] },
    });
    const heard = await coming;
    expect(heard.files.map(({ name }) => name)).toEqual(['a.txt', 'b.txt', 'c.csv']);
    expect(heard.text).toContain('[sticker: Wave]');
    expect(heard.text).toContain('Poll: Tea?');
  });

  it('U088: a file whose link has expired by the time it is worked off, by a fresh one', async () => {
    world.deps.inbound.inbox.setReachable(false);
    const coming = next();
    await world.control.say({ user: 'alice', channel: 'random', text: '@hektor read it', files: [{ name: 'a.txt', text: 'still here' }] });
    await world.control.advance({ ms: 48 * 3_600_000 });
    world.deps.inbound.inbox.setReachable(true);
    expect((await coming).files.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['still here']);
  });

  it('U142: names in the place of ids', async () => {
    const coming = next();
    await world.control.say({ user: 'alice', channel: 'random', text: '@hektor @alice and @bob argue: who is right?' });
    expect((await coming).text).toBe('@Alice and @Bob argue: who is right?');
  });

  it('D25: nothing of a file that is too large: its author is told, and the next message is heard', async () => {
    const said = await world.control.say({
      user: 'alice',
      channel: 'random',
      text: '@hektor',
      files: [{ name: 'big.pdf', text: 'x', toldSize: 33_000_000, status: 404 }],
    });
    const told = await world.control.until(
      async () => (await world.control.messages({ channel: 'random' })).find((one) => one.bot && one.text.includes('big.pdf')),
      'words about the file',
    );
    expect(told.text).toContain('too large');
    expect(world.of('message').some(({ key }) => key === said.id)).toBe(false);
    const coming = next();
    await world.control.say({ user: 'alice', channel: 'random', text: '@hektor hello' });
    expect((await coming).text).toBe('hello');
  });
});

describe('what becomes of a message', () => {
  it('U010, U011: an edit is one where its author changed the text; a preview and a pin are none', async () => {
    const coming = next();
    const said = await world.control.say({ user: 'alice', channel: 'random', text: '@hektor see https://example.org' });
    await coming;
    for (let n = 0; n < 10; n += 1) await world.control.unfurl({ id: said.id, url: 'https://example.org' });
    await world.control.pin({ id: said.id });
    await world.quiet();
    expect(world.of('edit')).toEqual([]);
    await world.control.edit({ id: said.id, text: '@hektor see https://example.com' });
    const edit = await world.nth('edit');
    expect(edit).toMatchObject({ key: said.id, address: { thread: said.id }, text: 'see https://example.com' });
    expect(edit.version).not.toBe('');
  });

  it('is forgotten with it: one, many at once, and in direct messages', async () => {
    const coming = next();
    const said = await world.control.say({ user: 'alice', channel: 'random', text: '@hektor forget this' });
    await coming;
    await world.control.delete({ id: said.id });
    expect(await world.nth('delete', 1)).toMatchObject({ key: said.id, address: { channel: ids.random, thread: said.id } });
    const [one, two] = [next(), world.nth('message', world.of('message').length + 2)];
    const dms = [await world.control.dm({ user: 'carol', text: 'one' }), await world.control.dm({ user: 'carol', text: 'two' })];
    await Promise.all([one, two]);
    await world.control.deleteMany({ ids: dms.map(({ id }) => id) });
    expect((await world.nth('delete', 3)).address).toEqual((await two).address);
  });

  it('is erased with its thread, its channel and its server, but not while the server is only away', async () => {
    const coming = next();
    const channel = await world.control.channel({ name: 'short-lived' });
    const said = await world.control.say({ user: 'alice', channel, text: '@hektor hi' });
    await coming;
    const { thread } = await world.control.openThread({ user: 'alice', channel, name: 'x', from: said.id });
    await world.control.deleteChannel({ channel: thread });
    await world.control.deleteChannel({ channel });
    await world.control.guildState({ state: 'unavailable' });
    await world.control.guildState({ state: 'back' });
    await world.quiet();
    const workspace = ids.guild;
    expect(world.purged).toEqual([
      { platform: 'discord', workspace, channel, thread },
      { platform: 'discord', workspace, channel },
    ]);
    await world.control.guildState({ state: 'left' });
    await world.quiet();
    expect(world.purged.at(-1)).toEqual({ platform: 'discord', workspace, channel: null });
  });
});
