import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './project.mjs';

/**
 * The checks are the commands of the `check` script in package.json, each counted as one.
 *
 * @returns {string[][]} command and arguments of each
 */
export function listChecks() {
  const { scripts } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8'));
  return scripts.check.split('&&').map((command) => command.trim().split(/\s+/u));
}
