/**
 * Leases: which conversation holds which container, and what state is live in it. Between runs a container is kept for its
 * conversation alone; every run is saved, so it may be thrown away at any moment.
 */
import type { ConversationId } from '../../core/ids.ts';
import type { ManifestFile } from '../../core/snapshot.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Container } from './container.ts';
import type { SandboxLimits } from './limits.ts';
import type { State } from './snapshots.ts';
import { after } from './timers.ts';

export type Lease = {
  readonly conversation: ConversationId;
  readonly container: Container;
  /** The state that is live in the container; null before its first run. */
  readonly live: State | null;
};

export type Leases = {
  /** The conversation's container, thawed and marked as in use; null where there is none that works. */
  readonly resume: (conversation: ConversationId) => Promise<Lease | null>;
  /** A container in use by the conversation for the first time. */
  readonly begin: (conversation: ConversationId, container: Container) => Lease;
  /** The run is over and saved; the container stays, with this state live in it. `peakMb`: the memory it grew to. */
  readonly keep: (lease: Lease, live: State, peakMb: number) => void;
  readonly end: (conversation: ConversationId) => Promise<void>;
  /** Freezes it. One that grew large goes at once where there are many: memory is all that a frozen one costs. */
  readonly rest: (conversation: ConversationId) => Promise<void>;
  /** Ends the lease that has been out of use for longest; false where all are in use. */
  readonly endOldest: () => boolean;
  readonly endAll: () => Promise<void>;
};

type Held = {
  container: Container;
  live: State | null;
  peakMb: number;
  inUse: boolean;
  frozen: boolean;
  idleSince: number;
  /** Freezing and thawing take turns. */
  settled: Promise<void>;
  cancelLinger: () => void;
};

export const createLeases = (parts: {
  readonly limits: SandboxLimits;
  readonly clock: Clock;
  readonly discard: (container: Container) => Promise<void>;
}): Leases => {
  const { limits, clock, discard } = parts;
  const held = new Map<ConversationId, Held>();

  const end = async (conversation: ConversationId): Promise<void> => {
    const lease = held.get(conversation);
    if (lease === undefined) return;
    held.delete(conversation);
    lease.cancelLinger();
    await discard(lease.container);
  };

  const thaw = async (lease: Held): Promise<boolean> => {
    await lease.settled;
    if (!lease.frozen) return lease.container.isOpen();
    lease.frozen = false;
    return (await lease.container.unpause()) && lease.container.isOpen();
  };

  return {
    resume: async (conversation) => {
      const lease = held.get(conversation);
      if (lease === undefined) return null;
      lease.inUse = true;
      lease.cancelLinger();
      if (await thaw(lease)) return { conversation, container: lease.container, live: lease.live };
      await end(conversation);
      return null;
    },
    begin: (conversation, container) => {
      const lease: Held = {
        container,
        live: null,
        peakMb: 0,
        inUse: true,
        frozen: false,
        idleSince: 0,
        settled: Promise.resolve(),
        cancelLinger: () => undefined,
      };
      held.set(conversation, lease);
      // A container that ends by itself between two runs is of no use any more. In a run, the run notices.
      void container.closed.then(() => (held.get(conversation) === lease && !lease.inUse ? end(conversation) : undefined));
      return { conversation, container, live: null };
    },
    keep: ({ conversation, container }, live, peakMb) => {
      const lease = held.get(conversation);
      // Thrown away while it ran (a reset): nothing to keep.
      if (lease?.container !== container) return;
      lease.live = live;
      lease.peakMb = Math.max(lease.peakMb, peakMb);
      lease.inUse = false;
      lease.idleSince = clock.now();
      lease.cancelLinger = after(clock, limits.lingerMs, () => void end(conversation));
    },
    end,
    rest: async (conversation) => {
      const lease = held.get(conversation);
      if (lease === undefined || lease.inUse || lease.frozen) return;
      if (lease.peakMb > limits.memoryMb / 2 && held.size > limits.runsAtOnce) return end(conversation);
      lease.frozen = true;
      const pausing = lease.container.pause();
      lease.settled = pausing.then(() => undefined);
      // A container that cannot be frozen could go on using the processor unseen.
      if (!(await pausing) && held.get(conversation) === lease && !lease.inUse) await end(conversation);
    },
    endOldest: () => {
      let oldest: ConversationId | null = null;
      let since = Number.POSITIVE_INFINITY;
      for (const [conversation, lease] of held) {
        if (lease.inUse || lease.idleSince >= since) continue;
        oldest = conversation;
        since = lease.idleSince;
      }
      if (oldest === null) return false;
      void end(oldest);
      return true;
    },
    endAll: async () => {
      await Promise.all([...held.keys()].map(end));
    },
  };
};

/**
 * What must be put into the workspace so that the live state becomes the wanted one; null where they differ by more than files that
 * were added or replaced (uploads), so that only a new container will do.
 */
export const filesBetween = (live: State, wanted: State): readonly { path: string; id: ManifestFileId; mode: number }[] | null => {
  if (live.id === wanted.id) return [];
  const { files: liveFiles, ...liveRest } = live.manifest;
  const { files: wantedFiles, ...wantedRest } = wanted.manifest;
  if (JSON.stringify(liveRest) !== JSON.stringify(wantedRest)) return null;
  const before = new Map(liveFiles.map((file) => [file.path, file]));
  const after = new Set(wantedFiles.map((file) => file.path));
  if (liveFiles.some((file) => !after.has(file.path))) return null;
  const added: { path: string; id: ManifestFileId; mode: number }[] = [];
  for (const file of wantedFiles) {
    const old = before.get(file.path);
    if (old !== undefined && JSON.stringify(old) === JSON.stringify(file)) continue;
    if (!('id' in file) || (old !== undefined && !('id' in old))) return null;
    added.push({ path: file.path, id: file.id, mode: file.mode });
  }
  return added;
};
type ManifestFileId = Extract<ManifestFile, { id: unknown }>['id'];
