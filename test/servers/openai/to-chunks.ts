/** A whole completion -> the pieces in which a server would have streamed it. */
type Call = { readonly id?: string; readonly type?: string; readonly function: { readonly name: string; readonly arguments: unknown } };
type Message = {
  readonly role?: string;
  readonly content?: string | null;
  readonly tool_calls?: readonly Call[];
  readonly function_call?: Call['function'];
};
type Completion = {
  readonly choices: readonly { readonly message: Message; readonly finish_reason: string | null }[];
  readonly usage?: unknown;
  readonly model?: string;
  readonly system_fingerprint?: string;
};

const pieces = (text: string, size: number): readonly string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, n) => text.slice(n * size, (n + 1) * size));

/** Arguments that are not text travel whole, as they do from the servers that send them so. */
const argumentPieces = (value: unknown): readonly unknown[] => (typeof value === 'string' ? pieces(value, 7) : [value]);

export const toChunks = (completion: unknown): readonly object[] => {
  const { choices, usage, model = 'm', system_fingerprint } = completion as Completion;
  const { message, finish_reason } = choices[0]!;
  const chunk = (delta: object, finish: string | null = null): object => ({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model,
    system_fingerprint,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const calls = (message.tool_calls ?? []).flatMap((call, index) => [
    { tool_calls: [{ index, id: call.id, type: call.type, function: { name: call.function.name, arguments: '' } }] },
    ...argumentPieces(call.function.arguments).map((part) => ({ tool_calls: [{ index, function: { arguments: part } }] })),
  ]);
  const legacy =
    message.function_call === undefined
      ? []
      : [
          { function_call: { name: message.function_call.name, arguments: '' } },
          ...argumentPieces(message.function_call.arguments).map((part) => ({ function_call: { arguments: part } })),
        ];
  return [
    chunk({ role: 'assistant', content: null }),
    ...pieces(message.content ?? '', 5).map((content) => chunk({ content })),
    ...[...calls, ...legacy].map((delta) => chunk(delta)),
    chunk({}, finish_reason),
    ...(usage === undefined
      ? []
      : [{ id: 'c1', object: 'chat.completion.chunk', created: 1, model, system_fingerprint, choices: [], usage }]),
  ];
};
