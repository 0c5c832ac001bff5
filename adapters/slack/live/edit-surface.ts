/** A running turn as messages that are edited: where there are no streams, and for the output of people's code. */
import type { Clock } from '../../../src/ports/clock.ts';
import type { Log } from '../../../src/ports/log.ts';
import { isUnknown, patience, refusal, replies } from '../api/api.ts';
import type { Api, Place } from '../api/api.ts';
import { toPostArgs, toUpdateArgs } from '../encode.ts';
import type { OutMessage } from '../encode.ts';
import { slackLimits } from '../limits.ts';
import type { Kept } from './live-notes.ts';
import { OLD_MS } from './surface.ts';
import type { Final, Finished, Scene, Shown, Surface } from './surface.ts';

export type EditDeps = {
  readonly api: Api;
  readonly clock: Clock;
  readonly log: Log;
  readonly place: Place;
  /** What the scene looks like now, Stop included; split as the finished post will be, so that earlier messages need no further edit. */
  readonly draw: (scene: Scene) => readonly OutMessage[];
  /** The same without what is alive in it. */
  readonly drawEnded: (scene: Scene) => readonly OutMessage[];
  readonly noted: (messages: readonly string[]) => Promise<void>;
  /** Marks what is posted, so that a message is found whose posting ended in nobody knows what. */
  readonly mark: string;
  readonly find: (mark: string) => Promise<string | null>;
};

/** `suspect`: an edit of it may still be on its way, so that no later one is sure to be the last. */
type Standing = { readonly ts: string; readonly postedAt: number; look: string; suspect: boolean };

const lookOf = (message: OutMessage): string => JSON.stringify([message.text, message.blocks]);

export const createEditSurface = (deps: EditDeps): Surface => {
  const { api, clock, place, log } = deps;
  const standing: Standing[] = [];
  let mode: 'live' | 'paused' = 'live';
  let lost = false;

  const update = async (at: Standing, message: OutMessage, mark: string | null, patienceMs: number): Promise<'done' | 'later' | 'gone'> => {
    if (at.look === lookOf(message) && mark === null) return 'done';
    const said = await api.call('chat.update', place, toUpdateArgs(place, at.ts, message, mark), replies.done, patienceMs);
    if (said.ok) {
      at.look = lookOf(message);
      return 'done';
    }
    if (said.failure.code === 'rate-limited') return 'later';
    log.info({ detail: said.failure.detail }, 'a message that shows a running turn could not be edited');
    at.suspect ||= isUnknown(said.failure);
    return at.suspect ? 'later' : 'gone';
  };

  const post = async (message: OutMessage): Promise<Shown> => {
    const said = await api.call('chat.postMessage', place, toPostArgs(place, message, deps.mark), replies.message, patience.preview);
    if (said.ok) {
      standing.push({ ts: said.value.ts, postedAt: clock.now(), look: lookOf(message), suspect: false });
      await deps.noted(standing.map(({ ts }) => ts));
      return { kind: 'shown' };
    }
    if (said.failure.code === 'rate-limited') return { kind: 'later', ms: said.failure.waitSeconds * 1000 };
    log.info({ detail: said.failure.detail, refused: refusal(said.failure) }, 'a running turn is not shown');
    mode = 'paused';
    lost = isUnknown(said.failure);
    return standing.length === 0 && !lost ? { kind: 'impossible' } : { kind: 'no-more' };
  };

  const show = async (scene: Scene): Promise<Shown> => {
    if (mode === 'paused') return { kind: 'no-more' };
    for (const [index, message] of deps.draw(scene).entries()) {
      const at = standing[index];
      if (at === undefined) {
        const shown = await post(message);
        if (shown.kind !== 'shown') return shown;
        continue;
      }
      const done = await update(at, message, null, patience.preview);
      if (done === 'later') return { kind: 'later', ms: slackLimits.draftIntervalMs };
      if (done === 'gone') {
        mode = 'paused';
        return { kind: 'no-more' };
      }
    }
    return { kind: 'shown' };
  };

  /** The finished messages take the places of those that stand, as far as these are fresh; the rest is left to be posted. */
  const finish = async ({ messages, mark }: Final): Promise<Finished> => {
    const last = standing.at(-1);
    const old = last !== undefined && clock.now() - last.postedAt > OLD_MS;
    const may = Math.min(messages.length, old ? standing.length - 1 : standing.length);
    let parts = 0;
    for (const [index, message] of messages.slice(0, may).entries()) {
      const at = standing[index];
      if (at === undefined || at.suspect || (await update(at, message, `${mark}:${index}`, patience.short)) !== 'done') break;
      parts += 1;
    }
    const kept: Kept = { parts };
    const found = lost ? await deps.find(deps.mark) : null;
    return { kept, drop: [...standing.slice(parts).map(({ ts }) => ts), ...(found === null ? [] : [found])] };
  };

  return {
    interval: () => slackLimits.draftIntervalMs,
    show,
    finish,
    close: async (scene) => {
      const messages = deps.drawEnded(scene);
      for (const [index, at] of standing.entries()) {
        const message = messages[index];
        if (message !== undefined) await update(at, message, null, patience.short);
      }
    },
  };
};
