export { type Admission, type Admit, type BusyKey, toPermitKind } from './admission.ts';
export type { BalanceCache } from './balance-cache.ts';
export type { CacheReads } from './cache-reads.ts';
export type { ColdLeases } from './cold-leases.ts';
export type { KeyLimits } from './limits.ts';
export { MAX_WAIT_MS } from './permits.ts';
export { type BodyShare, createPublicCallers, type PublicCallers } from './public-callers.ts';
export type { AdmissionRequest, ReadPrincipal, RequestUse } from './redis-admission.ts';
