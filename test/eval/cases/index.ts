/** Every behaviour case. */
import type { EvalCase } from '../case.ts';
import { honestyCases } from './honesty.ts';
import { injectionCases } from './injection.ts';
import { languageCases } from './language.ts';
import { sessionCases } from './session.ts';

export const evalCases: readonly EvalCase[] = [...sessionCases, ...honestyCases, ...languageCases, ...injectionCases];
