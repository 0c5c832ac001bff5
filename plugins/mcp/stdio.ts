/**
 * The transport to a server that is a child process. It stands in for the SDK's own, which ends the server when one answer is too large: here
 * such an answer harms its own call only.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { deserializeMessage, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { answeredRequest, createLineReader } from './lines.ts';
import { MAX_MESSAGE, oversizeAnswer } from './oversize.ts';
import type { StdioSettings } from './settings.ts';

/** How long a process has to end by itself once its input is closed, and again once it was asked to. */
const PATIENCE_MS = 2_000;

/** `base` is what a process needs in order to run at all (PATH, HOME); beside it the server sees only what its settings name. */
export const createStdioTransport = (settings: StdioSettings, base: Readonly<Record<string, string>>): Transport => {
  let child: ChildProcess | null = null;
  const transport: Transport = {
    start: async () => {
      const started = spawn(settings.command, [...settings.args], {
        env: { ...base, ...settings.env },
        // What servers write there is for a developer at a terminal, and may hold anything.
        stdio: ['pipe', 'pipe', 'ignore'],
        ...(settings.cwd === null ? {} : { cwd: settings.cwd }),
      });
      child = started;
      const fault = (error: Error): void => transport.onerror?.(error);
      started.stdin.on('error', fault);
      started.stdout.on('error', fault);
      started.once('close', () => transport.onclose?.());
      started.stdout.on(
        'data',
        createLineReader(MAX_MESSAGE, (line) => receive(transport, line)),
      );
      await once(started, 'spawn');
      started.on('error', fault);
    },
    send: async (message) => {
      const stdin = child?.stdin;
      if (stdin === null || stdin === undefined || !stdin.writable) throw new Error('the process has ended');
      if (!stdin.write(serializeMessage(message))) await Promise.race([once(stdin, 'drain'), once(stdin, 'close')]);
    },
    close: async () => {
      const ending = child;
      child = null;
      if (ending !== null) await end(ending);
    },
  };
  return transport;
};

const receive = (transport: Transport, line: Parameters<Parameters<typeof createLineReader>[1]>[0]): void => {
  if (line.kind === 'oversize') {
    const id = answeredRequest(line);
    if (id === undefined) transport.onerror?.(new Error('a message was too large'));
    else transport.onmessage?.(oversizeAnswer(id));
    return;
  }
  // A line that is no message is a server that prints where it should not; the next one may be right.
  if (line.text.trimStart().startsWith('{')) {
    try {
      transport.onmessage?.(deserializeMessage(line.text));
    } catch (error) {
      transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }
};

/** By the protocol: close its input, then ask, then force. */
const end = async (child: ChildProcess): Promise<void> => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.stdin?.end();
  if (await within(ended, PATIENCE_MS)) return;
  child.kill('SIGTERM');
  if (await within(ended, PATIENCE_MS)) return;
  child.kill('SIGKILL');
  await within(ended, PATIENCE_MS);
};

const within = async (event: Promise<unknown>, ms: number): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), ms);
  const happened = await Promise.race([event.then(() => true), promise]);
  clearTimeout(timer);
  return happened;
};
