import { onSchedule } from '@tds/service-kit';
import { reconcileWithLedger } from '../application/reconcile-with-ledger.ts';
import type { Deps } from '../deps.ts';

const MINUTE_MS = 60_000;

/** Of all times: a ledger may be put back to any of them. */
export const reconcileAllPurchases = onSchedule(async (deps: Deps, context) =>
  reconcileWithLedger(deps, { since: new Date(0), olderThanMs: MINUTE_MS }, context),
);
