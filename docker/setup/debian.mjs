import { readFileSync } from 'node:fs';
import { mustRun } from './commands.mjs';

let listsAreFresh = false;

/** True on Debian and its descendants, where the user may install packages. */
export function canInstallPackages() {
  if (process.getuid?.() !== 0) return false;
  try {
    return /^ID(?:_LIKE)?=.*debian/mu.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}

/**
 * Installs packages; only to be called where `canInstallPackages`. Their services are not started: what the set-up needs
 * it starts itself, with its own settings.
 *
 * @param {readonly string[]} packages
 * @param {(line: string) => void} say
 */
export async function installPackages(packages, say) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const options = { env, onLine: say, timeoutMs: 900_000 };
  const wait = ['-o', 'DPkg::Lock::Timeout=300', '-qq'];
  if (!listsAreFresh) {
    say('updating the package lists');
    await mustRun('apt-get', ['update', ...wait], {
      ...options,
      remedy: 'Make `apt-get update` work (network, /etc/apt), then try again.',
    });
    listsAreFresh = true;
  }
  say(`installing ${packages.join(' ')}`);
  await mustRun('apt-get', ['install', '-y', '--no-install-recommends', ...wait, ...packages], {
    ...options,
    remedy: `Make \`apt-get install ${packages.join(' ')}\` work, then try again.`,
  });
}
