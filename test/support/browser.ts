/** Debian's Chromium, driven by playwright-core. */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

export const startBrowser = (): Promise<Browser> => {
  const executablePath = [process.env['HEKTOR_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
    (path) => path !== undefined && existsSync(path),
  );
  if (executablePath === undefined)
    throw new Error('no Chromium is installed; npm test installs it where it can, else set HEKTOR_CHROMIUM');
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-dev-shm-usage'],
  });
};
