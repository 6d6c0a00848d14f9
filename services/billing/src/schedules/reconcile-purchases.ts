import { onSchedule, walkAll } from '@tds/service-kit';
import { lookForLostPurchases } from '../application/lost-purchases.ts';
import { reconcileWithLedger } from '../application/reconcile-with-ledger.ts';
import type { Deps } from '../deps.ts';
import { later } from '../domain/checkout-rules.ts';

const DAYS_8_MS = 691_200_000;
const MINUTE_MS = 60_000;

/** Both ways: what changed here in the last days is looked for in the ledger, and what it has granted is looked for here. */
export const reconcilePurchases = onSchedule(async (deps: Deps, context) => {
  const since = later(await deps.now(), -DAYS_8_MS);
  await walkAll([
    reconcileWithLedger(deps, { since, olderThanMs: MINUTE_MS }, context),
    lookForLostPurchases(deps, { olderThanMs: MINUTE_MS, youngerThanMs: DAYS_8_MS }, context),
  ]);
});
