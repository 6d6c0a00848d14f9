export { createAuthorization, hasScope, insufficientScope, mayFetch } from './authorization.ts';
export type { Caller, CallerAdmission } from './caller-admission.ts';
export type { NetworkGate } from './network-gate.ts';
