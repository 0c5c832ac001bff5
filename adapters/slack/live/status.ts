/** The line under a thread that says that something is going on. By sessions of agents, by the older status of assistants, or not at all. */
import type { Log } from '../../../src/ports/log.ts';
import { patience, refusal, replies } from '../api/api.ts';
import type { Api, Place } from '../api/api.ts';
import { shortText } from '../encode/encode-text.ts';

export type Kind = 'sessions' | 'legacy' | 'none';
const order: readonly Kind[] = ['sessions', 'legacy', 'none'];

/** Slack has no such thing in this workspace, or not for this app. Any other refusal concerns one thread. */
const NOT_HERE: ReadonlySet<string> = new Set([
  'unknown_method',
  'method_deprecated',
  'feature_not_enabled',
  'missing_scope',
  'not_allowed_token_type',
  'team_not_eligible',
  'no_permission',
  'access_denied',
  'http_404',
]);

export type Status = {
  /** Shows that the thread is worked on. Only the older form has words of its own. Resolves with how it is shown: `none` where this thread shows nothing. */
  readonly show: (place: Place, words: string, user: string) => Promise<Kind>;
  /** Nothing is going on any more. */
  readonly clear: (place: Place) => Promise<void>;
  /** How it is shown, where that is known already. */
  readonly kind: (workspace: string) => Kind | 'unknown';
};

/** Both forms share one place in Slack's face, so that only ever one of them is written; which one, the first refusal shows. */
export const createStatus = ({ api, log }: { readonly api: Api; readonly log: Log }): Status => {
  const kinds = new Map<string, Kind>();
  const tried = new Set<string>();

  const write = async (
    place: Place,
    state: { readonly words: string; readonly user: string } | null,
    patienceMs: number,
  ): Promise<Kind> => {
    for (;;) {
      const kind = kinds.get(place.workspace) ?? 'sessions';
      if (kind === 'none') return kind;
      const said =
        kind === 'sessions'
          ? await api.call('agents.sessions.setStatus', place, sessionArgs(place, state), replies.done, patienceMs)
          : await api.call('assistant.threads.setStatus', place, legacyArgs(place, state), replies.done, patienceMs);
      if (said.ok) {
        tried.add(place.workspace);
        return kind;
      }
      const refused = refusal(said.failure);
      if (refused === null || !NOT_HERE.has(refused)) {
        log.debug({ detail: said.failure.detail }, 'the status of a thread was not shown');
        return 'none';
      }
      const next = order[order.indexOf(kind) + 1] ?? 'none';
      log.info({ refused, next }, `Slack shows no status here by ${kind}`);
      kinds.set(place.workspace, next);
      tried.add(place.workspace);
    }
  };

  return {
    show: (place, words, user) => write(place, { words, user }, patience.preview),
    clear: async (place) => void (await write(place, null, patience.short)),
    kind: (workspace) => (tried.has(workspace) ? (kinds.get(workspace) ?? 'sessions') : 'unknown'),
  };
};

type State = { readonly words: string; readonly user: string } | null;

const sessionArgs = (place: Place, state: State) => ({
  channel_id: place.channel,
  thread_ts: place.thread,
  status: state === null ? 'active' : 'processing',
  ...(state === null || state.user === '' ? {} : { initiator_user_id: state.user }),
});

const legacyArgs = (place: Place, state: State) => ({
  channel_id: place.channel,
  thread_ts: place.thread,
  status: state === null ? '' : 'is working…',
  ...(state === null ? {} : { loading_messages: [`${shortText(state.words, 100) || 'Working'}…`] }),
});
