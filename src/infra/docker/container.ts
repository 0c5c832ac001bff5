/**
 * One sandbox container from create to removal. It is used up once its stream ends, for whatever reason; `closed` tells.
 */
import type Docker from 'dockerode';
import { err, ok } from '../../core/result.ts';
import type { Result } from '../../core/result.ts';
import type { Clock } from '../../ports/clock.ts';
import { createDemultiplexer } from './docker-stream.ts';
import { PROTOCOL, decodeDriverFrame, driverBounds } from './driver-frame.ts';
import type { DriverFrame, Hello } from './driver-frame.ts';
import { messageOf, statusOf } from './engine.ts';
import { createFrameParser, encodeFrame } from './frames.ts';
import { within } from './timers.ts';

export type Container = {
  /** The unique id in its label. */
  readonly lease: string;
  readonly image: string;
  readonly hello: Hello;
  /** The heavy libraries are imported. */
  readonly isRipe: () => boolean;
  readonly isOpen: () => boolean;
  /** Resolves when the stream is over, with what is known of the reason. */
  readonly closed: Promise<string>;
  /** Has it import the heavy libraries; resolves when it has, when a run came first, or when it is over. */
  readonly ripen: () => Promise<void>;
  readonly send: (type: 'R' | 'B' | 'I', ...payload: readonly Uint8Array[]) => void;
  /** Frames go to one listener at a time; without one they are dropped. */
  readonly listen: (listener: ((frame: DriverFrame) => void) | null) => void;
  /** False where the engine would not. */
  readonly pause: () => Promise<boolean>;
  readonly unpause: () => Promise<boolean>;
  /** Kills and removes; may be called more than once, never rejects. */
  readonly remove: () => Promise<void>;
};

const startMs = 60_000;
const requestMs = 30_000;
/** What the driver complains of on its own standard error, for the operator's log. */
const complaintChars = 2_000;

export type StartRequest = {
  readonly docker: Docker;
  readonly options: Docker.ContainerCreateOptions;
  readonly lease: string;
  readonly image: string;
  readonly clock: Clock;
};

/** Removes whatever the state: not there or already going is fine. Resolves with false where the engine failed. */
export const removeById = async (docker: Docker, id: string, clock: Clock): Promise<boolean> => {
  try {
    await within(clock, requestMs, 'removing a container', docker.getContainer(id).remove({ force: true, v: true }));
    return true;
  } catch (error) {
    const status = statusOf(error);
    return status === 404 || status === 409;
  }
};

export const startContainer = async (request: StartRequest): Promise<Result<Container, string>> => {
  const { docker, clock } = request;
  let id: string | null = null;
  try {
    const created = await within(clock, requestMs, 'creating a container', docker.createContainer(request.options));
    id = created.id;
    const attach = { stream: true, stdin: true, stdout: true, stderr: true, hijack: true };
    const stream = await within(clock, requestMs, 'attaching to a container', created.attach(attach));
    const wired = wire(request, created, stream);
    await within(clock, requestMs, 'starting a container', created.start());
    const ready = Promise.race([wired.ready, wired.container.closed.then((why) => Promise.reject(new Error(`it ended at once: ${why}`)))]);
    const hello = await within(clock, startMs, 'the start of the driver', ready);
    return ok({ ...wired.container, hello });
  } catch (error) {
    if (id !== null) await removeById(docker, id, clock);
    return err(messageOf(error));
  }
};

type Wired = { readonly ready: Promise<Hello>; readonly container: Omit<Container, 'hello'> };

const wire = ({ docker, clock, lease, image }: StartRequest, created: Docker.Container, stream: NodeJS.ReadWriteStream): Wired => {
  const demultiplex = createDemultiplexer();
  const parse = createFrameParser(driverBounds);
  const ready = Promise.withResolvers<Hello>();
  const closed = Promise.withResolvers<string>();
  const ripened = Promise.withResolvers<void>();
  let listener: ((frame: DriverFrame) => void) | null = null;
  let ripe = false;
  let ripening = false;
  let open = true;
  let complaint = '';
  let removal: Promise<void> | null = null;

  const close = (why: string): void => {
    if (!open) return;
    open = false;
    ripened.resolve();
    closed.resolve(complaint === '' ? why : `${why}; driver: ${complaint}`);
  };
  const remove = (): Promise<void> => {
    close('removed');
    stream.end();
    removal ??= removeById(docker, created.id, clock).then(() => undefined);
    return removal;
  };
  const dispatch = (frame: DriverFrame): void => {
    if (frame.kind === 'hello') {
      if (frame.hello.protocol === PROTOCOL) return ready.resolve(frame.hello);
      close(`the image ${image} is of another version (protocol ${frame.hello.protocol}, not ${PROTOCOL}): run npm run images`);
      return void remove();
    }
    if (frame.kind === 'ripe') {
      ripe = true;
      ripened.resolve();
    } else listener?.(frame);
  };

  stream.on('data', (chunk: Buffer) => {
    for (const piece of demultiplex(chunk)) {
      if (!open) return;
      if (piece.stream === 'stderr') {
        complaint = (complaint + piece.bytes.toString('utf8')).slice(-complaintChars);
        continue;
      }
      const parsed = parse(piece.bytes);
      if (!parsed.ok) {
        close(`protocol broken: ${parsed.failure}`);
        void remove();
        return;
      }
      for (const frame of parsed.value) dispatch(decodeDriverFrame(frame));
    }
  });
  stream.on('end', () => close('its stream ended'));
  stream.on('close', () => close('its stream was closed'));
  stream.on('error', (error: unknown) => close(messageOf(error)));

  const write = (type: 'K' | 'R' | 'B' | 'I', ...payload: readonly Uint8Array[]): void => {
    if (open) for (const chunk of encodeFrame(type, ...payload)) stream.write(chunk);
  };
  const attempt = async (what: string, act: () => Promise<unknown>): Promise<boolean> => {
    try {
      await within(clock, requestMs, what, act());
      return true;
    } catch {
      return false;
    }
  };

  return {
    ready: ready.promise,
    container: {
      lease,
      image,
      isRipe: () => ripe,
      isOpen: () => open,
      closed: closed.promise,
      ripen: () => {
        if (!ripening) write('K');
        ripening = true;
        return ripened.promise;
      },
      send: (type, ...payload) => {
        // From the first run on it is too late.
        ripening = true;
        ripened.resolve();
        write(type, ...payload);
      },
      listen: (next) => {
        listener = next;
      },
      pause: () => attempt('freezing a container', () => created.pause()),
      unpause: () => attempt('thawing a container', () => created.unpause()),
      remove,
    },
  };
};
