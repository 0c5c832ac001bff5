import { describe, expect, it } from 'vitest';
import { callId } from '../../../src/core/ids.ts';
import { checkChatRequest } from '../../../src/infra/practice/conformance.ts';
import { degrade, profileOf } from '../../../src/infra/openai/profile.ts';
import type { ServerProfile } from '../../../src/infra/openai/profile.ts';
import { toBody } from '../../../src/infra/openai/to-body.ts';
import type { ModelMessage } from '../../../src/ports/model.ts';
import { prompt, request } from './harness.ts';

const body = (messages: readonly ModelMessage[], profile: Partial<ServerProfile> = {}, host = 'h', model = 'm') =>
  toBody(request({ messages }), { host, model, profile: { ...profileOf('http://localhost/v1'), ...profile } });
const call = (id: string, name = 'now', args = '{}') => ({ id: callId(id), name, arguments: args });
const step = (calls: readonly ReturnType<typeof call>[], passBack: Record<string, unknown> | null = null): readonly ModelMessage[] => [
  { role: 'assistant', text: '', calls, passBack },
  ...calls.map((one): ModelMessage => ({ role: 'tool', call: one, content: prompt('r') })),
];
const toolCallIds = (value: ReturnType<typeof body>) =>
  value.messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []).map((one) => one.id) : []));

describe('the body of a request', () => {
  it('is one that the strictest servers take, with several steps and calls', () => {
    const made = body([...step([call('t:1:0'), call('t:1:1')]), ...step([call('t:2:0')]), { role: 'user', content: prompt('x') }]);
    expect(checkChatRequest(made)).toMatchObject({ ok: true });
  });

  it('MC8: ids on the wire differ where ours differ, are short, and are the same in every later request', () => {
    const messages = [...step([call('turn-a:1:0')]), ...step([call('turn-b:1:0')])];
    const ids = toolCallIds(body(messages));
    expect(new Set(ids).size).toBe(2);
    expect(toolCallIds(body(messages.slice(0, 2)))).toEqual(ids.slice(0, 1));
    for (const id of ids) expect(id).toMatch(/^[\w-]{1,40}$/);
    for (const id of toolCallIds(body(messages, { callIds: 'nine' }))) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
  });

  it('MH2: an illegal name in the history is made legal', () => {
    const made = body(step([call('t:1:0', 'functions.now<|x|>'), call('t:1:1', ''), call('t:1:2', 'n'.repeat(100))]));
    expect(checkChatRequest(made)).toMatchObject({ ok: true });
  });

  it('MH5: lone surrogates are replaced everywhere', () => {
    const made = body([
      { role: 'assistant', text: 'a\ud83d', calls: [call('t:1:0', 'now', '{"a":"\ud83d"}')], passBack: null },
      { role: 'tool', call: call('t:1:0'), content: prompt('x\udc00') },
    ]);
    expect(JSON.stringify(made)).not.toMatch(/\\ud[89a-f]/i);
    expect(checkChatRequest(made)).toMatchObject({ ok: true });
  });

  it('MH6: never sends `strict`, and no field that the profile does not allow', () => {
    const keys = Object.keys(body([])).toSorted();
    expect(keys).toEqual(['messages', 'model', 'stream', 'stream_options', 'tools']);
    expect(JSON.stringify(body([]))).not.toContain('"strict"');
    expect(Object.keys(body([], { promptCacheKey: true }))).toContain('prompt_cache_key');
  });

  it('MH4: never sends more than 128 tools', () => {
    const [tool] = request().tools;
    const many = Array.from({ length: 140 }, (_, n) => ({ ...tool!, name: `tool_${n}` }));
    const made = toBody(request({ tools: many }), { host: 'h', model: 'm', profile: profileOf('http://localhost') });
    expect(made.tools).toHaveLength(128);
  });

  it('repairs arguments of the history that are not an object', () => {
    for (const args of ['', 'null', '[1]', '{"a"', '"x"'])
      expect(checkChatRequest(body(step([call('t:1:0', 'now', args)])))).toMatchObject({ ok: true });
  });

  it('leaves out an assistant message that says nothing', () => {
    expect(body([{ role: 'assistant', text: ' ', calls: [], passBack: null }]).messages).toHaveLength(1);
  });

  it('is the same for equal requests, so that servers can cache the prefix', () => {
    const messages = step([call('t:1:0')]);
    expect(JSON.stringify(body(messages))).toBe(JSON.stringify(body(messages)));
    const longer = JSON.stringify(body([...messages, { role: 'user', content: prompt('more') }]).messages);
    expect(longer.startsWith(JSON.stringify(body(messages).messages).slice(0, -1))).toBe(true);
  });

  it('joins user messages in a row where roles must alternate', () => {
    const messages: readonly ModelMessage[] = [
      { role: 'user', content: prompt('a') },
      { role: 'user', content: prompt('b') },
    ];
    expect(body(messages, { alternate: true }).messages.map((message) => message.role)).toEqual(['system', 'user']);
    expect(body(messages, { alternate: true, systemRole: 'user' }).messages.map((message) => message.role)).toEqual(['user']);
  });

  it('sends pictures as parts beside the words, and words in their place where the server takes none', () => {
    const images = [{ type: 'image/png', base64: 'AAAA' }] as const;
    const made = body([{ role: 'user', content: prompt('look'), images }]);
    expect(checkChatRequest(made)).toMatchObject({ ok: true });
    expect(made.messages[1]).toMatchObject({
      content: [{ type: 'text' }, { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
    });
    const without = body([{ role: 'user', content: prompt('look'), images }], { images: false });
    expect(JSON.stringify(without)).toContain('cannot be shown to you');
    expect(JSON.stringify(without)).not.toContain('image_url');
    const alternating = body(
      [
        { role: 'user', content: prompt('a') },
        { role: 'user', content: prompt('look'), images },
      ],
      { alternate: true },
    );
    expect(alternating.messages).toHaveLength(2);
    expect(alternating.messages[1]).toMatchObject({ content: [{ type: 'text' }, { type: 'text' }, { type: 'image_url' }] });
  });

  it('sends temperature, top_p and the bound on length only as far as the server takes them', () => {
    const sampling = { temperature: 0.1, topP: 0.9, maxOutputTokens: 50, reasoningEffort: 'low' } as const;
    const of = (profile: Partial<ServerProfile>) =>
      toBody(request(), { host: 'h', model: 'm', profile: { ...profileOf('http://localhost/v1'), ...profile }, sampling });
    expect(of({})).toMatchObject({ temperature: 0.1, top_p: 0.9, max_tokens: 50, reasoning_effort: 'low' });
    const reasoning = of({ temperature: false, maxTokensField: 'max_completion_tokens' });
    expect(reasoning).toMatchObject({ max_completion_tokens: 50 });
    expect(Object.keys(reasoning)).not.toContain('temperature');
    expect(Object.keys(reasoning)).not.toContain('max_tokens');
  });

  it('passes DeepSeek’s reasoning back with calls, and Gemini the word for foreign history', () => {
    const passBack = { host: 'h', model: 'm', message: { reasoning_content: 'hm' }, calls: { '1': { extra_content: 'sig' } } };
    const made = JSON.stringify(body(step([call('t:1:0'), call('t:1:1'), call('t:1:1.1')], passBack)));
    expect(made).toContain('"reasoning_content":"hm"');
    expect(made.match(/"extra_content":"sig"/g)).toHaveLength(1);
    const foreign = JSON.stringify(body(step([call('t:1:0'), call('t:1:1')]), { passBack: 'extra_content' }));
    expect(foreign.match(/skip_thought_signature_validator/g)).toHaveLength(1);
  });
});

describe('the profile of a server', () => {
  it('is known by host, and overridden by the operator', () => {
    expect(profileOf('https://api.mistral.ai/v1')).toMatchObject({ callIds: 'nine', contentNull: false });
    expect(profileOf('https://api.deepseek.com')).toMatchObject({ passBack: 'reasoning_content' });
    expect(profileOf('https://notopenai.com/v1').promptCacheKey).toBe(false);
    expect(profileOf('https://api.openai.com/v1', { promptCacheKey: false }).promptCacheKey).toBe(false);
    expect(profileOf('not a url')).toMatchObject({ stream: true });
  });

  it.each([
    ['Unknown parameter: stream_options', { streamUsage: false }],
    ['"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', { tools: false }],
    ['tool_choice is not supported', { toolChoice: false }],
    ['Conversation roles must alternate user/assistant/user/assistant/...', { alternate: true }],
    ['System role not supported', { systemRole: 'user' }],
    ['Tool call id was call_abc but must be a-z, A-Z, 0-9, with a length of 9.', { callIds: 'nine' }],
    ["Invalid value for 'content': expected a string, got null.", { contentNull: false }],
    ['Streaming is not supported', { stream: false }],
    [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { maxTokensField: 'max_completion_tokens' },
    ],
    ["Unsupported value: 'temperature' does not support 0.2 with this model.", { temperature: false }],
    ['Unrecognized request argument supplied: reasoning_effort', { reasoningEffort: false }],
    ['This model does not support image input', { images: false }],
    ['Failed to deserialize: unknown variant `image_url`, expected `text`', { images: false }],
  ])('learns from %j', (message, change) => {
    const before = profileOf('http://localhost');
    const after = degrade(before, message, '');
    expect(after).toEqual({ ...before, ...change });
  });

  it('learns one thing once, and nothing from complaints that name nothing optional', () => {
    const learned = degrade(profileOf('http://localhost'), 'Unknown parameter: stream_options', '')!;
    expect(degrade(learned, 'Unknown parameter: stream_options', '')).toBeUndefined();
    expect(
      degrade(profileOf('http://localhost'), 'The following tool_call_ids did not have response messages: call_1', 'messages.[3].role'),
    ).toBeUndefined();
  });
});
