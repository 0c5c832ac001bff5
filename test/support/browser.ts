/** A real browser, for tests of the page. */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable'];

/** Starts the browser that HEKTOR_CHROMIUM names, or the one that is installed. */
export const startBrowser = async (): Promise<Browser> => {
  const executablePath = process.env['HEKTOR_CHROMIUM'] ?? PATHS.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error('no Chromium is installed; set HEKTOR_CHROMIUM to the path of one');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
};
