import { defineConfig } from 'vitest/config';

/** One configuration for every package: `x.test.ts` does no I/O, `x.int.test.ts` uses real servers. */

const inRoot = (place: string): string => `${import.meta.dirname}/${place}`;
const tools = ['**/node_modules/**', '**/.local/**'];

export default defineConfig({
  cacheDir: inRoot('.local/tools/vitest'),
  test: {
    // Node loads sources and tests as they are, and the files of a worker share what it has loaded (ADR 0054).
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    isolate: false,
    // Most tests wait for real servers rather than compute, so two run well even on one core.
    maxWorkers: Number(process.env.TDS_TEST_WORKERS ?? 2),
    // Of tests that say themselves that they may run beside one another (`it.concurrent`): each has processes of its own.
    maxConcurrency: 3,
    // Real servers on a busy machine take their time; a test that waits for more says so itself.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
    slowTestThreshold: 10_000,
    silent: 'passed-only',
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['**/*.test.ts'], exclude: [...tools, '**/*.int.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['**/*.int.test.ts'],
          exclude: tools,
          globalSetup: inRoot('packages/test-kit/src/global-setup.ts'),
        },
      },
    ],
  },
});
