import { describe, expect, it } from 'vitest';
import { decodeEarlier, decodeMessage, decodeUpdate, timeOf } from '../../../adapters/discord/decode.ts';
import type { Decoded } from '../../../adapters/discord/decode.ts';
import type { Me, Names } from '../../../adapters/discord/decode-text.ts';

const me: Me = { id: '100000000000000001', roles: new Set(['200000000000000001']) };
const names: Names = {
  user: () => undefined,
  role: (id) => (id === '200000000000000002' ? 'ops' : undefined),
  channel: (id) => (id === '300000000000000001' ? 'general' : undefined),
};
const ann = { id: '100000000000000002', username: 'ann', global_name: 'Ann' };
const hektor = { id: me.id, username: 'hektor', bot: true };

const message = (fields: Record<string, unknown>): unknown => ({
  id: '400000000000000001',
  channel_id: '300000000000000001',
  guild_id: '500000000000000001',
  type: 0,
  author: ann,
  member: { nick: 'Annie' },
  content: 'hello',
  timestamp: '2026-11-30T12:00:00.000000+00:00',
  edited_timestamp: null,
  attachments: [],
  embeds: [],
  mentions: [],
  ...fields,
});
const said = (decoded: Decoded) => {
  if (decoded.kind === 'ignored') throw new Error(`ignored: ${decoded.reason}`);
  return decoded.said;
};
const read = (fields: Record<string, unknown>) => said(decodeMessage(message(fields), me, names));
const reason = (fields: Record<string, unknown>): string => {
  const decoded = decodeMessage(message(fields), me, names);
  return decoded.kind === 'ignored' ? decoded.reason : 'not ignored';
};

describe('whose message it is', () => {
  it.each([
    ['the bot itself', { author: hektor }, 'own message'],
    ['D17: another bot', { author: { ...ann, bot: true } }, 'a bot'],
    ['D17: a webhook', { webhook_id: '600000000000000001' }, 'a webhook'],
    ['the system', { author: { ...ann, system: true } }, 'the system'],
    ['a pin', { type: 6 }, 'message type 6'],
    ['the first message of a thread', { type: 21 }, 'message type 21'],
    ['a slash command’s message', { type: 20 }, 'message type 20'],
    ['AutoMod', { type: 24 }, 'message type 24'],
  ])('ignores %s', (_, fields, why) => {
    expect(reason(fields)).toBe(why);
  });

  it('names the author as the server does', () => {
    expect(read({}).author).toEqual({ id: ann.id, name: 'Annie' });
    expect(read({ member: null }).author.name).toBe('Ann');
    expect(read({ member: null, author: { id: ann.id, username: 'ann' } }).author.name).toBe('ann');
  });

  it('says what is wrong with junk, and throws at nothing', () => {
    for (const junk of [null, 7, 'x', [], {}, { id: 'a' }, { id: '1', channel_id: '2', author: {} }])
      expect(decodeMessage(junk, me, names).kind).toBe('ignored');
  });
});

describe('whether the bot is spoken to', () => {
  it.each([
    ['a mention', `<@${me.id}> hi`, true],
    ['the old form of a mention', `<@!${me.id}> hi`, true],
    ['a mention in the middle', `hi <@${me.id}>, how are you`, true],
    ['the role that Discord made for it', '<@&200000000000000001> hi', true],
    ['D16: @everyone', '@everyone lunch?', false],
    ['D16: @here', '@here lunch?', false],
    ['another role', '<@&200000000000000002> hi', false],
    ['another person', '<@100000000000000003> hi', false],
    ['a mention in a code span', `use \`<@${me.id}>\``, false],
    ['a mention in a fence', `\`\`\`\n<@${me.id}>\n\`\`\``, false],
    ['a mention after a fence that is never closed', `\`\`\` <@${me.id}> hi`, true],
    ['a quoted mention', `> <@${me.id}> hi\nwhat did he mean?`, false],
    ['words after a quoted mention', `> <@${me.id}> hi\n<@${me.id}> what?`, true],
  ])('reads %s', (_, content, mentioned) => {
    expect(read({ content }).mentioned).toBe(mentioned);
  });

  it('D17: takes an answer to its own message for a mention, with or without a ping', () => {
    const referenced = { ...(message({ author: hektor, id: '400000000000000000' }) as object) };
    const reply = read({
      type: 19,
      content: 'and in March?',
      message_reference: { message_id: '400000000000000000' },
      referenced_message: referenced,
    });
    expect(reply.mentioned).toBe(true);
    expect(reply.toOthers).toBe(false);
    expect(reply.repliesTo?.byMe).toBe(true);
  });

  it('knows words for others: they begin with another mention, or answer another person', () => {
    expect(read({ content: '<@100000000000000003> can you look?' }).toOthers).toBe(true);
    expect(read({ content: '@everyone lunch?' }).toOthers).toBe(true);
    expect(read({ content: `<@100000000000000003> and <@${me.id}>, who is right?` }).toOthers).toBe(false);
    expect(read({ type: 19, referenced_message: message({ id: '400000000000000000' }) }).toOthers).toBe(true);
    expect(read({ content: 'ask <@100000000000000003>' }).toOthers).toBe(false);
  });
});

describe('what a message says', () => {
  it('takes off the leading mention, and only that', () => {
    expect(read({ content: `<@${me.id}>, what is 2+2?` }).text).toBe('what is 2+2?');
    expect(read({ content: `ask <@${me.id}> x`, mentions: [hektor] }).text).toBe('ask @hektor x');
  });

  it('U142: puts names in the place of ids, and leaves code alone', () => {
    const mentions = [
      { ...ann, member: { nick: 'Annie' } },
      { id: '100000000000000003', username: 'bob' },
    ];
    const content = `<@${me.id}> <@${ann.id}> and <@!100000000000000003> in <#300000000000000001>, <@&200000000000000002> <:ok:700000000000000001> <t:1764504000:R> </ask:1000000000000000>, \`<@${ann.id}>\``;
    expect(read({ content, mentions }).text).toBe(`@Annie and @bob in #general, @ops :ok: 2025-11-30T12:00:00Z /ask, \`<@${ann.id}>\``);
  });

  it('D13: reads forwarded messages, their embeds and their files', () => {
    const file = { id: '1', filename: 'q3.csv', size: 3, url: 'https://cdn.discordapp.com/q3.csv' };
    const forward = read({
      content: '',
      message_reference: { type: 1, message_id: '400000000000000000' },
      message_snapshots: [
        { message: { content: 'Q3 revenue fell 4 %', attachments: [file], embeds: [{ title: 'Report', description: 'All numbers' }] } },
      ],
    });
    expect(forward.text).toBe('Forwarded message:\n> Q3 revenue fell 4 %\n> \n> Report\n> All numbers');
    expect(forward.files.map((one) => one.filename)).toEqual(['q3.csv']);
    expect(forward.withheld).toBe(false);
  });

  it('reads stickers and polls', () => {
    expect(read({ content: '', sticker_items: [{ id: '1', name: 'Wave' }] }).text).toBe('[sticker: Wave]');
    const poll = { question: { text: 'Lunch?' }, answers: [{ poll_media: { text: 'Yes' } }, { poll_media: { text: 'No' } }] };
    expect(read({ content: '', poll }).text).toBe('Poll: Lunch?\n- Yes\n- No');
  });

  it('U089: gives what a message replies to, with its files', () => {
    const file = { id: '1', filename: 'plot.png', content_type: 'image/png', size: 3, url: 'https://cdn.discordapp.com/plot.png' };
    const replied = read({
      type: 19,
      content: `<@${me.id}> what is this?`,
      referenced_message: message({ id: '400000000000000000', content: '', attachments: [file] }),
    });
    expect(replied.repliesTo).toMatchObject({ author: { name: 'Annie' }, files: ['plot.png'], byMe: false });
    expect(replied.repliesTo?.attachments).toHaveLength(1);
  });

  it('takes a deleted message that is replied to for none', () => {
    expect(read({ type: 19, referenced_message: null }).repliesTo).toBeNull();
  });

  it('D28: sees where Discord holds the words back', () => {
    expect(read({ content: '' }).withheld).toBe(true);
    expect(read({ content: '', attachments: [{ id: '1', filename: 'a', size: 0, url: 'https://cdn.discordapp.com/a' }] }).withheld).toBe(
      false,
    );
  });

  it('lets no control characters and no broken Unicode through', () => {
    expect(read({ content: 'a\u0000b\ud800c' }).text).toBe('ab\ufffdc');
  });
});

describe('edits', () => {
  it('U010: takes an unfurled link, a pin, or a partial update for no edit', () => {
    const update = (fields: Record<string, unknown>) => decodeUpdate(message(fields), me, names).kind;
    expect(update({ embeds: [{ type: 'link', title: 'Example' }] })).toBe('ignored');
    expect(decodeUpdate({ id: '1', channel_id: '2', embeds: [] }, me, names).kind).toBe('ignored');
    expect(update({ edited_timestamp: '2026-11-30T12:01:00.000000+00:00', author: hektor })).toBe('ignored');
  });

  it('U011: reads an edit with its version', () => {
    const edited = said(decodeUpdate(message({ content: 'hello there', edited_timestamp: '2026-11-30T12:01:00.000000+00:00' }), me, names));
    expect(edited).toMatchObject({ text: 'hello there', version: '2026-11-30T12:01:00.000000+00:00' });
  });

  it('does not take what Discord unfurled for words of the author', () => {
    expect(read({ content: 'see https://example.org', embeds: [{ type: 'link', title: 'Example' }] }).text).toBe('see https://example.org');
  });
});

describe('earlier messages', () => {
  it('keeps people’s and bots’ words, and drops what says nothing', () => {
    expect(decodeEarlier(message({ author: { ...ann, bot: true } }), names, 100)).toMatchObject({
      text: 'hello',
      author: { name: 'Annie' },
    });
    expect(decodeEarlier(message({ content: '' }), names, 100)).toBeNull();
    expect(decodeEarlier(message({ type: 18 }), names, 100)).toBeNull();
  });

  it('cuts long ones without breaking a character', () => {
    expect(decodeEarlier(message({ content: `${'a'.repeat(3)}😀` }), names, 4)?.text).toBe('aaa\ufffd');
  });

  it('reads the time out of an id', () => {
    expect(new Date(timeOf('175928847299117063')).toISOString()).toBe('2016-04-30T11:18:25.796Z');
  });
});
