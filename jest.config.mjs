/** One configuration for every package: `x.test.ts` does no I/O, `x.int.test.ts` and test-e2e use real servers. */

/** The package that Jest was started in, or the whole tree. Caches are the tree's, so that no package compiles another again. */
const folder = process.cwd();

const common = {
  roots: [folder],
  cacheDirectory: '<rootDir>/.local/tools/jest',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
  testPathIgnorePatterns: ['/node_modules/', '/.local/'],
  modulePathIgnorePatterns: ['<rootDir>/.local/'],
};

const withServers = {
  globalSetup: '<rootDir>/packages/test-kit/src/global-setup.ts',
  globalTeardown: '<rootDir>/packages/test-kit/src/global-teardown.ts',
};

export default {
  // Real servers on a busy machine take their time; a test that waits for more says so itself.
  testTimeout: 180_000,
  // Most tests wait for real servers rather than compute, so two run well even on one core.
  maxWorkers: Number(process.env.TDS_TEST_WORKERS ?? 2),
  // Of tests that say themselves that they may run beside one another (`it.concurrent`): each has processes of its own.
  maxConcurrency: 3,
  // One worker is a process of its own too: what one file leaves behind is not the runner's.
  workerIdleMemoryLimit: '1GB',
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: [...common.testPathIgnorePatterns, '\\.int\\.test\\.ts$', '/test-e2e/'],
    },
    {
      ...common,
      ...withServers,
      displayName: 'integration',
      testMatch: ['**/*.int.test.ts'],
      testPathIgnorePatterns: [...common.testPathIgnorePatterns, '/test-e2e/'],
    },
    { ...common, ...withServers, displayName: 'e2e', testMatch: ['<rootDir>/test-e2e/**/*.test.ts'] },
  ],
};
