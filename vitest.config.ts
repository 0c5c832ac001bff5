import { defineConfig } from 'vitest/config';

/**
 * Tests use a real Redis, a real Docker engine and real sockets, so they are given time rather than speed: a limit here
 * only ends a test that hangs. Two workers, since each may hold containers and a browser of its own.
 */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    exclude: ['node_modules/**', 'test/bench/**'],
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
    // A shared machine can hold a browser or a container up for seconds. What fails twice is broken; by hand nothing is tried again.
    retry: process.env['CI'] === undefined ? 0 : 1,
  },
});
