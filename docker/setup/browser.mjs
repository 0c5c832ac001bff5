import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Once the server answers: says where the page is, and opens it in the person's browser where there is a screen and
 * somebody looks.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly {name: string, page: string}[]} [standIns] stand-ins for platforms; the page of the first is the one to open
 */
export async function showPageWhenReady(env, standIns = []) {
  const host = env['HEKTOR_HOST'] && !['0.0.0.0', '::', '127.0.0.1'].includes(env['HEKTOR_HOST']) ? env['HEKTOR_HOST'] : 'localhost';
  const page = `http://${host.includes(':') ? `[${host}]` : host}:${env['PORT'] || 3000}`;
  for (let waited = 0; waited < 240; waited++) {
    await sleep(250, undefined, { ref: false });
    if (!(await answers(`${page}/healthz`))) continue;
    process.stderr.write(
      `\nHektor is at ${page}   (Ctrl-C ends it)\n${standIns.map(({ name, page }) => `${name} is at ${page}\n`).join('')}\n`,
    );
    const opener = findOpener(env);
    if (!opener || process.stdout.isTTY !== true || env['CI'] || env['BROWSER'] === 'none') return;
    const [command, ...args] = [...opener, standIns[0]?.page ?? page];
    spawn(command, args, { detached: true, stdio: 'ignore' })
      .on('error', () => {}) // the address is printed anyway
      .unref();
    return;
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
