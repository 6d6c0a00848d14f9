/** One configuration for every package and service: `x.test.ts` does no I/O, `x.int.test.ts` uses real servers. */
const common = {
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

export default {
  // Real servers on a busy machine take their time; a test that waits for more says so itself.
  testTimeout: 180_000,
  // Most tests wait for real servers rather than compute, so two run well even on one core.
  maxWorkers: 2,
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: [...common.testPathIgnorePatterns, '\\.int\\.test\\.ts$', '/test-e2e/'],
    },
    {
      ...common,
      displayName: 'integration',
      testMatch: ['**/*.int.test.ts'],
      testPathIgnorePatterns: [...common.testPathIgnorePatterns, '/test-e2e/'],
      globalSetup: '<rootDir>/packages/test-kit/src/global-setup.ts',
      globalTeardown: '<rootDir>/packages/test-kit/src/global-teardown.ts',
    },
    {
      ...common,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test-e2e/**/*.test.ts'],
      globalSetup: '<rootDir>/packages/test-kit/src/global-setup.ts',
      globalTeardown: '<rootDir>/packages/test-kit/src/global-teardown.ts',
    },
  ],
};
