export { crashPoints } from '../runtime/crash-points.ts';
export { type Caller, callerOf, testContext } from './caller.ts';
export { createTestPool, type Fake, fakeOf, poolClient } from './fake.ts';
export { delivered, type Harness, startHarness } from './harness.ts';
export { type HeldTask, holdTask, passLeases } from './held-task.ts';
export { instrumentLabels, type Observed, observed, type Scraped, scrape } from './observed.ts';
export { createTestObjects, type TestObjects } from './test-objects.ts';
