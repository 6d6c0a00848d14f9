export { type Caller, callerOf, testContext } from './caller.ts';
export { type Fake, fakeOf } from './fake.ts';
export { type Observed, observed } from './observed.ts';
