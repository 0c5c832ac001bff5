/** One run of a conversation: finds it a container with the wanted state, has the run there, and keeps or rolls back what came of it. */
import { failure } from '../../core/failure.ts';
import type { Failure } from '../../core/failure.ts';
import type { BlobId, ConversationId } from '../../core/ids.ts';
import { err, ok } from '../../core/result.ts';
import type { Result } from '../../core/result.ts';
import { blobsOf } from '../../core/snapshot.ts';
import type { Manifest } from '../../core/snapshot.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RunOutcome, RunRequest } from '../../ports/sandbox.ts';
import { converse } from './converse.ts';
import type { RunRecord, Start } from './converse.ts';
import { judgeKept, judgeRolledBack } from './judge.ts';
import { filesBetween } from './leases.ts';
import type { Lease, Leases } from './leases.ts';
import type { SandboxLimits } from './limits.ts';
import type { Pool } from './pool.ts';
import { changedFilesOf, picturesOf } from './run-files.ts';
import { checkState, loadBlobs, loadState, storeState } from './snapshots.ts';
import type { State } from './snapshots.ts';

export type RunParts = {
  readonly pool: Pool;
  readonly leases: Leases;
  readonly blobs: BlobStore;
  readonly limits: SandboxLimits;
  readonly clock: Clock;
};

type Prepared = { readonly lease: Lease; readonly base: State; readonly start: Start };
type Preparation = Result<Prepared, Failure> | 'stopped';

/** Blobs that are sent along unasked: small ones, up to this much together. What is large is fetched if the run touches it. */
const smallBytes = 64 * 1024;
const alongBytes = 256 * 1024;

/**
 * Never rejects. A container that is lost before the run showed any sign of life is replaced once; nothing a run does reaches beyond
 * its container, so trying again is safe.
 */
export const runInSandbox = async (parts: RunParts, request: RunRequest): Promise<Result<RunOutcome, Failure>> => {
  for (let attempt = 1; ; attempt += 1) {
    const started = parts.clock.now();
    const prepared = await prepare(parts, request);
    if (prepared === 'stopped') return ok(neverRan(request));
    if (!prepared.ok) return prepared;
    const record = await converse(prepared.value.lease.container, prepared.value.start, request, parts.limits, parts.clock);
    if (record.lost !== null || record.failure !== null) {
      await parts.leases.end(request.conversation);
      if (record.failure !== null) return err(record.failure);
      if (!record.began && attempt === 1 && !request.signal.aborted) continue;
      return err(failure('sandbox-broken', {}, `the container was lost: ${record.lost}`));
    }
    return conclude(parts, request, prepared.value, record, parts.clock.now() - started);
  }
};

const prepare = async (parts: RunParts, request: RunRequest): Promise<Preparation> => {
  const { leases, pool, blobs } = parts;
  const { conversation, base, signal, onWaiting } = request;
  const held = await leases.resume(conversation);
  if (held !== null && held.live !== null && held.live.id === base) return goOn(parts, held, held.live, []);

  const loading = loadState(blobs, conversation, base);
  if (held !== null && held.live !== null) {
    const wanted = await loading;
    const files = wanted.ok ? filesBetween(held.live, wanted.value) : null;
    if (wanted.ok && files !== null) return goOn(parts, held, wanted.value, files);
    await leases.end(conversation);
  }

  const [taken, wanted] = await Promise.all([pool.take({ signal, onWaiting }), loading]);
  if (taken.kind === 'stopped') return 'stopped';
  if (taken.kind === 'failed') return err(taken.failure);
  const container = taken.what;
  const giveBack = async (why: Failure): Promise<Preparation> => {
    await pool.discard(container);
    return err(why);
  };
  if (!wanted.ok) return giveBack(wanted.failure);
  const along = await loadBlobs(blobs, conversation, smallBlobsOf(wanted.value.manifest));
  if (!along.ok) return giveBack(along.failure);
  const lease = leases.begin(conversation, container);
  const manifest = base === null ? null : wanted.value.manifest;
  return ok({
    lease,
    base: wanted.value,
    start: { ...supplyOf(parts, conversation, wanted.value), manifest, files: [], blobs: along.value },
  });
};

/** In the container that the conversation holds already. */
const goOn = async (parts: RunParts, lease: Lease, base: State, files: Start['files']): Promise<Preparation> => {
  const along = await loadBlobs(
    parts.blobs,
    lease.conversation,
    files.map((file) => file.id),
  );
  if (!along.ok) {
    await parts.leases.end(lease.conversation);
    return along;
  }
  return ok({ lease, base, start: { ...supplyOf(parts, lease.conversation, base), manifest: null, files, blobs: along.value } });
};

const supplyOf = ({ blobs }: RunParts, conversation: ConversationId, base: State): Pick<Start, 'allowed' | 'fetch'> => ({
  allowed: blobsOf(base.manifest),
  fetch: (ids) => loadBlobs(blobs, conversation, ids),
});

const smallBlobsOf = (manifest: Manifest): readonly BlobId[] => {
  const chosen = new Set<BlobId>(manifest.settings === null ? [] : [manifest.settings]);
  const candidates = [...manifest.files.flatMap((file) => ('id' in file ? [file] : [])), ...manifest.groups];
  let total = 0;
  for (const { id, size } of candidates) {
    if (size > smallBytes || total + size > alongBytes || chosen.has(id)) continue;
    chosen.add(id);
    total += size;
  }
  return [...chosen];
};

const conclude = async (
  parts: RunParts,
  request: RunRequest,
  prepared: Prepared,
  record: RunRecord,
  ms: number,
): Promise<Result<RunOutcome, Failure>> => {
  const { leases, blobs, limits } = parts;
  const { conversation, base, n, timeoutMs } = request;
  const offered = offeredState(record, n, prepared.base, limits);
  const pictures = picturesOf(n, record.pictures, limits);
  const common = {
    output: record.output,
    droppedBytes: record.droppedBytes + (record.end === null ? 0 : record.end.dropped.stdout + record.end.dropped.stderr),
    value: record.answer?.value?.text ?? null,
    error: record.answer?.error ?? null,
    durationMs: record.answer?.ms ?? record.end?.wallMs ?? ms,
  };
  const answerNotes = record.answer?.notes ?? [];

  if (!offered.ok) {
    await leases.end(conversation);
    const put = await blobs.putAll(conversation, pictures.bytes);
    if (!put.ok) return put;
    const verdict = judgeRolledBack(record, offered.failure, { timeoutMs, memoryMb: limits.memoryMb });
    const notes = [...answerNotes, ...verdict.notes, ...pictures.notes];
    return ok({ ...common, end: verdict.end, files: pictures.files, removedFiles: [], lost: [], notes, after: base });
  }

  const { manifest, saved } = offered.value;
  const named = blobsOf(manifest);
  const fresh = [...record.received].flatMap(([id, bytes]) => (named.has(id) ? [bytes] : []));
  // The image is the worker's word, whatever the manifest says.
  const stored = await storeState(blobs, conversation, { ...manifest, image: prepared.lease.container.image }, [
    ...fresh,
    ...pictures.bytes,
  ]);
  if (!stored.ok) {
    await leases.end(conversation);
    return stored;
  }
  if (record.end?.alive === true) leases.keep(prepared.lease, stored.value, record.end.peakKb / 1024);
  else await leases.end(conversation);
  const files = changedFilesOf(saved.changed, prepared.base.manifest, named, record.received, limits);
  const verdict = judgeKept(record, timeoutMs);
  return ok({
    ...common,
    end: verdict.end,
    files: [...pictures.files, ...files.files],
    removedFiles: saved.removed,
    lost: saved.lost,
    notes: [...answerNotes, ...verdict.notes, ...pictures.notes, ...files.notes],
    after: stored.value.id,
  });
};

/** The state that the run leaves, checked; the error is null where it left none, else the reason why it is not taken. */
const offeredState = (record: RunRecord, n: number, base: State, limits: SandboxLimits) => {
  const { end, saved, answer } = record;
  const sound = end !== null && end.refused === null && end.signal === null && (end.exit === null || end.exit === 0);
  if (!sound || saved === null || answer === null) return err(null);
  const checked = checkState(saved, { n, base: base.manifest, received: record.received, most: limits.stateBytes });
  return checked.ok ? ok({ manifest: checked.value, saved }) : err(checked.failure);
};

/** Stopped before it had a container. */
export const neverRan = ({ base }: RunRequest): RunOutcome => ({
  end: 'stopped',
  output: '',
  droppedBytes: 0,
  value: null,
  error: null,
  files: [],
  removedFiles: [],
  lost: [],
  notes: ['It was stopped while it waited for a sandbox; nothing was run.'],
  durationMs: 0,
  after: base,
});
