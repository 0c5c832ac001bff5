/** A practice reply -> what goes over the wire, whole or in pieces. Pure. */
import type { PracticeReply } from './reply.ts';

type Usage = { readonly prompt_tokens: number; readonly completion_tokens: number; readonly total_tokens: number };
export type Piece = { readonly chunk: object; readonly words: boolean };

/** The same reply has the same id each time; the client gives calls ids of its own. */
const ID = 'chatcmpl-practice';
const CALL = 'call_practice';

const textOf = (reply: PracticeReply): string =>
  reply.kind === 'say' ? reply.text : reply.kind === 'say-slowly' ? reply.pieces.join('') : '';

export const toCompletion = (model: string, reply: PracticeReply, usage: Usage): object => ({
  id: ID,
  object: 'chat.completion',
  created: 0,
  model,
  choices: [
    {
      index: 0,
      message:
        reply.kind === 'call'
          ? {
              role: 'assistant',
              content: null,
              tool_calls: [{ id: CALL, type: 'function', function: { name: reply.name, arguments: JSON.stringify(reply.args) } }],
            }
          : { role: 'assistant', content: textOf(reply) },
      finish_reason: reply.kind === 'call' ? 'tool_calls' : 'stop',
    },
  ],
  usage,
});

/** One piece a word, so that an answer is seen to grow. */
export const toPieces = (model: string, reply: PracticeReply, usage: Usage | null): readonly Piece[] => {
  const head = { id: ID, object: 'chat.completion.chunk', created: 0, model };
  const piece = (delta: object, words: boolean, finish: string | null = null): Piece => ({
    chunk: { ...head, choices: [{ index: 0, delta, finish_reason: finish }] },
    words,
  });
  const body =
    reply.kind === 'call'
      ? callPieces(reply)
      : (reply.kind === 'say' ? (reply.text.match(/\s*\S+|\s+$/g) ?? []) : reply.pieces).map((content) => ({ content }));
  return [
    piece({ role: 'assistant', content: reply.kind === 'call' ? null : '' }, false),
    ...body.map((delta) => piece(delta, reply.kind !== 'call')),
    piece({}, false, reply.kind === 'call' ? 'tool_calls' : 'stop'),
    ...(usage === null ? [] : [{ chunk: { ...head, choices: [], usage }, words: false }]),
  ];
};

const callPieces = (reply: Extract<PracticeReply, { kind: 'call' }>): readonly object[] => {
  const text = JSON.stringify(reply.args);
  const half = Math.ceil(text.length / 2);
  return [
    { tool_calls: [{ index: 0, id: CALL, type: 'function', function: { name: reply.name, arguments: '' } }] },
    ...[text.slice(0, half), text.slice(half)]
      .filter((part) => part !== '')
      .map((part) => ({ tool_calls: [{ index: 0, function: { arguments: part } }] })),
  ];
};
