/** Looks at a response body as it passes: life signs for the idle timer, the `[DONE]` that the SDK keeps to itself, and a bound on one line. */

/** A server that sends a line without end would fill the memory: the SDK holds a line until it is whole. */
const MAX_LINE = 8 << 20;
/** How long the rest of a body may take to come after `[DONE]`, so that its connection can be used again. */
const DRAIN_MS = 1_000;
const DONE = Buffer.from('[DONE]');

export type Watch = {
  readonly response: Response;
  readonly sawDone: () => boolean;
  /** Nothing more need be read: the body is at its end, or what is left of it is read away in the background. */
  readonly isOver: () => boolean;
};

export const watchBody = (response: Response, alive: () => void): Watch => {
  if (response.body === null) return { response, sawDone: () => false, isOver: () => true };
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  let done = false;
  let closed = false;
  let tail = Buffer.alloc(0);
  let line = 0;
  const look = (bytes: Uint8Array): void => {
    alive();
    const newline = bytes.lastIndexOf(10);
    line = newline === -1 ? line + bytes.length : bytes.length - newline - 1;
    if (line > MAX_LINE) throw new Error('a line of the reply is longer than 8 MiB');
    const seen = Buffer.concat([tail, bytes]);
    done ||= seen.includes(DONE);
    tail = Buffer.from(seen.subarray(-DONE.length + 1));
  };
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { value } = await reader.read();
      if (value === undefined) {
        closed = true;
        controller.close();
        return;
      }
      look(value);
      controller.enqueue(value);
    },
    cancel: async (reason: unknown) => {
      if (done) void drain(reader);
      else await reader.cancel(reason);
    },
  });
  const { status, statusText, headers } = response;
  return { response: new Response(body, { status, statusText, headers }), sawDone: () => done, isOver: () => done || closed };
};

/** Reads what little follows the last event. A connection whose body was left unread would be thrown away. */
const drain = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> => {
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), DRAIN_MS);
  try {
    while ((await reader.read()).value !== undefined);
  } catch {
    // The connection broke after the reply was whole: nothing is lost.
  } finally {
    clearTimeout(timer);
  }
};
