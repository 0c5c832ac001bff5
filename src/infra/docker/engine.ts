/**
 * The Docker engine and the sandbox image, and whether they can be used. Both may come and go while the worker lives: a tag may move to
 * a new image, dockerd may restart. Callers ask before each use; the pool sees to it that the answer is never old.
 */
import Docker from 'dockerode';
import type { Clock } from '../../ports/clock.ts';
import { within } from './timers.ts';

export type EngineState =
  /** `image` is the id behind the tag. */
  { readonly kind: 'ready'; readonly image: string } | { readonly kind: 'missing'; readonly reason: string };

export type Engine = {
  readonly docker: Docker;
  /** Never rejects. A missing engine is looked for again at most every `recheckMs`. */
  readonly state: () => Promise<EngineState>;
  /** The last known state, without asking; null before the first answer. */
  readonly known: () => EngineState | null;
  /** What is known may be out of date: the next `state` asks anew. */
  readonly suspect: () => void;
};

const recheckMs = 1_000;
const answerMs = 5_000;

/** `host` as in DOCKER_HOST; empty: the default, which is what the docker command would use. */
export const connectDocker = (host: string): Docker => {
  if (host === '') return new Docker();
  if (host.startsWith('unix://') || host.startsWith('/'))
    return new Docker({ host: undefined, socketPath: host.replace(/^unix:\/\//u, '') });
  if (host.startsWith('npipe://')) return new Docker({ host: undefined, socketPath: host.slice('npipe://'.length) });
  const url = new URL(host.includes('//') ? host : `tcp://${host}`);
  const tls = url.protocol === 'https:' || url.port === '2376';
  if (url.protocol === 'ssh:')
    return new Docker({ protocol: 'ssh', host: url.hostname, port: url.port === '' ? 22 : url.port, username: url.username });
  return new Docker({ protocol: tls ? 'https' : 'http', host: url.hostname, port: url.port === '' ? 2375 : url.port });
};

/** The HTTP status of an engine's refusal; null where it did not answer at all. */
export const statusOf = (error: unknown): number | null =>
  typeof error === 'object' && error !== null && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : null;

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 500);

export const createEngine = (docker: Docker, imageName: string, clock: Clock): Engine => {
  let last: { readonly state: EngineState; readonly at: number } | null = null;
  let suspected = false;
  let asking: Promise<EngineState> | null = null;

  const ask = async (): Promise<EngineState> => {
    try {
      const { Id } = await within(clock, answerMs, 'the Docker engine', docker.getImage(imageName).inspect());
      return { kind: 'ready', image: Id };
    } catch (error) {
      const reason =
        statusOf(error) === 404
          ? `the sandbox image ${imageName} is missing: build it with \`docker build -t ${imageName} docker/sandbox\``
          : `no Docker engine answers: ${messageOf(error)}`;
      return { kind: 'missing', reason };
    }
  };

  const state = async (): Promise<EngineState> => {
    const fresh = last !== null && (last.state.kind === 'ready' ? !suspected : clock.now() - last.at < recheckMs);
    if (last !== null && fresh) return last.state;
    asking ??= ask().then((answer) => {
      last = { state: answer, at: clock.now() };
      suspected = false;
      asking = null;
      return answer;
    });
    return asking;
  };

  return {
    docker,
    state,
    known: () => last?.state ?? null,
    suspect: () => {
      suspected = true;
    },
  };
};
