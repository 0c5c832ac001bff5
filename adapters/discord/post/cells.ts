/** The model's runs of a turn, kept until its answer is posted: they are no messages of their own, and stand under that. */
import { z } from 'zod';
import type { Failure } from '../../../src/core/failure.ts';
import type { ConversationId, TurnId } from '../../../src/core/ids.ts';
import { ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import type { Run } from '../../../src/core/run.ts';
import { foldedCell, foldedCellSchema } from '../../../src/core/run-text.ts';
import type { FoldedCell } from '../../../src/core/run-text.ts';
import type { Notes } from '../../../src/ports/notes.ts';

const nameOf = (turn: TurnId): string => `cells:${turn}`;
const cellsSchema = z.array(foldedCellSchema);
/** A note holds 64 KB; the last runs are what people look for. */
const KEPT = 10;

export const keepCell = async (notes: Notes, conversation: ConversationId, turn: TurnId, run: Run): Promise<Result<void, Failure>> => {
  const known = await readCells(notes, conversation, turn);
  if (!known.ok) return known;
  if (known.value.some((cell) => cell.n === run.n)) return ok(undefined);
  return notes.set(conversation, nameOf(turn), JSON.stringify([...known.value, foldedCell(run)].slice(-KEPT)));
};

export const readCells = async (
  notes: Notes,
  conversation: ConversationId,
  turn: TurnId,
): Promise<Result<readonly FoldedCell[], Failure>> => {
  const noted = await notes.get(conversation, nameOf(turn));
  if (!noted.ok) return noted;
  const read = cellsSchema.safeParse(noted.value === null ? [] : JSON.parse(noted.value));
  return ok(read.success ? read.data : []);
};
