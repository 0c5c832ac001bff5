/** A small client of the web API, as another tool would write it. */
import { setTimeout as sleep } from 'node:timers/promises';

export type RunView = { n: number; by: string; code: string; output: string; error: unknown; value?: string | null; end?: string };
export type Message = {
  id: string;
  role: 'person' | 'bot';
  author: string;
  text: string;
  status?: string;
  files: { name: string; type: string; size: number; url: string }[];
  runs: RunView[];
};
export type Thread = { id: string; busy: boolean; messages: Message[] };

/** What a test reads of an answer; it compares, so the shapes are not spelled out. */
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export type Json = any;

export type WebClient = ReturnType<typeof webClient>;

export const webClient = (url: string) => {
  const call = async (method: string, path: string, body?: unknown): Promise<{ status: number; json: Json }> => {
    const form = body instanceof FormData;
    const response = await fetch(url + path, {
      method,
      ...(body === undefined ? {} : form ? { body } : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    return { status: response.status, json: text === '' ? null : JSON.parse(text) };
  };
  const thread = async (id: string): Promise<Thread> => (await call('GET', `/api/threads/${id}`)).json;
  const settled = async (id: string, timeoutMs = 60_000): Promise<Thread> => {
    const until = Date.now() + timeoutMs;
    for (;;) {
      const now = await call('GET', `/api/threads/${id}`);
      // "Not now" (503) is an answer too: whoever gets it asks again.
      if (now.status === 200 && now.json.busy === false) return now.json;
      if (now.status !== 200 && now.status !== 503) throw new Error(`the thread cannot be read: ${JSON.stringify(now)}`);
      if (Date.now() > until) throw new Error(`the thread is still busy: ${JSON.stringify(now.json)}`);
      await sleep(50);
    }
  };
  return {
    call,
    thread,
    open: async (): Promise<string> => (await call('POST', '/api/threads', {})).json.id,
    post: (id: string, text: string, more: object = {}) => call('POST', `/api/threads/${id}/messages`, { text, ...more }),
    command: (id: string, name: string, args = '') => call('POST', `/api/threads/${id}/commands/${name}`, { args }),
    /** Waits until nothing is under way in the thread, and gives it. */
    settled,
    /** Posts a message and gives the last message of the settled thread. */
    say: async function (this: void, id: string, text: string, more: object = {}): Promise<Message> {
      const posted = await call('POST', `/api/threads/${id}/messages`, { text, ...more });
      if (posted.status !== 202) throw new Error(`not accepted: ${JSON.stringify(posted)}`);
      return (await settled(id, 90_000)).messages.at(-1)!;
    },
  };
};
