export { CREDITS_PER_ROW, reserveItems, settleNow } from './credits.ts';
export { buildScopes, type ColdLimits, questionScopes, type Scope, scopeRefusal } from './domain/cold-caps.ts';
export { insufficientCredits, reservationShortage, type Shortage } from './domain/shortage.ts';
export { countQuestion } from './store/cold-counts.ts';
export { type Settlement, type SettlementItem, settlementQueue } from './store/settlements.ts';
