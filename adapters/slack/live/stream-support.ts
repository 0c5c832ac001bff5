/** What is known of streams in each workspace: whether Slack has them there, and how many are open. One per process. */
const APPEND_MS = 600;

/** Slack says these for good; anything else concerns one stream. */
const FOR_GOOD: ReadonlySet<string> = new Set([
  'unknown_method',
  'method_deprecated',
  'feature_not_enabled',
  'team_not_eligible',
  'not_allowed_token_type',
  'http_404',
]);

export type StreamSupport = {
  readonly isOff: (workspace: string) => boolean;
  /** Tells of a refusal; true where streams are off from now on. */
  readonly refused: (workspace: string, error: string) => boolean;
  readonly opened: (workspace: string) => void;
  readonly closed: (workspace: string) => void;
  /** All streams of a workspace share about a hundred appends a minute. */
  readonly interval: (workspace: string) => number;
  /** Whether blocks may stand in a running stream; the documents disagree, so it is tried. */
  readonly blocks: { readonly allowed: (workspace: string) => boolean; readonly refused: (workspace: string) => void };
};

export const createStreamSupport = (): StreamSupport => {
  const off = new Set<string>();
  const noBlocks = new Set<string>();
  const open = new Map<string, number>();
  return {
    isOff: (workspace) => off.has(workspace),
    refused: (workspace, error) => {
      if (FOR_GOOD.has(error)) off.add(workspace);
      return off.has(workspace);
    },
    opened: (workspace) => void open.set(workspace, (open.get(workspace) ?? 0) + 1),
    closed: (workspace) => {
      const left = (open.get(workspace) ?? 1) - 1;
      if (left <= 0) open.delete(workspace);
      else open.set(workspace, left);
    },
    interval: (workspace) => APPEND_MS * Math.max(1, open.get(workspace) ?? 0),
    blocks: { allowed: (workspace) => !noBlocks.has(workspace), refused: (workspace) => void noBlocks.add(workspace) },
  };
};
