/** The command line of the evaluation, decoded; all problems at once. */
import type { ModelSettings } from '../../src/app/model-settings.ts';
import { parseArgs } from 'node:util';
import { z } from 'zod';

type Env = { readonly [name: string]: string | undefined };

export type Target = {
  readonly label: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** As the config file sets it up; undefined for one that is named by its server. */
  readonly settings?: ModelSettings;
};
export type EvalOptions = {
  readonly targets: readonly Target[];
  readonly practice: boolean;
  readonly textProtocol: boolean;
  readonly samples: number;
  readonly only: string;
  readonly concurrency: number;
  readonly least: number;
  readonly maxDrop: number | null;
  readonly maxMicros: number | null;
  readonly maxTokens: number | null;
  readonly out: string | null;
  readonly compare: string | null;
};

export const USAGE = `npm run eval -- [options]

  --models=A,B        models side by side; NAME, or NAME@URL, or NAME@URL#VARIABLE that holds its key (HEKTOR_EVAL_MODELS, HEKTOR_MODEL)
  --base-url=URL      the server of models without one of their own (OPENAI_BASE_URL); its key is OPENAI_API_KEY
  --practice          the built-in practice model, to see the evaluation work
  --text-protocol     ask by the text protocol, as models without function calls are asked
  --samples=N         of each case (3)
  --only=TEXT         only cases whose id holds it
  --concurrency=N     requests at once (4)
  --max-dollars=X     begin nothing more once this is spent, as far as prices are known
  --max-tokens=N      begin nothing more once these are used
  --least=R           the rate that must pass, 0 to 1 (0.9)
  --out=FILE          write the result as JSON
  --compare=FILE      show what differs from an earlier result
  --max-drop=R        with --compare: by how much a model's rate may fall

Ends with 0 where every model passes, 1 where one does not, 64 where these options make no sense.
`;

const number = (fallback: number | null, check: (n: number) => boolean) =>
  z
    .string()
    .optional()
    .transform((text, context) => {
      if (text === undefined) return fallback;
      const value = Number(text);
      if (text.trim() !== '' && Number.isFinite(value) && check(value)) return value;
      context.addIssue({ code: 'custom', message: `${text} is not a number that fits` });
      return z.NEVER;
    });
const whole = (n: number): boolean => Number.isInteger(n) && n >= 1;
const rate = (n: number): boolean => n >= 0 && n <= 1;

const schema = z.object({
  samples: number(3, whole),
  concurrency: number(4, whole),
  least: number(0.9, rate),
  'max-drop': number(null, rate),
  'max-dollars': number(null, (n) => n >= 0),
  'max-tokens': number(null, whole),
});

/** The options, or what is wrong with them. */
export const readOptions = (
  args: readonly string[],
  env: Env,
  /** Models of the config file by name; a name among them goes before one on the server. */
  known: ReadonlyMap<string, ModelSettings> = new Map(),
): EvalOptions | { readonly problems: readonly string[] } => {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        models: text,
        'base-url': text,
        practice: flag,
        'text-protocol': flag,
        samples: text,
        only: text,
        concurrency: text,
        'max-dollars': text,
        'max-tokens': text,
        least: text,
        out: text,
        compare: text,
        'max-drop': text,
      },
    });
    const numbers = schema.safeParse(values);
    const practice = values.practice === true;
    const names = values.models ?? env['HEKTOR_EVAL_MODELS'] ?? env['HEKTOR_MODEL'] ?? '';
    const baseUrl = values['base-url'] ?? env['OPENAI_BASE_URL'] ?? 'https://api.openai.com/v1';
    const read = practice
      ? []
      : names
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== '')
          .map((name) => targetOf(known.get(name)) ?? readTarget(name, baseUrl, env));
    const problems = [
      ...(numbers.success ? [] : numbers.error.issues.map((issue) => `--${issue.path.join('.')}: ${issue.message}`)),
      ...read.flatMap((target) => (typeof target === 'string' ? [target] : [])),
      ...(practice || read.length > 0 ? [] : ['--models: none is named']),
    ];
    if (problems.length > 0 || !numbers.success) return { problems };
    const dollars = numbers.data['max-dollars'];
    return {
      targets: read.filter((target) => typeof target !== 'string'),
      practice,
      textProtocol: values['text-protocol'] === true,
      samples: numbers.data.samples ?? 1,
      only: values.only ?? '',
      concurrency: numbers.data.concurrency ?? 1,
      least: numbers.data.least ?? 0,
      maxDrop: numbers.data['max-drop'],
      maxMicros: dollars === null ? null : Math.round(dollars * 1e6),
      maxTokens: numbers.data['max-tokens'],
      out: values.out ?? null,
      compare: values.compare ?? null,
    };
  } catch (error) {
    return { problems: [error instanceof Error ? error.message : String(error)] };
  }
};

const targetOf = (settings: ModelSettings | undefined): Target | undefined =>
  settings === undefined
    ? undefined
    : { label: settings.key, name: settings.model, baseUrl: settings.baseUrl, apiKey: settings.apiKey, settings };

/** A key goes to the server that it was given for, and to no other. */
const readTarget = (text: string, baseUrl: string, env: Env): Target | string => {
  const [, name, url, variable] = /^(.+)@(https?:\/\/[^#\s]+)(?:#([A-Z][A-Z0-9_]*))?$/.exec(text) ?? [];
  if (name === undefined || url === undefined)
    return URL.canParse(baseUrl)
      ? { label: text, name: text, baseUrl, apiKey: env['OPENAI_API_KEY'] }
      : `--base-url: ${baseUrl} is not an address`;
  if (!URL.canParse(url)) return `--models: ${url} is not an address`;
  if (variable !== undefined && (env[variable] ?? '') === '') return `--models: ${variable} is not set`;
  return { label: `${name}@${new URL(url).host}`, name, baseUrl: url, apiKey: variable === undefined ? undefined : env[variable] };
};
