import { relative } from 'node:path';
import type { Config } from 'jest';

/** One configuration for every package: `x.test.ts` does no I/O, `x.int.test.ts` uses real servers. */

/** The package that Jest was started in, or all folders of packages: what Jest looks through need not be `node_modules`. */
const here = process.cwd();
const groups = ['packages', 'services', 'infra', 'test-e2e'];
const roots = here === import.meta.dirname ? groups.map((group) => `<rootDir>/${group}`) : [here];

/** Packages most of whose tests wait for leases, retries and processes: twice as many files run at a time. */
const WAITING = /^(?:packages[/]kit|services[/][^/]+)$/;
const filesAtATime = Number(process.env.TDS_TEST_WORKERS ?? 2);

const common: Config = {
  roots,
  cacheDirectory: '<rootDir>/.local/tools/jest',
  testPathIgnorePatterns: ['/node_modules/', '/.local/'],
  // Node loads sources and tests as they are, and the files of a worker share what it has loaded.
  runtime: '<rootDir>/infra/test/jest/src/runtime.ts',
  testEnvironment: '<rootDir>/infra/test/jest/src/environment.ts',
  // The world of Jest itself is forgotten whole.
  testEnvironmentOptions: { globalsCleanup: 'off' },
  transform: {},
  // What a promise is made of goes on: only clocks and timers are faked.
  fakeTimers: { doNotFake: ['nextTick', 'queueMicrotask', 'hrtime'] },
  slowTestThreshold: 10,
};

const config: Config = {
  // Most tests wait for real servers rather than compute, so two run well even on one core.
  maxWorkers: WAITING.test(relative(import.meta.dirname, here)) ? 2 * filesAtATime : filesAtATime,
  // Of tests that say themselves that they may run beside one another (`it.concurrent`): each has processes of its own.
  maxConcurrency: 3,
  watchman: false,
  globalTeardown: '<rootDir>/infra/test/jest/src/end-run.ts',
  // Real servers on a busy machine take their time; a test that waits for more says so itself.
  testTimeout: 600_000,
  // A rejection without a handler is an error of its test, also of the last one.
  waitForUnhandledRejections: true,
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: [...(common.testPathIgnorePatterns ?? []), '\\.int\\.test\\.ts$'],
    },
    {
      ...common,
      displayName: 'integration',
      testMatch: ['**/*.int.test.ts'],
      globalSetup: '<rootDir>/infra/test/test-kit/src/global-setup.ts',
      globalTeardown: '<rootDir>/infra/test/test-kit/src/global-teardown.ts',
    },
  ],
};

export default config;
