/** Looks at a response body as it passes: life signs for the idle timer, the `[DONE]` that the SDK keeps to itself, and a bound on one line. */

/** A server that sends a line without end would fill the memory: the SDK holds a line until it is whole. */
const MAX_LINE = 8 << 20;
const DONE = Buffer.from('[DONE]');

export type Watch = { readonly response: Response; readonly sawDone: () => boolean };

export const watchBody = (response: Response, alive: () => void): Watch => {
  if (response.body === null) return { response, sawDone: () => false };
  let done = false;
  let tail = Buffer.alloc(0);
  let line = 0;
  const eye = new TransformStream<Uint8Array, Uint8Array>({
    transform: (bytes, controller) => {
      alive();
      const newline = bytes.lastIndexOf(10);
      line = newline === -1 ? line + bytes.length : bytes.length - newline - 1;
      if (line > MAX_LINE) {
        controller.error(new Error('a line of the reply is longer than 8 MiB'));
        return;
      }
      const seen = Buffer.concat([tail, bytes]);
      done ||= seen.includes(DONE);
      tail = Buffer.from(seen.subarray(-DONE.length + 1));
      controller.enqueue(bytes);
    },
  });
  const { status, statusText, headers } = response;
  return { response: new Response(response.body.pipeThrough(eye), { status, statusText, headers }), sawDone: () => done };
};
