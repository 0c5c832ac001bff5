/** What a doctor wants to know of a Docker engine: whether it can hold sandboxes, and how well it would hold them. */
import { z } from 'zod';
import type { Clock } from '../../ports/clock.ts';
import { connectDocker, messageOf, statusOf } from './engine.ts';
import { within } from './timers.ts';

export type EngineReport = {
  readonly reachable: boolean;
  readonly detail: string;
  readonly version: string;
  readonly runtimes: readonly string[];
  readonly seccomp: boolean;
  readonly userNamespaces: boolean;
  readonly rootless: boolean;
  /** `missing`, or the id behind the tag. */
  readonly image: string;
  /** The protocol that the image's driver speaks, as its label says; empty without one. */
  readonly protocol: string;
  /** Other images of the same name: what `npm run try` builds has the name and a tag of its own. */
  readonly others: readonly string[];
};

const infoSchema = z.object({
  ServerVersion: z.string().default(''),
  Runtimes: z.record(z.string(), z.unknown()).nullish(),
  SecurityOptions: z.array(z.string()).nullish(),
});

/** Asks the engine at `host` (as in DOCKER_HOST; empty: the default one). Never rejects. */
export const inspectEngine = async (host: string, image: string, clock: Clock): Promise<EngineReport> => {
  const docker = connectDocker(host);
  const unreachable = {
    reachable: false,
    version: '',
    runtimes: [],
    seccomp: false,
    userNamespaces: false,
    rootless: false,
    image: 'missing',
    protocol: '',
    others: [],
  };
  try {
    const info = infoSchema.parse(await within(clock, 5_000, 'the Docker engine', docker.info()));
    const security = info.SecurityOptions ?? [];
    return {
      reachable: true,
      detail: '',
      version: info.ServerVersion,
      runtimes: Object.keys(info.Runtimes ?? {}),
      seccomp: security.some((option) => option.startsWith('name=seccomp')),
      userNamespaces: security.some((option) => option.startsWith('name=userns')),
      rootless: security.some((option) => option.startsWith('name=rootless')),
      ...(await imageOf(docker, image)),
      others: await imagesLike(docker, image),
    };
  } catch (error) {
    return { ...unreachable, detail: messageOf(error) };
  }
};

type Image = Pick<EngineReport, 'image' | 'protocol'>;
const imageOf = async (docker: ReturnType<typeof connectDocker>, image: string): Promise<Image> => {
  try {
    const { Id, Config } = await docker.getImage(image).inspect();
    return { image: Id, protocol: Config.Labels?.['hektor.protocol'] ?? '' };
  } catch (error) {
    if (statusOf(error) === 404) return { image: 'missing', protocol: '' };
    throw error;
  }
};

/** The newest first. */
const imagesLike = async (docker: ReturnType<typeof connectDocker>, image: string): Promise<readonly string[]> => {
  const name = image.replace(/[:@][^/]*$/, '');
  const images = await docker.listImages({ filters: { reference: [name] } });
  return images
    .toSorted((a, b) => b.Created - a.Created)
    .flatMap((one) => one.RepoTags ?? [])
    .filter((tag) => tag !== image);
};
