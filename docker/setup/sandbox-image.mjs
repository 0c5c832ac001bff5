import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findBaseImage } from './base-image.mjs';
import { mustRun } from './commands.mjs';
import { build, imageExists } from './engine-images.mjs';
import { projectDir } from './project.mjs';
import { SetupFault } from './setup-fault.mjs';

const sandboxDir = join(projectDir, 'docker', 'sandbox');

/**
 * The image that code runs in: HEKTOR_SANDBOX_IMAGE, else `hektor-sandbox:<hash of docker/sandbox>`, built if missing.
 *
 * @param {NodeJS.ProcessEnv} env for the docker command
 * @param {(line: string) => void} say
 * @returns {Promise<string>} its name
 */
export async function findSandboxImage(env, say) {
  const given = process.env['HEKTOR_SANDBOX_IMAGE'];
  if (given) {
    if (await imageExists(given, env)) return given;
    say(`pulling ${given}`);
    await mustRun('docker', ['pull', given], {
      env,
      onLine: say,
      timeoutMs: 1_200_000,
      remedy: 'Correct HEKTOR_SANDBOX_IMAGE, or unset it to have the image built.',
    });
    return given;
  }
  const image = `hektor-sandbox:${contentHash(sandboxDir)}`;
  if (await imageExists(image, env)) return image;
  if (!existsSync(join(sandboxDir, 'Dockerfile')))
    throw new SetupFault('docker/sandbox/Dockerfile is missing', 'Restore it: `git checkout docker/sandbox`.');
  const base = await findBaseImage(env, say);
  await build(image, ['--build-arg', `BASE=${base}`, sandboxDir], env, say);
  return image;
}

/** Twelve hex digits that change with any file that goes into the image. */
function contentHash(folder) {
  const hash = createHash('sha256');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^test_|\.(?:md|pyc)$/u.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .toSorted();
  for (const file of files) {
    const content = readFileSync(file);
    hash.update(`${relative(folder, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 12);
}
