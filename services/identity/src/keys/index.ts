export { forgetKeysOfAccounts, forgetPrincipals } from './forget-principals.ts';
export {
  emitAppChanged,
  emitKeyChangedById,
  endKey,
  fitKeysToTier,
  holderOf,
  lockForChange,
  requireOwn,
} from './key-changes.ts';
export { addKey } from './new-keys.ts';
export { createPayingKey } from './paying-key.ts';
export {
  findConnectionSlots,
  findNthNewestKey,
  findWorkingKeys,
  revokeKeysOfAccount,
  worksAt,
} from './store/account-keys.ts';
export { findKeyOfSession, findLiveKey, markKeyUsed } from './store/api-keys.ts';
export { type FoundPhase, findKeyPhase, isUnbounded } from './store/key-phase.ts';
