export { type Caller, callerOf, testContext } from './caller.ts';
export { type Fake, fakeOf } from './fake.ts';
export { delivered, type Harness, startHarness } from './harness.ts';
export { holdTask, passLeases } from './held-task.ts';
export { instrumentLabels, observed } from './observed.ts';
export { createTestBench } from './test-bench.ts';
