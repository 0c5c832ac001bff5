/** What the API sends, as the page uses it. docs/web-api.md describes it. */
export type WireFile = { name: string; type: string; size: number; url: string; picture: boolean; alt: string };
export type WireException = { type: string; value: string; traceback: string; line: number | null };
export type WireRun = {
  n: number;
  by: 'person' | 'model';
  author: string | null;
  code: string;
  end: 'finished' | 'raised' | 'timed-out' | 'out-of-memory' | 'killed' | 'stopped' | 'broken';
  printed: string;
  value: string | null;
  droppedBytes: number;
  kept: boolean;
  undone: boolean;
  error: string | null;
  exception: WireException | null;
  files: WireFile[];
  removedFiles: string[];
  lost: { name: string; type: string; why: string; path: string }[];
  notes: string[];
  durationMs: number;
};
export type WireMessage = {
  id: string;
  role: 'person' | 'bot';
  author: string;
  at: number;
  text: string;
  status: 'complete' | 'cut' | 'stopped' | 'failed';
  failure: { code: string; words: string } | null;
  model: string;
  files: WireFile[];
  runs: WireRun[];
  /** Set where the message asks for a yes; `until` 0: not known yet. */
  approval: { id: string; state: 'waiting' | 'approved' | 'denied'; until: number } | null;
  pending: boolean;
};
export type WireThread = { id: string; busy: boolean; messages: WireMessage[] };
export type WireThreads = { threads: { id: string; title: string; at: number }[] };
export type WireInfo = {
  name: string;
  model: { name: string; practice: boolean; toolCalls: boolean };
  limits: { textChars: number; files: number; fileBytes: number };
  commands: { name: string; description: string; usage: string }[];
  login: boolean;
};
export type WireAnswerFile = WireFile | { name: string; type: string; content: string };
export type WireAnswer = { text: string; files: WireAnswerFile[] };
export type WireReply = WireAnswer & { done: boolean; run: WireRun | null };
export type WireAccepted = { messageId: string; duplicate: boolean; answer?: WireAnswer };
export type WireProgress = { call: string; text: string; state: 'running' | 'done' | 'failed' };

/** Server-sent events by name. */
export type WireEvents = {
  ready: { resumed: boolean };
  status: { turn: string; state: 'working' | 'idle'; text: string };
  draft: { turn: string; message: string; text: string; progress: WireProgress[] };
  output: { turn: string; run: number; text: string };
  ran: { turn: string; message: string; run: WireRun };
  message:
    | { kind: 'person'; message: string; author: string; at: number; text: string; files: number }
    | {
        kind: 'answer' | 'run' | 'notice';
        turn: string;
        message: string;
        text: string;
        status: WireMessage['status'];
        files: WireFile[];
        run: WireRun | null;
        privateTo: string | null;
        actions: string[];
        approval: string | null;
      };
  command: { key: string; text: string; files: WireFile[]; privateTo: string | null; request: string | null };
};
export type WireEvent = { [N in keyof WireEvents]: { name: N; data: WireEvents[N] } }[keyof WireEvents];
