import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, mustRun, run } from './commands.mjs';
import { canInstallPackages, installPackages } from './debian.mjs';
import { imageExists, tryPull } from './engine-images.mjs';
import { cacheDir } from './project.mjs';
import { SetupFault } from './setup-fault.mjs';

const publicBase = 'debian:bookworm-slim';
const release = 'bookworm';

/** The tag of a base that was made on this machine, since it could not be pulled. */
const ownBase = `hektor-base:${release}`;

/**
 * The Debian image that the others are built on: HEKTOR_BASE_IMAGE, else the public one, else one made here.
 *
 * @param {NodeJS.ProcessEnv} env for the docker command
 * @param {(line: string) => void} say
 * @returns {Promise<string>} its name
 */
export async function findBaseImage(env, say) {
  const given = process.env['HEKTOR_BASE_IMAGE'];
  if (given) return given;
  for (const image of [publicBase, ownBase]) {
    if (await imageExists(image, env)) return image;
  }
  const pull = await tryPull(publicBase, env, say);
  if (pull.ok) return publicBase;
  if (!canInstallPackages()) {
    throw new SetupFault(
      `the image ${publicBase} cannot be pulled (${pull.reason})`,
      'See that the engine reaches its registry (`docker pull debian:bookworm-slim`), or name a Debian 12 image that you have in HEKTOR_BASE_IMAGE.',
      pull.tail,
    );
  }
  await makeBase(env, say);
  return ownBase;
}

/** A minimal Debian from the packages that this machine can reach, kept in the cache folder as well as in the engine. */
async function makeBase(env, say) {
  const archive = join(cacheDir, `base-${release}-${process.arch}.tar`);
  if (!existsSync(archive)) {
    if (!findProgram('debootstrap')) await installPackages(['debootstrap'], say);
    const work = await mkdtemp(join(tmpdir(), 'hektor-base-'));
    const root = join(work, 'root');
    try {
      const sources = await debianSources(say);
      const remedy = 'See that a Debian mirror can be reached, or name a Debian 12 image that you have in HEKTOR_BASE_IMAGE.';
      const mirror = sources.find((source) => source.suite === release)?.site ?? 'http://deb.debian.org/debian';
      await mustRun('debootstrap', ['--variant=minbase', '--include=ca-certificates', release, root, mirror], {
        remedy,
        onLine: say,
        timeoutMs: 1_200_000,
      });
      await configureApt(root, sources);
      rmSync(join(root, 'var/cache/apt/archives'), { recursive: true, force: true });
      mkdirSync(cacheDir, { recursive: true });
      say('packing');
      await mustRun('tar', ['-C', root, '-cf', `${archive}.part`, '.'], { remedy: `See that ${cacheDir} has 300 MB left.` });
      renameSync(`${archive}.part`, archive);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  say('importing');
  await mustRun('docker', ['import', archive, ownBase], { env, remedy: `Delete ${archive} and try again.`, timeoutMs: 600_000 });
}

/** Where this machine's own apt gets Debian's packages from. */
async function debianSources(say) {
  const format = '$(SITE) $(RELEASE) $(COMPONENT) $(ORIGIN)';
  const list = () => run('apt-get', ['indextargets', '--format', format, 'Created-By: Packages'], { timeoutMs: 60_000 });
  const parse = ({ stdout }) =>
    stdout
      .split('\n')
      .map((line) => line.split(' '))
      .filter(([, suite, , origin]) => suite?.startsWith(release) && (origin === 'Debian' || origin === ''))
      .map(([site, suite, component]) => ({ site, suite, component }));
  const found = parse(await list());
  if (found.length > 0) return found;
  await installPackages(['debian-archive-keyring'], say); // updates the lists
  return parse(await list());
}

/** The base uses the same mirrors in the same way: proxy, time-outs and what the machine's own apt tolerates. */
async function configureApt(root, sources) {
  const lines = new Set(sources.map(({ site, suite, component }) => `deb ${site} ${suite} ${component}`));
  if (lines.size > 0) writeFileSync(join(root, 'etc/apt/sources.list'), `${[...lines].join('\n')}\n`);
  const dump = await run('apt-config', ['dump', 'Acquire'], { timeoutMs: 30_000 });
  const settings = dump.stdout.split('\n').filter((line) => /^Acquire::(?:https?|ftp|Retries|Check-|Force|AllowRe)\S* ".+";$/iu.test(line));
  writeFileSync(join(root, 'etc/apt/apt.conf.d/90machine'), `${settings.join('\n')}\n`);
}
