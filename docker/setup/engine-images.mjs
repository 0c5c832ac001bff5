import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustRun, run } from './commands.mjs';

/** @returns {Promise<boolean>} whether the engine has this image */
export async function imageExists(image, env) {
  return (await run('docker', ['image', 'inspect', '--format', '{{.Id}}', image], { env, timeoutMs: 30_000 })).ok;
}

/** Tries to pull an image; a registry that cannot be reached is noticed within seconds. The caller reads `ok`. */
export function tryPull(image, env, say) {
  say(`pulling ${image}`);
  return run('docker', ['pull', image], { env, onLine: say, silenceMs: 20_000, timeoutMs: 600_000 });
}

/**
 * Builds an image from a Dockerfile's text and copies of files from anywhere on this machine.
 *
 * @param {string} tag
 * @param {string} dockerfile
 * @param {Readonly<Record<string, string>>} files name in the context -> path here
 * @param {NodeJS.ProcessEnv} env
 * @param {(line: string) => void} say
 */
export async function buildFromText(tag, dockerfile, files, env, say) {
  const context = mkdtempSync(join(tmpdir(), 'hektor-image-'));
  try {
    for (const [name, source] of Object.entries(files)) cpSync(source, join(context, name), { recursive: true, dereference: true });
    writeFileSync(join(context, 'Dockerfile'), dockerfile);
    await build(tag, [context], env, say);
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
}

/** `docker build` with what to do when it fails. */
export async function build(tag, args, env, say) {
  await mustRun('docker', ['build', '--tag', tag, ...args], {
    env,
    onLine: say,
    timeoutMs: 2_400_000,
    remedy: "See that the engine's builds reach the package registries, and that its disk has 3 GB left; then try again.",
  });
}
