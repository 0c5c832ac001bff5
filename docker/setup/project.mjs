import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json. */
export const projectDir = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What a run leaves in the project and git does not see: Redis data, logs, pids. Safe to delete while nothing runs. */
export const stateDir = join(projectDir, '.hektor');

/** What is costly to make and the same for every clone on this machine. Safe to delete at any time. */
export const cacheDir = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'hektor');
