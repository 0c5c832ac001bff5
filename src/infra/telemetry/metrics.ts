import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { MetricCounter, MetricGauge, Metrics, MetricTimer } from '../../ports/metrics.ts';

type Definition = { readonly help: string; readonly labels: readonly string[] };

/** The labels that exist. Their values come from small sets (platforms, codes, tools, models), never from what somebody wrote. */
const COUNTERS: { readonly [Name in MetricCounter]: Definition } = {
  hektor_messages_total: { help: 'Events offered to a mailbox', labels: ['platform', 'kind', 'outcome'] },
  hektor_inbox_total: { help: 'Deliveries of platforms in the in-tray, by what became of them', labels: ['adapter', 'outcome'] },
  hektor_turns_total: { help: 'Turns that ended', labels: ['kind', 'status'] },
  hektor_runs_total: { help: 'Code runs that ended', labels: ['by', 'end'] },
  hektor_tool_calls_total: { help: 'Tool calls that ended', labels: ['tool', 'outcome'] },
  hektor_model_requests_total: { help: 'Requests to a model', labels: ['model', 'outcome'] },
  hektor_model_drift_total: { help: 'Changes of the model that answered against the one that was pinned', labels: ['model'] },
  hektor_tokens_total: { help: 'Tokens used, by kind', labels: ['model', 'type'] },
  hektor_cost_micros_total: { help: 'What requests to models cost, where it is known, in millionths of a dollar', labels: ['model'] },
  hektor_cost_unknown_total: { help: 'Requests to models whose cost is unknown', labels: ['model'] },
  hektor_feedback_total: { help: 'What people thought of answers', labels: ['platform', 'verdict'] },
  hektor_failures_total: { help: 'Failures by code', labels: ['code'] },
  hektor_posts_total: { help: 'Posts sent to a platform', labels: ['outcome'] },
};
const TIMERS: { readonly [Name in MetricTimer]: Definition & { readonly buckets: readonly number[] } } = {
  hektor_turn_seconds: {
    help: 'From taking an item up to its commit',
    labels: ['kind'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
  },
  hektor_run_seconds: { help: 'One code run', labels: ['by'], buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30] },
  hektor_model_seconds: { help: 'One model request', labels: [], buckets: [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 30, 60, 120] },
};
const GAUGES: { readonly [Name in MetricGauge]: string } = {
  hektor_queue_waiting: 'Conversations that wait for a worker',
  hektor_queue_active: 'Conversations that are being worked on',
  hektor_sandbox_idle: 'Sandbox containers that wait for a lease',
  hektor_sandbox_leased: 'Sandbox containers that serve a conversation',
};

/** A registry of its own, so that several can live in one process; with the process's default metrics. */
export const createMetrics = (): Metrics => {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = (name: MetricCounter) =>
    new Counter({ name, help: COUNTERS[name].help, labelNames: [...COUNTERS[name].labels], registers });
  const timer = (name: MetricTimer) => {
    const { help, labels, buckets } = TIMERS[name];
    return new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers });
  };
  const gauge = (name: MetricGauge) => new Gauge({ name, help: GAUGES[name], registers });
  const counters: { readonly [Name in MetricCounter]: Counter } = {
    hektor_messages_total: counter('hektor_messages_total'),
    hektor_inbox_total: counter('hektor_inbox_total'),
    hektor_turns_total: counter('hektor_turns_total'),
    hektor_runs_total: counter('hektor_runs_total'),
    hektor_tool_calls_total: counter('hektor_tool_calls_total'),
    hektor_model_requests_total: counter('hektor_model_requests_total'),
    hektor_model_drift_total: counter('hektor_model_drift_total'),
    hektor_tokens_total: counter('hektor_tokens_total'),
    hektor_cost_micros_total: counter('hektor_cost_micros_total'),
    hektor_cost_unknown_total: counter('hektor_cost_unknown_total'),
    hektor_feedback_total: counter('hektor_feedback_total'),
    hektor_failures_total: counter('hektor_failures_total'),
    hektor_posts_total: counter('hektor_posts_total'),
  };
  const timers: { readonly [Name in MetricTimer]: Histogram } = {
    hektor_turn_seconds: timer('hektor_turn_seconds'),
    hektor_run_seconds: timer('hektor_run_seconds'),
    hektor_model_seconds: timer('hektor_model_seconds'),
  };
  const gauges: { readonly [Name in MetricGauge]: Gauge } = {
    hektor_queue_waiting: gauge('hektor_queue_waiting'),
    hektor_queue_active: gauge('hektor_queue_active'),
    hektor_sandbox_idle: gauge('hektor_sandbox_idle'),
    hektor_sandbox_leased: gauge('hektor_sandbox_leased'),
  };
  return {
    count: (name, labels = {}, by = 1) => {
      if (by >= 0 && Number.isFinite(by)) counters[name].inc(fit(COUNTERS[name].labels, labels), by);
    },
    observe: (name, labels, seconds) => {
      if (Number.isFinite(seconds)) timers[name].observe(fit(TIMERS[name].labels, labels), seconds);
    },
    gauge: (name, value) => {
      if (Number.isFinite(value)) gauges[name].set(value);
    },
    text: () => registry.metrics(),
  };
};

/** Exactly the labels that exist: a missing one is empty, a foreign one is left out, for a metric must never make its caller fail. */
const fit = (names: readonly string[], labels: { readonly [label: string]: string }): { [label: string]: string } =>
  Object.fromEntries(names.map((name) => [name, (labels[name] ?? '').slice(0, 80)]));
