/**
 * What a server can and cannot take. Defaults come from its address, an operator may override them, and what a server rejects is
 * learned while it runs: the next request leaves it out.
 */
import { z } from 'zod';

export type ServerProfile = {
  /** Who says the system prompt. `user`: the server knows no such role, the prompt goes first as a user message. */
  readonly systemRole: 'system' | 'developer' | 'user';
  readonly stream: boolean;
  readonly streamUsage: boolean;
  /** False: the model takes no tools; requests go without. */
  readonly tools: boolean;
  readonly toolChoice: boolean;
  /** Mistral takes only ids of nine letters and digits. */
  readonly callIds: 'long' | 'nine';
  /** Whether an assistant message with calls may have `content: null`; otherwise it is an empty text. */
  readonly contentNull: boolean;
  /** What of the model's own thinking must go back with its calls. */
  readonly passBack: 'none' | 'reasoning_content' | 'reasoning_details' | 'extra_content';
  /** Tool messages carry the tool's name as well. */
  readonly resultName: boolean;
  /** Parameters without properties are left out. */
  readonly emptyParameters: boolean;
  /** User messages in a row are joined to one. */
  readonly alternate: boolean;
  readonly promptCacheKey: boolean;
  /** The name of the field that bounds a reply's length. */
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens';
  /** Reasoning models take no temperature and no top_p. */
  readonly temperature: boolean;
  readonly reasoningEffort: boolean;
  /** Whether pictures may stand in user messages. */
  readonly images: boolean;
};

/** What an operator may override. */
export const profileOverrides = z.strictObject({
  systemRole: z.enum(['system', 'developer', 'user']).exactOptional(),
  stream: z.boolean().exactOptional(),
  streamUsage: z.boolean().exactOptional(),
  tools: z.boolean().exactOptional(),
  toolChoice: z.boolean().exactOptional(),
  callIds: z.enum(['long', 'nine']).exactOptional(),
  contentNull: z.boolean().exactOptional(),
  passBack: z.enum(['none', 'reasoning_content', 'reasoning_details', 'extra_content']).exactOptional(),
  resultName: z.boolean().exactOptional(),
  emptyParameters: z.boolean().exactOptional(),
  alternate: z.boolean().exactOptional(),
  promptCacheKey: z.boolean().exactOptional(),
  maxTokensField: z.enum(['max_tokens', 'max_completion_tokens']).exactOptional(),
  temperature: z.boolean().exactOptional(),
  reasoningEffort: z.boolean().exactOptional(),
  images: z.boolean().exactOptional(),
}) satisfies z.ZodType<Partial<ServerProfile>>;

const ORDINARY: ServerProfile = {
  systemRole: 'system',
  stream: true,
  streamUsage: true,
  tools: true,
  toolChoice: true,
  callIds: 'long',
  contentNull: true,
  passBack: 'none',
  resultName: false,
  emptyParameters: true,
  alternate: false,
  promptCacheKey: false,
  maxTokensField: 'max_tokens',
  temperature: true,
  reasoningEffort: true,
  images: true,
};

const BY_HOST: readonly (readonly [RegExp, Partial<ServerProfile>])[] = [
  [/(^|\.)openai\.com$/, { promptCacheKey: true, maxTokensField: 'max_completion_tokens' }],
  [/\.azure\.com$/, { maxTokensField: 'max_completion_tokens' }],
  [/(^|\.)mistral\.ai$/, { callIds: 'nine', resultName: true, contentNull: false, streamUsage: false }],
  [/(^|\.)deepseek\.com$/, { passBack: 'reasoning_content' }],
  [/(^|\.)moonshot\.(ai|cn)$/, { passBack: 'reasoning_content' }],
  [/(^|\.)openrouter\.ai$/, { passBack: 'reasoning_details' }],
  [/(^|\.)googleapis\.com$/, { passBack: 'extra_content', emptyParameters: false }],
  [/(^|\.)anthropic\.com$/, { contentNull: false }],
];

/** The profile of the server at an address. */
export const profileOf = (baseUrl: string, override: Partial<ServerProfile> = {}): ServerProfile => {
  const host = hostOf(baseUrl);
  const known = BY_HOST.find(([pattern]) => pattern.test(host))?.[1] ?? {};
  return { ...ORDINARY, ...known, ...override };
};

/** The host of an address, without its port and without credentials; the address itself where it is none. */
export const hostOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).hostname : baseUrl);

/**
 * The profile without the field that a server complained about, or undefined where its words name none that could be left out.
 * Servers say this in free text only; a wrong guess costs one more request, never an answer.
 */
export const degrade = (profile: ServerProfile, message: string, param: string): ServerProfile | undefined => {
  const words = `${param} ${message}`;
  const step = STEPS.find(({ when, now }) => now(profile) && when.test(words));
  return step === undefined ? undefined : { ...profile, ...step.to(profile) };
};

type Step = {
  readonly when: RegExp;
  readonly now: (profile: ServerProfile) => boolean;
  readonly to: (profile: ServerProfile) => Partial<ServerProfile>;
};
const STEPS: readonly Step[] = [
  { when: /stream_options|include_usage/i, now: (p) => p.stream && p.streamUsage, to: () => ({ streamUsage: false }) },
  { when: /prompt_cache_key/i, now: (p) => p.promptCacheKey, to: () => ({ promptCacheKey: false }) },
  {
    when: /max_completion_tokens/i,
    now: (p) => p.maxTokensField === 'max_tokens',
    to: () => ({ maxTokensField: 'max_completion_tokens' }),
  },
  { when: /reasoning_?effort/i, now: (p) => p.reasoningEffort, to: () => ({ reasoningEffort: false }) },
  { when: /\btemperature\b|\btop_p\b/i, now: (p) => p.temperature, to: () => ({ temperature: false }) },
  {
    when: /unknown variant .?image_url|image_url.{0,40}(not (supported|allowed)|unsupported|only)|(not|n.t) support[^.]{0,40}\b(image|vision|multimodal)|\b(image|vision|multimodal)\w*( inputs?| contents?)? (is|are) not (supported|enabled|available)|not a (vision|multimodal)/i,
    now: (p) => p.images,
    to: () => ({ images: false }),
  },
  { when: /tool_choice/i, now: (p) => p.toolChoice, to: () => ({ toolChoice: false }) },
  {
    when: /tools?\b.{0,40}(not support|unsupported|not available|not enabled)|(not support|unsupported|unknown (parameter|field)|unrecognized)[^.]{0,60}\b(tools?|function)|enable-auto-tool-choice/i,
    now: (p) => p.tools,
    to: () => ({ tools: false }),
  },
  { when: /alternat/i, now: (p) => !p.alternate, to: () => ({ alternate: true }) },
  { when: /\bdeveloper\b/i, now: (p) => p.systemRole === 'developer', to: () => ({ systemRole: 'system' }) },
  { when: /system (role|message)/i, now: (p) => p.systemRole === 'system', to: () => ({ systemRole: 'user' }) },
  {
    when: /call.?id.{0,80}(length of 9|must be a-z)/i,
    now: (p) => p.callIds === 'long',
    to: () => ({ callIds: 'nine' }),
  },
  { when: /content.{0,60}(null|none|must be a string|required|empty)/i, now: (p) => p.contentNull, to: () => ({ contentNull: false }) },
  {
    when: /\bstream(ing)?\b.{0,40}(not support|unsupported|not allowed|must be false|unknown)|(not support|unsupported|unknown parameter|only)[^.]{0,40}\bstream(ing)?\b/i,
    now: (p) => p.stream,
    to: () => ({ stream: false }),
  },
  { when: /missing.{0,30}\bname\b|\bname\b.{0,30}(required|missing)/i, now: (p) => !p.resultName, to: () => ({ resultName: true }) },
];

/** Whether a server complains about a picture itself. That says nothing about the next one, so nothing is learned from it. */
export const isBadPicture = (profile: ServerProfile, message: string): boolean =>
  profile.images &&
  /\b(image|picture)\b|image_url/i.test(message) &&
  /invalid|unsupported|corrupt|valid|could not|cannot|unable|fail|large/i.test(message);
