/** Calls that need a yes: which do, who is asked what, and what a decision may still bring about. */
import { describe, expect, it } from 'vitest';
import { approvalIdOf, findApproval, needsYes, noDecision, readApprovalId, waitingIn } from '../../src/core/approval.ts';
import type { ApprovalPolicy } from '../../src/core/approval.ts';
import { askingWords } from '../../src/core/approval-words.ts';
import type { Entry, EntryOf } from '../../src/core/conversation.ts';
import { callId, conversationIdOf, messageId, turnId } from '../../src/core/ids.ts';

const here = conversationIdOf({ platform: 'web', workspace: 'w', channel: 'c', thread: 't' });
const there = conversationIdOf({ platform: 'web', workspace: 'w', channel: 'c', thread: 'fork' });
const ann = { id: 'ann', name: 'Ann' };
const bob = { id: 'bob', name: 'Bob' };

const waiting = (fields: Partial<EntryOf<'awaiting'>> = {}): EntryOf<'awaiting'> => {
  const about = { call: callId('t1:1:0'), tool: 'mail__send', arguments: '{"to":"x"}', asker: ann, expiresAt: 1_000, ...fields };
  const approval = fields.approval ?? approvalIdOf({ ...about, conversation: here });
  return { kind: 'awaiting', at: 1, turn: turnId('t1'), message: messageId(`t1:${approval}`), approval, ...about };
};
const decided = (of: EntryOf<'awaiting'>, verdict: 'approved' | 'denied' = 'approved'): Entry => ({
  kind: 'decided',
  at: 2,
  turn: turnId('t2'),
  message: of.message,
  approval: of.approval,
  by: bob,
  verdict,
  tool: of.tool,
  arguments: of.arguments,
});

describe('which calls need a yes', () => {
  const policy = (fields: Partial<ApprovalPolicy> = {}): ApprovalPolicy => ({
    usual: 'ask',
    plugins: new Map(),
    tools: new Map(),
    waitMs: 1,
    ...fields,
  });
  const tool = (name: string, plugin: string, effect: 'read' | 'write') => ({
    name,
    effect,
    of: { name: plugin, needs: [], services: [] },
  });
  const send = tool('mail__send', 'mcp', 'write');
  const look = tool('mail__look', 'mcp', 'read');
  const python = tool('python', 'python', 'write');

  it('those with effects outside, and by default neither reading nor code', () => {
    expect([send, look, python].map((one) => needsYes(policy(), one, false))).toEqual([true, false, false]);
    expect([send, look, python].map((one) => needsYes(policy({ usual: 'never' }), one, true))).toEqual([false, false, false]);
  });

  it('by the most particular rule: the tool’s, its plugin’s, the usual one', () => {
    const mixed = policy({
      usual: 'never',
      plugins: new Map([['mcp', 'ask']]),
      tools: new Map([
        ['mail__send', 'never'],
        ['python', 'ask'],
      ]),
    });
    expect([send, look, python].map((one) => needsYes(mixed, one, false))).toEqual([false, true, true]);
  });

  it('MI4: where the rule is `tainted`, once words from outside were read', () => {
    expect([false, true].map((tainted) => needsYes(policy({ usual: 'tainted' }), send, tainted))).toEqual([false, true]);
  });
});

describe('a decision', () => {
  const entry = waiting();

  it('finds the call that waits, and how many of its turn wait beside it', () => {
    const second = waiting({ call: callId('t1:1:1') });
    const later = waiting({ call: callId('t9:1:0'), turn: turnId('t9') });
    expect(findApproval([entry, second, later], here, entry.approval, 10)).toEqual({
      is: 'waiting',
      waiting: entry,
      others: 1,
      passBack: null,
    });
    expect(waitingIn([entry, decided(entry), second, later], 10)).toEqual([second, later]);
  });

  it('comes too late once it is decided, or the time is up', () => {
    expect(findApproval([entry, decided(entry)], here, entry.approval, 10)).toMatchObject({ is: 'decided' });
    expect(findApproval([entry], here, entry.approval, 1_000)).toEqual({ is: 'expired' });
    expect(findApproval([entry], here, 'ffffffffffff', 10)).toEqual({ is: 'unknown' });
  });

  it.each([
    ['in another thread, to which the entries were copied', entry, there],
    ['with other arguments', { ...entry, arguments: '{"to":"everybody"}' }, here],
    ['of another tool', { ...entry, tool: 'mail__delete' }, here],
    ['of another person', { ...entry, asker: bob }, here],
    ['with more time', { ...entry, expiresAt: 9_000 }, here],
  ])('is about that very call, not about one %s', (_what, changed, where) => {
    expect(findApproval([changed], where, entry.approval, 10)).toEqual({ is: 'unknown' });
  });

  it('says what stands in its way', () => {
    expect(noDecision(findApproval([entry], here, entry.approval, 10), entry.approval)).toBeNull();
    expect(noDecision(findApproval([entry, decided(entry, 'denied')], here, entry.approval, 10), entry.approval)).toBe(
      'That was decided already: Bob denied the call of `mail__send`. It was not made.',
    );
    expect(noDecision({ is: 'unknown' }, '`x`')).toContain('`` `x` ``');
  });

  it.each([' ABCDEF012345 ', '#abcdef012345', '`abcdef012345`'])('is given by an id as people type it: %s', (typed) => {
    expect(readApprovalId(typed)).toBe('abcdef012345');
  });
});

describe('the question', () => {
  it('names tool, arguments, who may decide and how', () => {
    expect(askingWords({ ...waiting(), approval: 'abcdef012345', at: 0, expiresAt: 3_600_000 })).toMatchInlineSnapshot(`
      "I would like to call \`mail__send\` with these arguments:

      \`\`\`json
      {
        "to": "x"
      }
      \`\`\`

      Ann, the thread’s owner or an operator may say yes with \`!approve abcdef012345\` or no with \`!deny abcdef012345\`, within an hour."
    `);
  });

  it('shows hostile arguments inside their block, and nothing in them unseen', () => {
    const words = askingWords(
      waiting({
        arguments: JSON.stringify({ text: '```\n@everyone approve me\n```', hidden: 'a\u202e\u200b\u{e0041}b' }),
        asker: { id: 'x', name: '*_`](http://evil)' },
      }),
    );
    expect(words.match(/^`{3,}/gm)).toHaveLength(2);
    expect(words).toContain(String.raw`a\u{202e}\u{200b}\u{e0041}b`);
    expect(words).not.toMatch(/^@everyone/m);
    expect(words).toContain(String.raw`\]`);
  });

  it('tells of arguments that are too long to be shown', () => {
    expect(askingWords(waiting({ arguments: JSON.stringify({ text: 'x'.repeat(20_000) }) }))).toMatch(/\*\*14,\d{3} more characters/);
  });
});
