/** Slash commands as they are typed, and the modals as Slack takes them. Pure. */
import { describe, expect, it } from 'vitest';
import { onlyInThreads, readSlash } from '../../../adapters/slack/commands.ts';
import { askAboutModal, newChatModal, readAbout, readChannel, settingsModal } from '../../../adapters/slack/handle/modals.ts';
import { argsOf } from '../../../src/core/command.ts';
import { defaultChannelSettings } from '../../../src/core/channel-settings.ts';
import { commandHelp } from '../../../src/commands/index.ts';

describe('a slash command', () => {
  it.each([
    ['/hektor', '', { kind: 'anywhere', name: 'help', args: '' }],
    ['/hektor', '  help  ask ', { kind: 'anywhere', name: 'help', args: 'ask ' }],
    ['/hektor', 'ask is 2 &lt; 3?', { kind: 'thread', name: 'ask', args: 'is 2 &lt; 3?' }],
    ['/hektor', 'py for i in x:\n    print(i)', { kind: 'thread', name: 'py', args: 'for i in x:\n    print(i)' }],
    ['/hektor', 'what is the time?', { kind: 'thread', name: 'ask', args: 'what is the time?' }],
    ['/hektor', 'frobnicate', { kind: 'anywhere', name: 'frobnicate', args: '' }],
    ['/hektor', 'settings', { kind: 'settings' }],
    ['/hektor', 'settings speak=all', { kind: 'anywhere', name: 'settings', args: 'speak=all' }],
    ['/hektor', '!undo 2', { kind: 'in-thread', name: 'undo', args: '2' }],
    ['/hektor', 'forget me', { kind: 'in-thread', name: 'forget', args: 'me' }],
    ['/hektor', 'constructor', { kind: 'anywhere', name: 'constructor', args: '' }],
    ['/ask', 'long question &amp; more', { kind: 'thread', name: 'ask', args: 'long question &amp; more' }],
    ['/other', 'usage', { kind: 'anywhere', name: 'usage', args: '' }],
  ])('%s %s', (command, text, call) => {
    expect(readSlash(command, text, '/hektor', commandHelp)).toEqual(call);
  });

  it('U136: names what to write in the thread', () => {
    expect(onlyInThreads('/hektor', { name: 'undo', args: '2' }, false)).toContain('`!undo 2`');
    expect(onlyInThreads('/hektor', { name: 'reset', args: '' }, true)).toContain('new conversation anyway');
  });
});

describe('modals', () => {
  const settings = commandHelp.find(({ name }) => name === 'settings');
  if (settings === undefined) throw new TypeError('there is no command settings');

  it('keep to Slack’s lengths, whatever they are about', () => {
    const about = { channel: 'C'.repeat(20), ts: '1796100001.000100', root: '1796100001.000100', note: 't'.repeat(200) };
    for (const view of [askAboutModal(about, '<!channel> & '.repeat(5_000)), newChatModal(), settingsModal(settings, 'C1', null)]) {
      expect(view.title.text.length).toBeLessThanOrEqual(24);
      expect(view.private_metadata?.length ?? 0).toBeLessThanOrEqual(3_000);
      expect(view.blocks.length).toBeLessThanOrEqual(100);
      expect(JSON.stringify(view.blocks)).not.toMatch(/<!channel>/);
      for (const block of view.blocks) if ('label' in block) expect(block.label.text.length).toBeLessThanOrEqual(150);
    }
  });

  it('carry over what they are about, and believe nothing else', () => {
    const about = { channel: 'C1', ts: '2.0', root: '1.0', note: 't' };
    expect(readAbout(askAboutModal(about, 'x').private_metadata ?? '')).toEqual(about);
    expect(readChannel(settingsModal(settings, 'C1', null).private_metadata ?? '')).toBe('C1');
    for (const forged of ['', '{}', 'null', '{"channel":1}']) expect([readAbout(forged), readChannel(forged)]).toEqual([null, null]);
  });

  it('show the settings that hold, one field for each, and give them back as the command takes them', () => {
    const now = { ...defaultChannelSettings, speak: 'strict' as const, persona: 'a pirate', outsiders: true };
    const fields = settingsModal(settings, 'C1', now).blocks.flatMap((block) => ('element' in block ? [block] : []));
    expect(fields.map((field) => field.block_id)).toEqual(
      settings.options.map((option) => option.name).filter((name) => name !== 'threads'),
    );
    const initial = Object.fromEntries(
      fields.map(({ block_id: id, element }) => [
        id,
        element.type === 'static_select'
          ? element.initial_option?.value
          : element.type === 'plain_text_input'
            ? element.initial_value
            : undefined,
      ]),
    );
    expect(initial).toMatchObject({ speak: 'strict', persona: 'a pirate', outsiders: 'on' });
    expect(argsOf(settings, { speak: 'all', persona: 'a "calm" pirate' })).toBe('speak=all persona="a \\"calm\\" pirate"');
  });

  it('say each word once escaped, and fields by what they mean', () => {
    const about = { channel: 'C1', ts: '2.0', root: '1.0', note: 't' };
    const [context] = askAboutModal(about, 'is <b> &\n2 > 1?').blocks;
    expect(context).toMatchObject({ elements: [{ text: 'About: is &lt;b&gt; &amp; 2 &gt; 1?' }] });
    const modal = settingsModal(settings, 'C1', null);
    expect(modal.submit?.text).toBe('Save');
    const labels = modal.blocks.flatMap((block) => ('label' in block ? [[block.label.text, 'hint' in block ? block.hint?.text : '']] : []));
    expect(labels[0]).toEqual(['Whom I answer', 'Mention, strict (only when mentioned), or all']);
    // U041: what has no effect in Slack is not offered there.
    expect(modal.blocks.map((block) => block.block_id)).not.toContain('threads');
  });
});
