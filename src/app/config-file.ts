/**
 * `hektor.config.json`: what is too large for the environment. One schema decodes it; every problem is reported at once, with those of the
 * environment. Secrets never stand in it: it names the environment variable that holds one. docs/configuration.md shows an example.
 */
import { z } from 'zod';
import { approvalsSchema } from './approval-settings.ts';
import { profileOverrides } from '../infra/openai/profile.ts';

const name = z.string().regex(/^[a-zA-Z0-9][\w.-]{0,63}$/, 'a name is letters, digits, dots, dashes and underscores');
const tokens = z.number().int().min(1_000).max(10_000_000);

const modelSchema = z.strictObject({
  /** What people choose it by. */
  name,
  baseUrl: z.url({ protocol: /^https?$/ }),
  /** The environment variable that holds its key. */
  apiKeyEnv: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*$/, 'the name of an environment variable, never the key itself')
    .optional(),
  /** The model's name on its server; on Azure the deployment. */
  model: z.string().trim().min(1).max(200),
  /** Azure's older addresses: `baseUrl` is the resource, and this the API version. */
  azure: z.strictObject({ apiVersion: z.string().trim().min(1) }).optional(),
  profile: profileOverrides.default({}),
  /** The model's whole window. */
  contextTokens: tokens.optional(),
  maxOutputTokens: z.number().int().min(1).max(1_000_000).optional(),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().gt(0).max(1).optional(),
  reasoningEffort: z.enum(['none', 'minimal', 'low', 'medium', 'high']).optional(),
  /** It takes pictures. */
  images: z.boolean().default(false),
  /** US dollars; before any table. */
  price: z.strictObject({ inputPerMillion: z.number().nonnegative(), outputPerMillion: z.number().nonnegative() }).optional(),
  /** What must come back as `model`, and as `system_fingerprint` where one is given. */
  pinned: z.strictObject({ model: z.string().min(1), fingerprint: z.string().min(1).nullable().default(null) }).optional(),
});
export type ModelEntry = z.output<typeof modelSchema>;

const channelSchema = z.strictObject({
  /** `platform/workspace/channel`, each a name or `*`. */
  pattern: z.string().regex(/^[^/\s]+\/[^/\s]+\/[^/\s]+$/, 'platform/workspace/channel, each a name or *'),
  model: name,
});

const fileSchema = z
  .strictObject({
    models: z.array(modelSchema).max(50).default([]),
    /** The model that answers where nothing else was chosen; the first of the list without it. */
    default: name.optional(),
    /** Asked in this order where the chosen one fails. */
    fallback: z.array(name).default([]),
    channels: z.array(channelSchema).default([]),
    /** The model that sums long histories up; the one that answers without it. */
    summary: name.optional(),
    /** Which calls need a person's yes. */
    approvals: approvalsSchema.optional(),
    /** Servers of the Model Context Protocol; read by the plugin `mcp`. */
    mcpServers: z.unknown().optional(),
    /** Further plugins: paths from the folder of this file, or names of packages. */
    plugins: z.array(z.string().trim().min(1).max(500)).max(50).default([]),
  })
  .check(({ value: file, issues }) => {
    // `default` is also the model of the environment settings, so it may be named without standing here.
    const known = new Set(['default', ...file.models.map((model) => model.name)]);
    const say = (path: readonly (string | number)[], message: string): void => {
      issues.push({ code: 'custom', path: [...path], message, input: file });
    };
    const named = (path: readonly (string | number)[], one: string | undefined): void => {
      if (one !== undefined && !known.has(one)) say(path, `no model is called ${one}`);
    };
    file.models.forEach((model, index) => {
      if (file.models.findIndex((other) => other.name === model.name) !== index)
        say(['models', index, 'name'], `two models are called ${model.name}`);
    });
    named(['default'], file.default);
    named(['summary'], file.summary);
    file.fallback.forEach((one, index) => named(['fallback', index], one));
    file.channels.forEach((channel, index) => named(['channels', index, 'model'], channel.model));
  });
export type ConfigFile = z.output<typeof fileSchema>;

export const emptyConfigFile: ConfigFile = fileSchema.parse({});

type Decoded = { readonly file: ConfigFile; readonly problems: readonly string[] };

/** The file's content decoded. Where there are problems the file is the empty one, so that the rest can be looked at, too. */
export const decodeConfigFile = (text: string): Decoded => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own words would quote the text around the fault.
    return { file: emptyConfigFile, problems: ['it is not JSON'] };
  }
  const decoded = fileSchema.safeParse(value);
  return decoded.success
    ? { file: decoded.data, problems: [] }
    : { file: emptyConfigFile, problems: decoded.error.issues.map((issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`) };
};
