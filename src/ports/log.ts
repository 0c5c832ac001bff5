/** Structured logging. Fields never hold secrets, message texts, code or tokens; a failure's `detail` may go here and nowhere else. */
export type LogFields = { readonly [field: string]: unknown };

export type Log = {
  readonly debug: (fields: LogFields, message: string) => void;
  readonly info: (fields: LogFields, message: string) => void;
  readonly warn: (fields: LogFields, message: string) => void;
  readonly error: (fields: LogFields, message: string) => void;
  /** A log that adds these fields to every line. */
  readonly with: (fields: LogFields) => Log;
};
