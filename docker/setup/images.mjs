// `npm run --silent images >> .env`: makes the images that docker-compose.yml needs, from public bases where they can be
// pulled and from Debian's packages where not, and prints their names as settings.
import { statSync } from 'node:fs';
import { buildAppImage, findRedisImage } from './service-images.mjs';
import { withSetUp } from './session.mjs';

await withSetUp({ needRedis: false, needDocker: true, needChromium: false }, async (env, { step }) => {
  const settings = {
    HEKTOR_SANDBOX_IMAGE: env['HEKTOR_SANDBOX_IMAGE'],
    HEKTOR_APP_IMAGE: await step('Service image', (say) => buildAppImage(env, say)),
    HEKTOR_REDIS_IMAGE: await step('Redis image', (say) => findRedisImage(env, say)),
    ...socketSettings(env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock'),
  };
  for (const [name, value] of Object.entries(settings)) process.stdout.write(`${name}=${value}\n`);
  return 0;
});

/** The worker is not root: it needs the group that may use the engine's socket. */
function socketSettings(host) {
  if (!host.startsWith('unix://')) return {};
  const path = host.slice('unix://'.length);
  return { HEKTOR_DOCKER_SOCKET: path, HEKTOR_DOCKER_GID: statSync(path).gid };
}
