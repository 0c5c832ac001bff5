/** Interactions with the real client: deadlines, ephemeral answers, deferrals, follow-ups, modals, autocomplete, foreign places. */
import { MessageFlags, Routes } from 'discord.js';
import type { Interaction } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { ids } from './places.ts';
import { createStand, oneButton, oneField } from './testing.ts';
import type { Stand } from './testing.ts';

const COMMANDS = [
  {
    name: 'ask',
    description: 'Ask something',
    options: [{ type: 3, name: 'what', description: 'The question', required: true, autocomplete: true }],
    contexts: [0, 1, 2],
    integration_types: [0, 1],
  },
  { name: 'Ask about this', type: 3 },
];
const deploy = (stand: Stand, body: unknown = COMMANDS) =>
  stand.rest.put(Routes.applicationCommands(stand.server.applicationId), { body }) as Promise<unknown[]>;
const ask = { user: 'alice', channel: 'general', name: 'ask', options: { what: '6 * 7' } };

/** Answers interactions one after the other with `handle`, and keeps what it refused. */
const answering = async (stand: Stand, handle: (interaction: Interaction) => Promise<unknown>): Promise<{ code: unknown }[]> => {
  const refused: { code: unknown }[] = [];
  const client = await stand.login();
  client.on('interactionCreate', (one) => void handle(one).catch((error: unknown) => void refused.push(error as { code: unknown })));
  return refused;
};

describe('interactions', () => {
  it('a deferral shows as thinking; the first follow-up takes its place; ephemeral stays so (rules 33 and 34)', async () => {
    await using stand = await createStand();
    await deploy(stand);
    await answering(stand, async (one) => {
      if (!one.isChatInputCommand()) return;
      await one.deferReply({ flags: MessageFlags.Ephemeral });
      await stand.control.until(async () => (await stand.control.ephemerals({ user: 'alice' }))[0]?.loading === true);
      await one.followUp(`it is ${one.options.getString('what')}`);
      await one.followUp({ content: 'for all' });
      await one.editReply('changed');
    });
    const outcome = await stand.control.command(ask);
    expect([outcome.state, outcome.answer, outcome.ephemeral]).toEqual(['answered', 5, true]);
    await stand.control.until(async () => (await stand.control.ephemerals({ user: 'alice' }))[0]?.text === 'changed');
    const [seen] = await stand.control.ephemerals({ user: 'alice' });
    expect([seen?.loading, seen?.edited]).toEqual([false, true]);
    expect((await stand.control.messages({ channel: 'general' })).map((one) => one.text)).toEqual(['for all']);
    expect(await stand.control.messages({ channel: 'general', as: 'alice' })).toHaveLength(2);
    // Out of reach for the bot itself.
    expect((await stand.refusal(stand.rest.get(Routes.channelMessage(seen?.channel ?? '', seen?.id ?? '')))).code).toBe(10008);
  });

  it('is over after three seconds (10062), is answered once (40060), and its token lives a quarter of an hour (50027)', async () => {
    await using stand = await createStand();
    await deploy(stand);
    const seen: Interaction[] = [];
    await answering(stand, async (one) => void seen.push(one));
    const missed = stand.control.command(ask);
    await stand.control.until(async () => seen.length === 1);
    await stand.control.advance({ ms: 3001 });
    expect((await missed).state).toBe('failed');
    const [first] = seen;
    if (!first?.isChatInputCommand()) throw new Error('no command');
    expect((await stand.refusal(first.reply('late'))).code).toBe(10062);
    const answered = stand.control.command(ask);
    await stand.control.until(async () => seen.length === 2);
    const second = seen[1];
    if (!second?.isChatInputCommand()) throw new Error('no command');
    const callback = Routes.interactionCallback(second.id, second.token);
    const again = { body: { type: 4, data: { content: 'x' } }, auth: false };
    expect(
      (
        await stand.refusal(
          stand.rest.post(Routes.webhook(stand.server.applicationId, second.token), { body: { content: 'x' }, auth: false }),
        )
      ).code,
    ).toBe(10015);
    await second.deferReply();
    expect((await answered).answer).toBe(5);
    expect((await stand.refusal(stand.rest.post(callback, again))).code).toBe(40060);
    await stand.control.advance({ ms: 15 * 60_000 });
    expect((await stand.refusal(second.editReply('late'))).code).toBe(50027);
    // A refused webhook's token is not the bot's.
    await stand.rest.get('/users/@me');
  });

  it('gives the target of a menu whole, without the intent; completes options; takes modals (rules 37 and 38)', async () => {
    await using stand = await createStand();
    await deploy(stand);
    await answering(stand, async (one) => {
      if (one.isAutocomplete()) await one.respond([{ name: `${one.options.getFocused()}!`, value: 'v' }]);
      if (one.isMessageContextMenuCommand()) await one.reply(`about: ${one.targetMessage.content}`);
      if (one.isButton()) await one.showModal(oneField('Settings'));
      if (one.isModalSubmit()) await one.reply(`set: ${one.fields.getTextInputValue('field')}`);
      if (one.isChatInputCommand()) await one.reply({ content: 'x', components: [oneButton('open', 'Open')] });
    });
    expect((await stand.control.autocomplete({ ...ask, options: { what: 'six' }, focused: 'what' })).choices).toEqual([
      { name: 'six!', value: 'v' },
    ]);
    const { id } = await stand.control.say({ user: 'bob', channel: 'general', text: 'among us' });
    const menu = await stand.control.menu({ user: 'alice', message: id, name: 'Ask about this' });
    expect((await stand.control.message({ id: menu.original ?? '' }))?.text).toBe('about: among us');
    const { original } = await stand.control.command(ask);
    const pressed = await stand.control.press({ user: 'bob', message: original ?? '', button: 'Open' });
    expect([pressed.answer, pressed.modal?.['title']]).toEqual([9, 'Settings']);
    const sent = await stand.control.submit({ interaction: pressed.id, values: { field: 'a pirate' } });
    expect((await stand.control.message({ id: sent.original ?? '' }))?.text).toBe('set: a pirate');
    await expect(stand.control.press({ user: 'bob', message: original ?? '', button: 'Close' })).rejects.toThrow(/Open/);
  });

  it('updates the pressed message; a modal cannot follow a deferral; five follow-ups where it is no member (rules 35 and 37)', async () => {
    await using stand = await createStand();
    await deploy(stand);
    await stand.control.guild({ name: 'Foreign', owner: 'alice', bot: false });
    await stand.control.channel({ guild: 'Foreign', name: 'lounge' });
    await stand.control.userInstall({ user: 'alice' });
    const codes: unknown[] = [];
    let owners: unknown;
    await answering(stand, async (one) => {
      if (!one.isChatInputCommand()) return;
      owners = [one.context, one.authorizingIntegrationOwners.userId, one.authorizingIntegrationOwners.guildId, one.guild];
      await one.deferReply();
      codes.push(
        (await stand.refusal(stand.rest.post(Routes.interactionCallback(one.id, one.token), { body: { type: 9, data: {} }, auth: false })))
          .code,
      );
      for (let n = 0; n < 6; n += 1) await one.followUp(`part ${n}`);
      await one.followUp('too many').catch((error: unknown) => void codes.push((error as { code: unknown }).code));
    });
    const outcome = await stand.control.command({ ...ask, channel: 'lounge' });
    expect(outcome.ephemeral).toBe(false);
    await stand.control.until(async () => codes.length === 2, 'the refusals', 40_000);
    expect(codes).toEqual([40060, 40094]);
    expect(owners).toEqual([0, ids.alice, null, null]);
    expect(
      (await stand.refusal(stand.rest.get(Routes.channel((await stand.control.messages({ channel: 'lounge' }))[0]?.channel ?? '')))).code,
    ).toBe(50001);
    await stand.control.permit({ channel: 'lounge', deny: ['UseExternalApps'] });
    await stand.control.person({ name: 'dave', guilds: ['Foreign'] });
    await stand.control.userInstall({ user: 'dave' });
    expect((await stand.control.command({ ...ask, user: 'dave', channel: 'lounge' })).ephemeral).toBe(true);
  });

  it('D22: registers commands within their limits, and counts what is made in a day (rule 36)', async () => {
    await using stand = await createStand();
    const many = (count: number, from = 0) => Array.from({ length: count }, (_, n) => ({ name: `c${n + from}`, description: 'x' }));
    expect(await deploy(stand, many(100))).toHaveLength(100);
    expect(await deploy(stand, many(100))).toHaveLength(100);
    expect((await stand.refusal(deploy(stand, many(101)))).code).toBe(30032);
    await deploy(stand, many(100, 100));
    expect((await stand.refusal(deploy(stand, many(1, 300)))).code).toBe(30034);
    const bad = [{ name: 'Not Lower', description: '' }];
    expect((await stand.refusal(deploy(stand, bad))).body).toMatchObject({ code: 50035, errors: { 0: { name: {}, description: {} } } });
    const big = [
      {
        name: 'big',
        description: 'x',
        options: Array.from({ length: 25 }, (_, n) => ({
          type: 3,
          name: `o${n}`,
          description: 'x',
          choices: Array.from({ length: 25 }, (_, m) => ({ name: `${m}`.padEnd(50), value: `${m}` })),
        })),
      },
    ];
    expect((await stand.refusal(deploy(stand, big))).code).toBe(50035);
  });
});
