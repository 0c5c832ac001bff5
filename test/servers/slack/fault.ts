/** A refusal by the stand-in: what the Web API answers with `ok: false`, or with another status. */
import type { Json } from './model.ts';

export class ApiFault extends Error {
  readonly code: string;
  readonly extra: Json;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: string, extra: Json = {}, status = 200, headers: Readonly<Record<string, string>> = {}) {
    super(code);
    this.name = 'ApiFault';
    this.code = code;
    this.extra = extra;
    this.status = status;
    this.headers = headers;
  }
}

/** Slack's words on which argument was wrong, in `response_metadata.messages`. */
export const invalid = (code: string, ...messages: readonly string[]): ApiFault =>
  new ApiFault(code, { errors: messages, response_metadata: { messages: messages.map((message) => `[ERROR] ${message}`) } });
