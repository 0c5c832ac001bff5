/** Which calls need a person's yes: the section `approvals` of the config file, and what it means. */
import { z } from 'zod';
import { approvalRuleSchema } from '../core/approval.ts';
import type { ApprovalPolicy } from '../core/approval.ts';

const rules = z.record(z.string().min(1), approvalRuleSchema).default({});

const sectionSchema = z.strictObject({
  /** For every tool with effects outside of the thread that has no rule of its own. */
  default: approvalRuleSchema.default('ask'),
  /** By the name of the plugin; it counts for each of its tools, also for those that only read. */
  plugins: rules,
  /** By the name of the tool; before the plugin's. */
  tools: rules,
  /** How long a call waits. */
  minutes: z
    .number()
    .int()
    .min(1)
    .max(7 * 24 * 60)
    .default(60),
});

/** The section may be a single word. */
export const approvalsSchema = z.union([approvalRuleSchema.transform((rule) => sectionSchema.parse({ default: rule })), sectionSchema]);

export const toApprovalPolicy = (section: z.output<typeof sectionSchema> = sectionSchema.parse({})): ApprovalPolicy => ({
  usual: section.default,
  plugins: new Map(Object.entries(section.plugins)),
  tools: new Map(Object.entries(section.tools)),
  waitMs: section.minutes * 60_000,
});
