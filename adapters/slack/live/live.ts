/** Makes what a turn is shown on: a native stream where Slack has them and knows for whom, messages that are edited elsewhere. */
import type { ConversationId, TurnId } from '../../../src/core/ids.ts';
import { closeOpen } from '../../../src/core/markdown/close-open.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Log } from '../../../src/ports/log.ts';
import type { Notes } from '../../../src/ports/notes.ts';
import type { Api, Place } from '../api/api.ts';
import { createEditSurface } from './edit-surface.ts';
import { encodeDraft, encodeOutput } from '../encode.ts';
import type { OutMessage } from '../encode.ts';
import { nothingKept, readLiveNote, writeLiveNote } from './live-notes.ts';
import { createLiveTurn } from './live-turn.ts';
import type { Alone, LiveTurn } from './live-turn.ts';
import { findPosted } from '../post/read-back.ts';
import { removeMessages } from '../post/remove-messages.ts';
import { renderFor, streamRenderFor } from '../markdown/render.ts';
import type { Kind, Status } from './status.ts';
import { createStreamSurface } from './stream-surface.ts';
import type { StreamSupport } from './stream-support.ts';
import type { Scene, Surface } from './surface.ts';

type LiveDeps = {
  readonly api: Api;
  readonly log: Log;
  readonly notes: Notes;
  readonly clock: Clock;
  readonly status: Status;
  readonly support: StreamSupport;
};

type BeginLive = (conversation: ConversationId, place: Place, turn: TurnId, origin: { readonly [key: string]: string }) => LiveTurn;

export const createLiveFactory =
  (deps: LiveDeps): BeginLive =>
  (conversation, place, turn, origin) => {
    const { api, log, notes, clock, status, support } = deps;
    const startedAt = clock.now();
    const user = origin['user'] ?? '';
    const team = origin['team'] ?? '';
    const render = renderFor(origin);

    const noted = async (messages: readonly string[]): Promise<void> => {
      const done = await writeLiveNote(notes, conversation, turn, { messages, kept: null });
      if (!done.ok) log.warn({ conversation, detail: done.failure.detail }, 'what is shown of a turn could not be noted');
    };
    /** A worker that died in this turn may have left a half of the answer: the turn is shown from its beginning again. */
    const clear = async (): Promise<void> => {
      const left = await readLiveNote(notes, conversation, turn);
      if (!left.ok || left.value.kept !== null || left.value.messages.length === 0) return;
      await removeMessages(deps, place, left.value.messages);
      await noted([]);
    };

    const stream = async (alone: Alone, shownBy: Kind): Promise<Surface | null> => {
      if (place.thread === '' || user === '' || support.isOff(place.workspace)) return null;
      await clear();
      return createStreamSurface({
        api,
        clock,
        log,
        support,
        place,
        recipient: { user, team: team === '' ? place.workspace : team },
        render: streamRenderFor(origin),
        // Only a session of agents has a Stop of Slack's own.
        withStop: shownBy !== 'sessions',
        noted,
        alone,
      });
    };

    const edits = async (
      draw: (scene: Scene) => readonly OutMessage[],
      drawEnded: (scene: Scene) => readonly OutMessage[],
    ): Promise<Surface> => {
      await clear();
      return createEditSurface({
        api,
        clock,
        log,
        place,
        draw,
        drawEnded,
        noted,
        mark: `draft:${turn}`,
        find: async (mark) => {
          const found = await findPosted(api, place, mark, startedAt);
          return found.ok ? found.value : null;
        },
      });
    };

    return createLiveTurn({
      keep: async () => void (await writeLiveNote(notes, conversation, turn, { messages: [], kept: nothingKept })),
      clock,
      log,
      status,
      place,
      user,
      stream,
      edits: () =>
        edits(
          (scene) => encodeDraft(closeOpen(scene.text), scene.progress, render),
          (scene) => render(scene.text).messages,
        ),
      output: () =>
        edits(
          (scene) => encodeOutput(scene.text, render),
          (scene) => render(scene.text).messages,
        ),
    });
  };
