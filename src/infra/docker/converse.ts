/**
 * One run over the frames of its container: sends what it needs, gathers what it says, and ends it when it must. Judges nothing: see
 * `judge.ts`. Never rejects.
 */
import type { Failure } from '../../core/failure.ts';
import type { BlobId } from '../../core/ids.ts';
import type { Result } from '../../core/result.ts';
import type { Manifest } from '../../core/snapshot.ts';
import type { RunRequest } from '../../ports/sandbox.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Container } from './container.ts';
import type { Answer, DriverFrame, End, Saved } from './driver-frame.ts';
import type { SandboxLimits } from './limits.ts';
import { createOutputKeeper } from './output.ts';
import type { Picture } from './run-files.ts';
import { after } from './timers.ts';

/** What a run starts from. */
export type Start = {
  /** Null: the container's live state is the wanted one, but for `files`. */
  readonly manifest: Manifest | null;
  readonly files: readonly { readonly path: string; readonly id: BlobId; readonly mode: number }[];
  /** Blobs to send along. */
  readonly blobs: ReadonlyMap<BlobId, Uint8Array>;
  /** The only blobs the container may ask for. */
  readonly allowed: ReadonlySet<BlobId>;
  readonly fetch: (ids: readonly BlobId[]) => Promise<Result<ReadonlyMap<BlobId, Uint8Array>, Failure>>;
};

/** Why the worker itself ended the run. */
export type CutShort = 'stopped' | 'overdue' | 'garbled' | 'too-large' | 'store';

export type RunRecord = {
  readonly answer: Answer | null;
  readonly saved: Saved | null;
  readonly end: End | null;
  readonly received: ReadonlyMap<BlobId, Uint8Array>;
  readonly pictures: readonly Picture[];
  readonly output: string;
  readonly droppedBytes: number;
  /** A person asked it to stop, whether that came in time or not. */
  readonly stopAsked: boolean;
  readonly cut: CutShort | null;
  /** What a `store` cut comes from. */
  readonly failure: Failure | null;
  /** The container ended by itself, with what is known of it. */
  readonly lost: string | null;
  /** The run's first sign of life came; before it nothing can have happened. */
  readonly began: boolean;
};

/** The driver kills one second after an interrupt; this is for when it cannot. */
const killAfterStopMs = 3_000;
const overdueMs = 15_000;

export const converse = (
  container: Container,
  start: Start,
  request: RunRequest,
  limits: SandboxLimits,
  clock: Clock,
): Promise<RunRecord> =>
  new Promise((resolve) => {
    const keeper = createOutputKeeper(limits.outputBytes, limits.streamBytes);
    const received = new Map<BlobId, Uint8Array>();
    const pictures: Picture[] = [];
    let answer: Answer | null = null;
    let saved: Saved | null = null;
    let receivedBytes = 0;
    let stopAsked = false;
    let began = false;
    let over = false;
    const timers: (() => void)[] = [];

    const finish = (ending: { end?: End; cut?: CutShort; lost?: string; failure?: Failure }): void => {
      if (over) return;
      over = true;
      container.listen(null);
      request.signal.removeEventListener('abort', stop);
      for (const cancel of timers) cancel();
      const { end = null, cut = null, lost = null, failure = null } = ending;
      resolve({ answer, saved, end, received, pictures, ...keeper.finish(), stopAsked, cut, failure, lost, began });
    };
    const stop = (): void => {
      stopAsked = true;
      container.send('I');
      timers.push(after(clock, killAfterStopMs, () => finish({ cut: 'stopped' })));
    };
    const sendBlobs = (blobs: ReadonlyMap<BlobId, Uint8Array>): void => {
      for (const [id, bytes] of blobs) container.send('B', Buffer.from(id, 'latin1'), bytes);
    };
    const supply = async (ids: readonly BlobId[]): Promise<void> => {
      if (!ids.every((id) => start.allowed.has(id))) return finish({ cut: 'garbled' });
      const found = await start.fetch(ids);
      if (over) return;
      if (found.ok) sendBlobs(found.value);
      else finish({ cut: 'store', failure: found.failure });
    };
    const receive = (id: BlobId, bytes: Uint8Array): void => {
      if (received.has(id)) return;
      receivedBytes += bytes.length;
      if (receivedBytes > limits.stateBytes) finish({ cut: 'too-large' });
      else received.set(id, bytes);
    };
    /** Bounded here already, so that no container can fill the worker's memory; what is over is counted and told later. */
    const draw = (alt: string, bytes: Buffer): void => {
      if (pictures.length <= limits.pictures) pictures.push({ alt, bytes: bytes.length > limits.pictureBytes ? Buffer.alloc(0) : bytes });
    };
    const show = (text: string): void => {
      if (text === '') return;
      try {
        request.onOutput(text);
      } catch {
        // Showing is a courtesy; the outcome has the text.
      }
    };
    const hear = (frame: DriverFrame): void => {
      if (over) return;
      began = true;
      switch (frame.kind) {
        case 'output':
          return show(keeper.add(frame.stream, frame.bytes));
        case 'picture':
          return draw(frame.alt, frame.bytes);
        case 'need':
          return void supply(frame.ids);
        case 'answer':
          answer = frame.answer;
          return;
        case 'saved':
          saved = frame.saved;
          return;
        case 'blob':
          return receive(frame.id, frame.bytes);
        case 'end':
          return frame.end.n === request.n ? finish({ end: frame.end }) : finish({ cut: 'garbled' });
        case 'garbled':
        case 'hello':
        case 'ripe':
          return finish({ cut: 'garbled' });
        default:
          return frame satisfies never;
      }
    };

    container.listen(hear);
    void container.closed.then((lost) => finish({ lost }));
    timers.push(after(clock, request.timeoutMs + limits.saveMs + overdueMs, () => finish({ cut: 'overdue' })));
    sendBlobs(start.blobs);
    const { n, code, timeoutMs } = request;
    const { manifest, files } = start;
    const run = { n, code, manifest, files, timeoutMs, saveMs: limits.saveMs, outputBytes: limits.streamBytes, figures: limits.pictures };
    container.send('R', Buffer.from(JSON.stringify({ ...run, echo: true })));
    if (request.signal.aborted) stop();
    else request.signal.addEventListener('abort', stop);
  });
