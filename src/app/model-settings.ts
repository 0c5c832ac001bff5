/** A model entry of the config file with its key looked up: everything that opening it takes. Pure. */
import type { Pin } from '../core/drift.ts';
import type { Sampling } from '../infra/openai/to-body.ts';
import type { ServerProfile } from '../infra/openai/profile.ts';
import type { ConfigFile, ModelEntry } from './config-file.ts';

export type ModelSettings = {
  readonly key: string;
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** Its name on the server. */
  readonly model: string;
  readonly azure: { readonly apiVersion: string } | null;
  readonly profile: Partial<ServerProfile>;
  readonly sampling: Sampling;
  readonly images: boolean;
  /** The whole window; null: nobody said. */
  readonly window: number | null;
  readonly pinned: Pin | null;
};

type Resolved = { readonly models: readonly ModelSettings[]; readonly problems: readonly string[] };

/** The file's models with their keys. A key that is not set is a problem; what it should hold is never named. */
export const modelsOf = (file: ConfigFile, env: { readonly [name: string]: string | undefined }): Resolved => {
  const problems = file.models.flatMap(({ apiKeyEnv }, index) =>
    apiKeyEnv === undefined || (env[apiKeyEnv] ?? '') !== ''
      ? []
      : [`models.${index}.apiKeyEnv: ${apiKeyEnv} is not set in the environment`],
  );
  return { models: file.models.map((entry) => toSettings(entry, env)), problems: [...problems, ...defaultless(file, env)] };
};

/** `default` is the model of the environment settings, which must then be there. */
const defaultless = (file: ConfigFile, env: { readonly [name: string]: string | undefined }): readonly string[] => {
  const there = hasPlainModel(env) || file.models.some((model) => model.name === PLAIN);
  const used = [file.default, file.summary, ...file.fallback, ...file.channels.map((channel) => channel.model)].includes(PLAIN);
  return used && !there ? [`the model ${PLAIN} is named, and neither OPENAI_API_KEY nor OPENAI_BASE_URL is set`] : [];
};

/** The name of the model that the environment settings set up. */
export const PLAIN = 'default';
const hasPlainModel = (env: { readonly [name: string]: string | undefined }): boolean =>
  (env['OPENAI_API_KEY'] ?? env['OPENAI_BASE_URL'] ?? '') !== '';

const toSettings = (entry: ModelEntry, env: { readonly [name: string]: string | undefined }): ModelSettings => {
  const { temperature, topP, maxOutputTokens, reasoningEffort } = entry;
  return {
    key: entry.name,
    baseUrl: entry.baseUrl,
    apiKey: entry.apiKeyEnv === undefined ? undefined : env[entry.apiKeyEnv],
    model: entry.model,
    azure: entry.azure ?? null,
    profile: entry.profile,
    sampling: {
      ...(temperature === undefined ? {} : { temperature }),
      ...(topP === undefined ? {} : { topP }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    },
    images: entry.images,
    window: entry.contextTokens ?? null,
    pinned: entry.pinned ?? null,
  };
};
