/**
 * A stand-in as a process of its own: writes one line of JSON, its addresses and tokens, and ends with a signal, or when its standard
 * input closes.
 */
type Server = AsyncDisposable & { readonly control: { readonly credentials: () => Promise<unknown> } };

/** Starts what `start` makes, at the port that `--port=N` asks for where that is free. */
export const runAsProcess = async (start: (given: { readonly port: number }) => Promise<Server>): Promise<void> => {
  const asked = Number(process.argv.find((arg) => arg.startsWith('--port='))?.slice('--port='.length) ?? 0);
  // The usual port keeps the address of the page; where it is taken, any other will do.
  const server = await start({ port: asked }).catch(() => start({ port: 0 }));
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
};
