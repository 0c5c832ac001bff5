/** How many tokens a request to a model may hold. */
import { calcPrice } from '@pydantic/genai-prices';

/** Where nobody says how much a model takes. Small enough for most local ones. */
export const DEFAULT_CONTEXT = 32_000;

/** The window that public tables give a model on a server of this address; null for models and servers they do not know. */
export const publicWindow = (model: string, baseUrl: string): number | null => {
  try {
    return calcPrice({ input_tokens: 0 }, model, { providerApiUrl: baseUrl })?.model.context_window ?? null;
  } catch {
    return null;
  }
};

/** The window without the room for a reply and 5 % for what an estimate may be wrong by. A reply gets a quarter of a small window. */
export const budgetOf = (window: number, maxOutput: number | undefined): number =>
  Math.max(1_000, Math.floor(window * 0.95) - Math.min(maxOutput ?? 4_096, Math.floor(window / 4)));
