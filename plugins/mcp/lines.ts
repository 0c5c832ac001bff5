/** Bytes of a server's output -> its messages, none of them larger than it may be. */

export type Line =
  | { readonly kind: 'whole'; readonly text: string }
  | { readonly kind: 'oversize'; readonly head: string; readonly tail: string };

const EDGE = 512;

/** Takes chunks and calls back with each line. Of one above `max` bytes only the edges are kept, whatever its length. */
export const createLineReader = (max: number, onLine: (line: Line) => void): ((chunk: Buffer) => void) => {
  let parts: Buffer[] = [];
  let size = 0;
  let head: Buffer | null = null;
  let tail: Buffer = Buffer.alloc(0);

  const add = (bytes: Buffer): void => {
    size += bytes.length;
    if (head === null) {
      parts.push(bytes);
      if (size <= max) return;
      const start = Buffer.concat(parts);
      head = Buffer.from(start.subarray(0, EDGE));
      tail = Buffer.from(start.subarray(-EDGE));
      parts = [];
      return;
    }
    tail = Buffer.from(Buffer.concat([tail, bytes.subarray(-EDGE)]).subarray(-EDGE));
  };
  const end = (): void => {
    if (head !== null) onLine({ kind: 'oversize', head: head.toString('utf8'), tail: tail.toString('utf8') });
    else if (size > 0) onLine({ kind: 'whole', text: Buffer.concat(parts).toString('utf8') });
    parts = [];
    size = 0;
    head = null;
  };

  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      if (at > from) add(chunk.subarray(from, at));
      end();
      from = at + 1;
    }
    if (from < chunk.length) add(chunk.subarray(from));
  };
};

/** Which request a message answers, read off its edges; undefined where they do not say. Requests of ours have whole numbers as ids. */
export const answeredRequest = ({ head, tail }: { readonly head: string; readonly tail: string }): number | undefined => {
  const first = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15})\s*,/.exec(head);
  const last = /[\]}"]\s*,\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail);
  const found = first?.[1] ?? last?.[1];
  return found === undefined ? undefined : Number(found);
};
