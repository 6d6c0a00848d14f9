import { relative } from 'node:path';
import type { Config } from 'jest';

/** One configuration for every package: `x.test.ts` does no I/O, `x.int.test.ts` uses real servers. */

/** The package that Jest was started in, or all folders of packages: what Jest looks through need not be `node_modules`. */
const here = process.cwd();
const groups = ['packages', 'services', 'infra', 'test-e2e'];
const roots = here === import.meta.dirname ? groups.map((group) => `<rootDir>/${group}`) : [here];

/** Files that are too dear for each change: `npm run prove` runs them, too. */
const proves = Boolean(process.env.TDS_PROVE);

/** Packages most of whose tests wait for leases, retries and processes: twice as many files run at a time. */
const WAITING = /^(?:packages[/]kit|services[/][^/]+)$/;
const filesAtATime = Number(process.env.TDS_TEST_WORKERS ?? 2);
const workersOf = (folder: string): number => {
  if (folder === 'test-e2e') return 1; // its files share a system
  return WAITING.test(folder) ? 2 * filesAtATime : filesAtATime;
};

const common: Config = {
  roots,
  cacheDirectory: '<rootDir>/.local/tools/jest',
  testPathIgnorePatterns: ['/node_modules/', '/.local/', ...(proves ? [] : ['\\.prove\\.'])],
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

const integration: Config = {
  ...common,
  globalSetup: '<rootDir>/infra/test/test-kit/src/global-setup.ts',
  globalTeardown: '<rootDir>/infra/test/test-kit/src/global-teardown.ts',
};

const config: Config = {
  // Most tests wait for real servers rather than compute, so two run well even on one core.
  maxWorkers: workersOf(relative(import.meta.dirname, here)),
  reporters: ['default', '<rootDir>/infra/test/jest/src/failures.ts'],
  testSequencer: '<rootDir>/infra/test/jest/src/sequencer.ts',
  // Of tests that say themselves that they may run beside one another (`it.concurrent`): each has processes of its own.
  maxConcurrency: 3,
  watchman: false,
  globalTeardown: '<rootDir>/infra/test/jest/src/end-run.ts',
  // The environment fails a file that leaves something open; a worker without that still ends slowly on a busy machine.
  workerGracefulExitTimeout: 30_000,
  // Real servers on a busy machine take their time: three times what one wait may take.
  testTimeout: 180_000 * Number(process.env.TDS_TEST_SLOWNESS ?? 2),
  // A rejection without a handler is an error of its test, also of the last one.
  waitForUnhandledRejections: true,
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: [...(common.testPathIgnorePatterns ?? []), '\\.int\\.test\\.ts$'],
    },
    { ...integration, displayName: 'integration', testMatch: ['**/!(*.own).int.test.ts'] },
    // In test-e2e: what needs a system of its own, or one that is at rest.
    { ...integration, displayName: 'own', testMatch: ['**/*.own.int.test.ts'] },
  ],
};

export default config;
