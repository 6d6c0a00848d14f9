export { crashPoints } from '../runtime/crash-points.ts';
export { type Caller, callerOf, testContext } from './caller.ts';
export { type Fake, fakeOf } from './fake.ts';
export { type Harness, startHarness } from './harness.ts';
export { type Observed, observed } from './observed.ts';
export { passLeases } from './pass-leases.ts';
export { poolClient } from './pool-client.ts';
export { createTestObjects, type TestObjects } from './test-objects.ts';
export { createTestPool } from './test-pool.ts';
