import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { mustRun, run } from './commands.mjs';
import { projectDir } from './project.mjs';
import { SetupFault } from './setup-fault.mjs';

const binDir = join(projectDir, 'node_modules', '.bin');

/** The pinned Node, which everything but this set-up runs on. */
export const pinnedNode = join(binDir, 'node');

/**
 * Brings node_modules to what package-lock.json says.
 *
 * @param {(line: string) => void} say
 */
export async function installDependencies(say) {
  if (!dependenciesMatch()) {
    await mustRun('npm', ['ci', '--loglevel=error', '--no-audit', '--no-fund'], {
      cwd: projectDir,
      env: machineEnvironment(),
      onLine: say,
      timeoutMs: 1_800_000,
      remedy: 'See that the npm registry can be reached (`npm ping`) and that the disk has 1 GB left, then try again.',
    });
  }
  const version = await run(pinnedNode, ['--version'], { timeoutMs: 30_000 });
  if (!version.ok) {
    throw new SetupFault(
      'the pinned Node (npm package `node`) is not in place',
      'npm did not run its install script. Allow it (`npm config set ignore-scripts false`), delete node_modules and try again.',
      version.reason,
    );
  }
}

/**
 * npm keeps a record of what it has put into node_modules, which it writes last. Comparing it with package-lock.json
 * finds a missing, an interrupted and an outdated installation alike, and leaves one made by `npm install` alone.
 */
function dependenciesMatch() {
  const wanted = readPackages(join(projectDir, 'package-lock.json'));
  const present = readPackages(join(projectDir, 'node_modules', '.package-lock.json'));
  if (!wanted || !present || !existsSync(pinnedNode)) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const found = present[path];
    return found ? found.version === entry.version : entry.optional === true; // optional: of another platform
  });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/**
 * npm must not run on the Node that it is about to replace: under `npm run` the project's own one is first on the PATH.
 * The person's own npm settings (`npm_config_…`) stay.
 */
function machineEnvironment() {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(?:package|lifecycle|execpath|node_execpath)/u.test(name)),
  );
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return { ...env, PATH: folders.filter((folder) => !folder.startsWith(join(projectDir, 'node_modules'))).join(delimiter) };
}
