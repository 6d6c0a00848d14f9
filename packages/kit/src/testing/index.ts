export { type Caller, createCaller as callerOf, testContext } from './caller.ts';
export { createFake as fakeOf, type Fake } from './fake.ts';
export { createListenerContext as delivered, type Harness, startHarness } from './harness.ts';
export { holdTask, passLeases } from './held-task.ts';
export { instrumentLabels, observeService as observed } from './observed.ts';
export { createTestBench } from './test-bench.ts';
