/** Notices a model that goes round in circles: the same call, or the same few calls in turn, with the same results. Pure. */

/** One key for each finished call of a turn, in order: what was called, and what came of it. */
export type Trail = readonly string[];

/** `note`: the model is told so with the result. `stop`: it gets no more tools. */
export type Repetition = 'none' | 'note' | 'stop';

const NOTE_AT = 3;
const STOP_AT = 5;
/** The longest round that is looked for (A-B-C-A-B-C), and how many of them are too many. */
const LONGEST_ROUND = 3;
const STOP_AT_ROUNDS = 3;

/** What the last call of the trail means. */
export const repetitionOf = (trail: Trail): Repetition => {
  const last = trail.at(-1);
  const times = trail.filter((key) => key === last).length;
  const rounds = roundsOf(trail);
  if (times >= STOP_AT || rounds >= STOP_AT_ROUNDS) return 'stop';
  return times === NOTE_AT || rounds === STOP_AT_ROUNDS - 1 ? 'note' : 'none';
};

/** How often the round at the end of the trail was gone, at most; 1 where nothing comes again. A round has at least two different calls. */
const roundsOf = (trail: Trail): number => {
  let most = 1;
  for (let length = 2; length <= LONGEST_ROUND; length += 1) {
    const round = trail.slice(-length);
    if (new Set(round).size < 2) continue;
    let rounds = 0;
    while (round.every((key, index) => trail[trail.length - (rounds + 1) * length + index] === key)) rounds += 1;
    most = Math.max(most, rounds);
  }
  return most;
};
