/** Counters and histograms; names and labels are fixed in src/infra/telemetry/metrics.ts, values never hold content. */
export type Metrics = {
  readonly count: (name: MetricCounter, labels?: { readonly [label: string]: string }, by?: number) => void;
  /** Seconds. */
  readonly observe: (name: MetricTimer, labels: { readonly [label: string]: string }, seconds: number) => void;
  readonly gauge: (name: MetricGauge, value: number) => void;
  /** The Prometheus text form. */
  readonly text: () => Promise<string>;
};
export type MetricCounter =
  | 'hektor_messages_total'
  | 'hektor_inbox_total'
  | 'hektor_turns_total'
  | 'hektor_runs_total'
  | 'hektor_tool_calls_total'
  | 'hektor_model_requests_total'
  | 'hektor_model_drift_total'
  | 'hektor_tokens_total'
  | 'hektor_cost_micros_total'
  | 'hektor_cost_unknown_total'
  | 'hektor_failures_total'
  | 'hektor_feedback_total'
  | 'hektor_posts_total';
export type MetricTimer = 'hektor_turn_seconds' | 'hektor_run_seconds' | 'hektor_model_seconds';
export type MetricGauge = 'hektor_queue_waiting' | 'hektor_queue_active' | 'hektor_sandbox_idle' | 'hektor_sandbox_leased';
