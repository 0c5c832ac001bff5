/** What a cell of hostile code is, and what is commonly looked at in its outcome. */
import { expect } from 'vitest';
import type { RunEnd } from '../../src/core/run.ts';
import type { RunOutcome } from '../../src/ports/sandbox.ts';

/** One cell and how it must end. */
export type HostileCell = {
  readonly code: string;
  readonly ends: readonly RunEnd[];
  /** What must be true of the outcome, beyond the end. */
  readonly see?: (outcome: RunOutcome) => unknown;
  /** Whether the state after it is the one before it; undefined where either is right. */
  readonly rolledBack?: boolean;
  /** The run's time limit where it is to be reached; all others have time enough on a busy machine. */
  readonly limitMs?: number;
};

export const lines = (...all: readonly string[]): string => all.join('\n');
export const valueIs = (value: string) => (outcome: RunOutcome) => expect(outcome.value).toBe(value);
export const raises = (type: string | RegExp) => (outcome: RunOutcome) => expect(outcome.error?.type).toMatch(type);
export const forge = (type: string, value: string): string =>
  `p=json.dumps(${value}).encode(); frame=struct.pack('>IB',len(p),ord('${type}'))+p`;
export const everyDescriptor = lines('for fd in range(3, 300):', '  try: os.write(fd, frame)', '  except OSError: pass');

export function isBounded(outcome: RunOutcome): void {
  expect(Buffer.byteLength(outcome.output)).toBeLessThan(70_000);
  expect(outcome.droppedBytes).toBeGreaterThan(0);
}
export function loses(name: string): (outcome: RunOutcome) => void {
  return (outcome) => expect(outcome.lost.map((lost) => lost.name)).toContain(name);
}
