/** Sending something to the app, over whichever transport its manifest names, and again where it is not acknowledged. */
import type { Attempt, Json, Sent } from './model.ts';
import type { World } from './world.ts';

export type Answer = { readonly outcome: Attempt['outcome']; readonly response: unknown; readonly noRetry?: boolean };

/** One transport: makes one attempt and resolves with what came of it. */
export type Transport = {
  readonly attempt: (sent: Sent, attempt: Attempt) => Promise<Answer>;
};

export type Deliver = (kind: Sent['kind'], payload: Json) => { readonly sent: Sent; readonly first: Promise<Answer> };

const REASON: Readonly<Record<string, string>> = {
  timeout: 'http_timeout',
  refused: 'http_error',
  unreachable: 'connection_failed',
  'no-connection': 'connection_failed',
};

/** Only events come again; a command or a press that is not acknowledged shows the person an error. */
export const createDeliver = (world: World, transports: { readonly socket: Transport; readonly http: Transport }): Deliver => {
  /** What became of the attempts of the last hour, oldest first. */
  const hour: { readonly at: number; readonly ok: boolean }[] = [];

  /** Over 95 % of failures in an hour switch the subscription off; apps with under 1,000 events in it are spared. */
  const judge = (ok: boolean): void => {
    const at = world.clock.now();
    hour.push({ at, ok });
    while ((hour[0]?.at ?? at) <= at - 3_600_000) hour.shift();
    if (!ok && hour.length >= world.settings.eventsBeforeDisabling && hour.filter((one) => !one.ok).length > hour.length * 0.95)
      world.app.eventsDisabled = true;
  };
  const attempt = async (sent: Sent, retry: number, reason: string): Promise<Answer> => {
    const one: Attempt = { at: world.clock.now(), envelope: null, connection: null, retry, reason, outcome: 'waiting', ms: null };
    const began = Date.now();
    const answer = await transports[world.app.transport].attempt(sent, one);
    sent.attempts.push({ ...one, outcome: answer.outcome, ms: Date.now() - began });
    if (sent.kind === 'events_api') judge(answer.outcome === 'acked');
    if (answer.outcome === 'acked') {
      sent.acked = true;
      sent.response = answer.response;
      sent.over = true;
    } else {
      const pause = world.settings.retryDelaysMs[retry];
      if (sent.kind !== 'events_api' || answer.noRetry === true || pause === undefined || world.app.linkDisabled) sent.over = true;
      else {
        const why = world.app.transport === 'socket' ? 'timeout' : (REASON[answer.outcome] ?? 'unknown_error');
        world.clock.after(pause, () => void attempt(sent, retry + 1, why));
      }
    }
    world.changed();
    return answer;
  };
  return (kind, payload) => {
    const sent: Sent = { n: world.sent.length + 1, kind, payload, attempts: [], acked: false, response: null, over: false };
    world.sent.push(sent);
    return { sent, first: attempt(sent, 0, '') };
  };
};
