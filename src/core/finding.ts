/** What a doctor found. `fault`: something does not work. `advice`: it works, and could be better. */
export type Finding = {
  /** The part that it is about, as its operator calls it: `Redis`, `Slack`. */
  readonly of: string;
  readonly kind: 'good' | 'advice' | 'fault';
  readonly text: string;
  /** What exactly to do: a command, a setting, a page and what to tick there. Null where there is nothing to do. */
  readonly fix: string | null;
};

export const good = (of: string, text: string): Finding => ({ of, kind: 'good', text, fix: null });
export const advice = (of: string, text: string, fix: string | null = null): Finding => ({ of, kind: 'advice', text, fix });
export const fault = (of: string, text: string, fix: string | null = null): Finding => ({ of, kind: 'fault', text, fix });
