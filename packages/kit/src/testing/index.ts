export { type Caller, createCaller, testContext } from './caller.ts';
export { createFake, type Fake } from './fake.ts';
export { createListenerContext, type Harness, startHarness } from './harness.ts';
export { holdTask, passLeases } from './held-task.ts';
export { instrumentLabels, observeService } from './observe-service.ts';
export { createTestBench } from './test-bench.ts';
