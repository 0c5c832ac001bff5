/** The names under which servers' tools are offered: legal for every model server, unique, and the same at every start. */
import { createHash } from 'node:crypto';

const MAX = 64;

/** `server__tool`; where that is too long or taken, cut, with six characters of a hash of both names behind it (MH1). */
export const offeredName = (server: string, tool: string, taken: ReadonlySet<string>): string => {
  const plain = `${legal(server)}__${legal(tool)}`;
  if (plain.length <= MAX && !taken.has(plain)) return plain;
  for (let salt = 0; ; salt += 1) {
    const hash = createHash('sha256')
      .update(JSON.stringify([server, tool, salt]))
      .digest('hex')
      .slice(0, 6);
    const name = `${plain.slice(0, MAX - 7)}_${hash}`;
    if (!taken.has(name)) return name;
  }
};

const legal = (name: string): string => name.replace(/[^a-zA-Z0-9_-]/g, '_') || '_';
