/**
 * The typed client of a stand-in's control API: every operation is one POST to `/_control/<name>`, so it works from another process
 * as well.
 */

/** Operations as their client has them: each answers with a promise. */
export type ControlClient<Ops> = {
  readonly [Name in keyof Ops]: Ops[Name] extends (...given: infer Given) => infer Answer
    ? (...given: Given) => Promise<Awaited<Answer>>
    : never;
} & {
  /** Looks until `look` gives something: not undefined, null or false. Looks again after each change in the stand-in. */
  readonly until: <Found>(look: () => Promise<Found | undefined | null | false>, what?: string, timeoutMs?: number) => Promise<Found>;
};

const ask = async (baseUrl: string, name: string, given: unknown): Promise<unknown> => {
  const response = await fetch(`${baseUrl}/_control/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(given ?? {}),
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer;
  throw new Error(`control ${name}: ${JSON.stringify(answer)}`);
};

/** A client for the operations of a stand-in, which must have `revision` and `change` among them. */
export const createControlClient = <Ops>(baseUrl: string): ControlClient<Ops> => {
  const until = async <Found>(look: () => Promise<Found | undefined | null | false>, what = 'it', timeoutMs = 30_000): Promise<Found> => {
    const end = Date.now() + timeoutMs;
    let last: unknown;
    for (;;) {
      const { revision } = (await ask(baseUrl, 'revision', {})) as { revision: number };
      last = await look();
      if (last !== undefined && last !== null && last !== false) return last as Found;
      const left = end - Date.now();
      if (left <= 0) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
      await ask(baseUrl, 'change', { revision, ms: Math.min(left, 1000) });
    }
  };
  return new Proxy({} as ControlClient<Ops>, {
    get: (_, name) => {
      if (name === 'until') return until;
      // A promise's `then` must not look like an operation, or awaiting the client would call it.
      if (typeof name !== 'string' || name === 'then') return undefined;
      return (given?: unknown) => ask(baseUrl, name, given);
    },
  });
};
