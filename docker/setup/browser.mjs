import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Opens the page in the person's browser once the server answers; does nothing where there is no screen or nobody looks.
 *
 * @param {NodeJS.ProcessEnv} env
 */
export async function openPageWhenReady(env) {
  const opener = findOpener(env);
  if (!opener || process.stdout.isTTY !== true || env['CI'] || env['BROWSER'] === 'none') return;
  const host = env['HEKTOR_HOST'] && !['0.0.0.0', '::'].includes(env['HEKTOR_HOST']) ? env['HEKTOR_HOST'] : 'localhost';
  const page = `http://${host.includes(':') ? `[${host}]` : host}:${env['PORT'] || 3000}`;
  for (let waited = 0; waited < 120; waited++) {
    await sleep(500, undefined, { ref: false });
    if (await answers(`${page}/healthz`)) {
      const [command, ...args] = [...opener, page];
      spawn(command, args, { detached: true, stdio: 'ignore' })
        .on('error', () => {}) // the address is printed anyway
        .unref();
      return;
    }
  }
}

async function answers(url) {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false;
  }
}

function findOpener(env) {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['cmd', '/c', 'start', ''];
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open'] : undefined;
}
