/**
 * The stand-in as a process of its own: `node test/servers/slack/main.ts [--port=N]`. Writes one line of JSON with its addresses and
 * tokens, and ends with a signal, or when
 * its standard input closes.
 */
import { startSlackServer } from './server.ts';

const asked = Number(process.argv.find((arg) => arg.startsWith('--port='))?.slice('--port='.length) ?? 0);
// The usual port keeps the address of the page; where it is taken, any other will do.
const server = await startSlackServer({ port: asked }).catch(() => startSlackServer());
console.log(JSON.stringify(await server.control.credentials()));

let ending = false;
const end = (): void => {
  if (ending) return;
  ending = true;
  void server[Symbol.asyncDispose]().then(() => process.exit(0));
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);
// Whoever started it with a pipe and is gone needs it no longer.
if (!process.stdin.isTTY) process.stdin.on('end', end).resume();
