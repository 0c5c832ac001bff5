import { existsSync } from 'node:fs';
import { findProgram } from './commands.mjs';
import { canInstallPackages, installPackages } from './debian.mjs';
import { SetupFault } from './setup-fault.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const elsewhere = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium'];

/**
 * The browser for the end-to-end tests: HEKTOR_CHROMIUM, else one that is installed, else Debian's package.
 *
 * @param {(line: string) => void} say
 * @returns {Promise<string>} its path
 */
export async function findChromium(say) {
  const given = process.env['HEKTOR_CHROMIUM'];
  if (given) {
    if (existsSync(given)) return given;
    throw new SetupFault(`HEKTOR_CHROMIUM names ${given}, which does not exist`, 'Correct it, or unset it.');
  }
  const present = installed();
  if (present) return present;
  if (canInstallPackages()) await installPackages(['chromium', 'fonts-dejavu-core'], say);
  const found = installed();
  if (found) return found;
  throw new SetupFault('the tests need Chromium', 'Install Chromium or Chrome, or set HEKTOR_CHROMIUM to the path of one.');
}

function installed() {
  return names.map(findProgram).find((path) => path !== undefined) ?? elsewhere.find((path) => existsSync(path));
}
