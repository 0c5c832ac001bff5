/** A script from a pipe or a file: statements run one after the other, as they are complete. */
import { StringDecoder } from 'node:string_decoder';
import { endPiped, feedPiped } from './input.ts';
import type { Entry, Pending } from './input.ts';
import type { Session } from './session.ts';

/** The exit code: 0, or 1 where something did not go well. Goes on after an error, as a REPL does. */
export const runPiped = async (input: AsyncIterable<Buffer | string>, session: Session, signal: AbortSignal): Promise<number> => {
  const decoder = new StringDecoder('utf8');
  let pending: Pending = [];
  let rest = '';
  let well = true;
  /** False where the script wants to leave. */
  const submit = async (entries: readonly Entry[]): Promise<boolean> => {
    for (const entry of entries) {
      if (entry.kind === 'leave' || signal.aborted) return false;
      well = (await session.submit(entry)) && well;
    }
    return true;
  };
  const feed = async (line: string): Promise<boolean> => {
    const [next, entries] = feedPiped(pending, line.replace(/\r$/, ''));
    pending = next;
    return submit(entries);
  };
  for await (const chunk of input) {
    rest += typeof chunk === 'string' ? chunk : decoder.write(chunk);
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!(await feed(line))) return well ? 0 : 1;
    }
  }
  rest += decoder.end();
  if (rest !== '' && !(await feed(rest))) return well ? 0 : 1;
  await submit(endPiped(pending));
  return well ? 0 : 1;
};
