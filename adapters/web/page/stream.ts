/**
 * The connection to a thread's events. The browser reconnects by itself after a cut and says where it was; where it gives up (the server
 * answered with an error) this does it, with growing pauses. A page that nobody looks at lets go of its connection after a minute,
 * since a browser has only six of them for one server.
 */
import type { WireEvent, WireEvents } from './wire.ts';

export type StreamListener = {
  readonly event: (event: WireEvent) => void;
  readonly connected: (yes: boolean) => void;
};

const NAMES = ['ready', 'status', 'draft', 'output', 'ran', 'message', 'command'] as const satisfies (keyof WireEvents)[];
const HIDDEN_MS = 60_000;
const LONGEST_PAUSE_MS = 15_000;

/** Follows a thread until the returned function is called. */
export const follow = (thread: string, listener: StreamListener): (() => void) => {
  let source: EventSource | null = null;
  let pause = 1_000;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let hiding: ReturnType<typeof setTimeout> | undefined;

  const close = (): void => {
    clearTimeout(retry);
    source?.close();
    source = null;
  };
  const open = (): void => {
    close();
    const opened = new EventSource(`/api/threads/${thread}/events`);
    source = opened;
    for (const name of NAMES) {
      opened.addEventListener(name, (event: MessageEvent<string>) => {
        if (name === 'ready') {
          pause = 1_000;
          listener.connected(true);
        }
        listener.event(decode(name, event.data));
      });
    }
    opened.addEventListener('error', () => {
      listener.connected(false);
      if (opened.readyState !== EventSource.CLOSED) return;
      clearTimeout(retry);
      retry = setTimeout(open, pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    });
  };
  const look = (): void => {
    clearTimeout(hiding);
    if (document.hidden) hiding = setTimeout(close, HIDDEN_MS);
    else if (source === null) open();
  };
  const online = (): void => {
    if (source?.readyState !== EventSource.OPEN) open();
  };
  document.addEventListener('visibilitychange', look);
  window.addEventListener('online', online);
  open();
  return () => {
    document.removeEventListener('visibilitychange', look);
    window.removeEventListener('online', online);
    clearTimeout(hiding);
    close();
  };
};

// As in api.ts: what our own server sends is of the form that its name says.
const decode = (name: keyof WireEvents, data: string): WireEvent => ({ name, data: JSON.parse(data) }); // oxlint-disable-line typescript/no-unsafe-assignment
