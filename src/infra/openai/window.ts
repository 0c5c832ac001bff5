/**
 * How long a context a server says that its model takes. Asked of the server itself, each kind in its own way; what a kind does not know it
 * answers with an error or without the field, and the next is asked. Never throws.
 */
import { z } from 'zod';

export type Probed = { readonly baseUrl: string; readonly model: string; readonly apiKey: string | undefined };

const PROBE_MS = 3_000;
const MAX_BYTES = 8 << 20;

const tokens = z.number().int().min(256).max(100_000_000);
const maybe = tokens.optional().catch(undefined);

/** OpenRouter `context_length`, vLLM `max_model_len`, Groq `context_window`, LM Studio `loaded_context_length`. */
const listed = z.looseObject({
  id: z.string(),
  max_model_len: maybe,
  loaded_context_length: maybe,
  context_length: maybe,
  context_window: maybe,
  max_context_length: maybe,
});
const list = z.object({ data: z.array(z.unknown()) });
const props = z.object({ default_generation_settings: z.object({ n_ctx: tokens }) });
const tags = z.object({ models: z.array(z.object({ name: z.string() })) });
const shown = z.object({ parameters: z.string().default(''), model_info: z.record(z.string(), z.unknown()).default({}) });
const running = z.object({ models: z.array(z.object({ name: z.string(), context_length: maybe })) });

/** What Ollama gives a model that says nothing of its own, whatever the model could take; what is beyond it is cut off without a word. */
const OLLAMA_USUAL = 4_096;

/** The window in tokens; null where the server does not tell. */
export const probeWindow = async ({ baseUrl, model, apiKey }: Probed): Promise<number | null> => {
  if (!URL.canParse(baseUrl)) return null;
  const base = baseUrl.replace(/\/+$/, '');
  const { origin } = new URL(baseUrl);
  const ask = (url: string, body?: object): Promise<unknown> => read(url, apiKey, body);
  const models = await ask(`${base}/models`);
  const inList = windowIn(models, model);
  if (inList !== null) return inList;
  // The rest are servers of one's own; what is public, or no such server at all, is not troubled with addresses that it does not have.
  if (new URL(baseUrl).protocol === 'https:' || !list.safeParse(models).success) return null;
  const llama = props.safeParse(await ask(`${origin}/props`));
  if (llama.success) return llama.data.default_generation_settings.n_ctx;
  const studio = windowIn(await ask(`${origin}/api/v0/models`), model);
  if (studio !== null) return studio;
  if (!tags.safeParse(await ask(`${origin}/api/tags`)).success) return null;
  const ollama = shown.safeParse(await ask(`${origin}/api/show`, { model }));
  if (!ollama.success || Object.keys(ollama.data.model_info).length === 0) return null;
  const set = /^num_ctx\s+(\d+)$/m.exec(ollama.data.parameters)?.[1];
  if (set !== undefined) return Number(set);
  const loaded = running.safeParse(await ask(`${origin}/api/ps`));
  const now = loaded.success ? loaded.data.models.find((one) => one.name === model || one.name.startsWith(`${model}:`)) : undefined;
  return now?.context_length ?? OLLAMA_USUAL;
};

const windowIn = (answer: unknown, model: string): number | null => {
  const models = list.safeParse(answer);
  if (!models.success) return null;
  for (const value of models.data.data) {
    const entry = listed.safeParse(value);
    if (!entry.success || entry.data.id !== model) continue;
    const { max_model_len, loaded_context_length, context_length, context_window, max_context_length } = entry.data;
    return max_model_len ?? loaded_context_length ?? context_length ?? context_window ?? max_context_length ?? null;
  }
  return null;
};

const read = async (url: string, apiKey: string | undefined, body: object | undefined): Promise<unknown> => {
  try {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A redirect would carry the key to wherever it leads.
      redirect: 'error',
      signal: AbortSignal.timeout(PROBE_MS),
    });
    if (!response.ok || response.body === null) return null;
    const stream: ReadableStream<Uint8Array> = response.body;
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of stream) {
      size += part.length;
      if (size > MAX_BYTES) return null;
      parts.push(part);
    }
    const value: unknown = JSON.parse(Buffer.concat(parts).toString('utf8'));
    return value;
  } catch {
    return null; // away, slow, or no server of that kind
  }
};

const AGAIN_MS = 60_000;

export type LearnedWindow = {
  /** Null until the server has told it. */
  readonly tokens: () => number | null;
  /** Asks the server unless that was done within the last minute; resolves when it has answered. */
  readonly learn: () => Promise<void>;
};

export const createLearnedWindow = (of: Probed, now: () => number): LearnedWindow => {
  let known: number | null = null;
  let next = 0;
  return {
    tokens: () => known,
    learn: async () => {
      if (known !== null || now() < next) return;
      next = Number.POSITIVE_INFINITY;
      known = await probeWindow(of);
      next = now() + AGAIN_MS;
    },
  };
};
