import { expect, it } from 'vitest';
import { createMetrics } from '../../../src/infra/telemetry/metrics.ts';

it('counts, times and gauges in the form that Prometheus reads', async () => {
  const metrics = createMetrics();
  metrics.count('hektor_failures_total', { code: 'store-unreachable' });
  metrics.count('hektor_failures_total', { code: 'store-unreachable' }, 2);
  metrics.observe('hektor_run_seconds', { by: 'model' }, 0.012);
  metrics.gauge('hektor_queue_waiting', 7);
  const text = await metrics.text();
  expect(text).toContain('hektor_failures_total{code="store-unreachable"} 3');
  expect(text).toContain('hektor_run_seconds_bucket{le="0.02",by="model"} 1');
  expect(text).toContain('hektor_run_seconds_bucket{le="0.01",by="model"} 0');
  expect(text).toContain('hektor_queue_waiting 7');
  expect(text).toContain('process_resident_memory_bytes');
});

it('never makes its caller fail: foreign labels are left out, missing ones are empty, long ones are cut', async () => {
  const metrics = createMetrics();
  metrics.count('hektor_tool_calls_total', { tool: 't'.repeat(1_000), text: 'private words' });
  metrics.count('hektor_messages_total');
  metrics.count('hektor_tokens_total', {}, -1);
  metrics.count('hektor_tokens_total', {}, Number.NaN);
  metrics.observe('hektor_turn_seconds', {}, Number.NaN);
  metrics.gauge('hektor_sandbox_idle', Number.NaN);
  const text = await metrics.text();
  expect(text).toContain(`hektor_tool_calls_total{tool="${'t'.repeat(80)}",outcome=""} 1`);
  expect(text).not.toContain('private words');
  expect(text).not.toMatch(/hektor_\S+ NaN/i);
});

it('is a registry of its own, so that several can stand side by side', async () => {
  const [one, two] = [createMetrics(), createMetrics()];
  one.gauge('hektor_queue_active', 5);
  expect(await two.text()).toContain('hektor_queue_active 0');
});
