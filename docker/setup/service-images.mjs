import { join } from 'node:path';
import { findBaseImage } from './base-image.mjs';
import { mustRun } from './commands.mjs';
import { pinnedNode } from './dependencies.mjs';
import { build, buildFromText, imageExists, tryPull } from './engine-images.mjs';
import { projectDir } from './project.mjs';

/**
 * The image of the service, built from docker/app.
 *
 * @param {NodeJS.ProcessEnv} env for the docker command
 * @param {(line: string) => void} say
 * @returns {Promise<string>} its name
 */
export async function buildAppImage(env, say) {
  const base = await findNodeBase(env, say);
  const image = process.env['HEKTOR_APP_IMAGE'] || 'hektor-app:latest';
  await build(image, ['--file', join(projectDir, 'docker', 'app', 'Dockerfile'), '--build-arg', `BASE=${base}`, projectDir], env, say);
  return image;
}

/** HEKTOR_NODE_BASE, else the public image, else Debian with the pinned Node and the npm of this machine. */
async function findNodeBase(env, say) {
  const given = process.env['HEKTOR_NODE_BASE'];
  if (given) return given;
  const own = 'hektor-node:24';
  for (const image of ['node:24-bookworm-slim', own]) {
    if (await imageExists(image, env)) return image;
  }
  if ((await tryPull('node:24-bookworm-slim', env, say)).ok) return 'node:24-bookworm-slim';

  const globalModules = (await mustRun('npm', ['root', '--global'], { remedy: 'Make `npm root --global` work.' })).trim();
  const lines = [
    `FROM ${await findBaseImage(env, say)}`,
    'COPY node /usr/local/bin/node',
    'COPY npm /usr/local/lib/node_modules/npm',
    'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && node --version && npm --version',
  ];
  const files = { node: pinnedNode, npm: join(globalModules, 'npm') };
  // Where this machine reaches the npm registry only by trusting a further authority, so does the image's build.
  const authorities = process.env['NODE_EXTRA_CA_CERTS'];
  if (authorities) {
    files['authorities.crt'] = authorities;
    lines.push('COPY authorities.crt /etc/ssl/extra-authorities.crt', 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/extra-authorities.crt');
  }
  await buildFromText(own, lines.join('\n'), files, env, say);
  return own;
}

/**
 * A Redis image: HEKTOR_REDIS_IMAGE, else the public one, else Debian's package on a base made here.
 *
 * @param {NodeJS.ProcessEnv} env for the docker command
 * @param {(line: string) => void} say
 * @returns {Promise<string>} its name
 */
export async function findRedisImage(env, say) {
  const given = process.env['HEKTOR_REDIS_IMAGE'];
  if (given) return given;
  const own = 'hektor-redis:7';
  for (const image of ['redis:7-alpine', own]) {
    if (await imageExists(image, env)) return image;
  }
  if ((await tryPull('redis:7-alpine', env, say)).ok) return 'redis:7-alpine';
  const lines = [
    `FROM ${await findBaseImage(env, say)}`,
    'RUN apt-get update && apt-get install -y --no-install-recommends redis-server && rm -rf /var/lib/apt/lists/* \\',
    '    && mkdir -p /data && chown redis:redis /data',
    'USER redis',
    'WORKDIR /data',
    'VOLUME /data',
    'CMD ["redis-server", "--protected-mode", "no"]',
  ];
  await buildFromText(own, lines.join('\n'), {}, env, say);
  return own;
}
