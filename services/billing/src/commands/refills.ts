import { billing } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import { findOrCreateCustomer } from '../application/checkouts.ts';
import { endRefill as end, saveRefill, toRefill } from '../application/refills.ts';
import type { Deps } from '../deps.ts';
import { CHECKOUT_MS, later, SPARE_MS, secondsUntil } from '../domain/checkout.ts';
import { refuseRefill } from '../domain/refill.ts';
import { countCheckout } from '../store/checkouts.ts';
import { enterRefill, findRefill } from '../store/refills.ts';

export const getRefill = onCommand(billing.getRefill, async (deps: Deps, { accountId }) => ({
  refill: await toRefill(deps, accountId, await findRefill(deps.db, accountId)),
}));

export const putRefill = onCommand(billing.putRefill, async (deps: Deps, request, { record }) => {
  const { accountId, personId, threshold, block, monthlyLimit } = request;
  const { prices, currency } = deps.config;
  const chosen = { threshold, block, amount: prices.get(block) as number, monthlyLimit };
  refuseRefill(chosen);
  const now = await deps.now();
  const saved = await deps.messaging.transaction(deps.db, async (tx, send) => {
    const refill = await enterRefill(tx, accountId, personId, now);
    const state =
      refill.paymentMethodId === null
        ? ({ state: 'card_missing', personId } as const)
        : ({ state: 'on' } as const);
    return saveRefill({ tx, send, now }, refill, { ...chosen, currency, ...state, reason: null });
  });
  record.add({ refill: saved.state, ...chosen });
  return { refill: await toRefill(deps, accountId, saved) };
});

export const endRefill = onCommand(billing.endRefill, async (deps: Deps, { accountId }) => {
  const now = await deps.now();
  const ended = await deps.messaging.transaction(deps.db, (tx, send) =>
    end({ tx, send, now }, accountId, null),
  );
  return { refill: await toRefill(deps, accountId, ended) };
});

/** Counts pages among the checkouts of the account. */
export const openCardPage = onCommand(billing.openCardPage, async (deps: Deps, { accountId, personId }) => {
  const { db, config, processor } = deps;
  const refill = await findRefill(db, accountId);
  if (refill === null || refill.state === 'off') throw serviceError('refill_not_found');
  const now = await deps.now();
  const opensAt = await countCheckout(db, accountId, config.checkoutsPerHour, now);
  if (opensAt !== null) throw serviceError('rate_limit', { retryAfterSeconds: secondsUntil(opensAt, now) });
  const customerId = await findOrCreateCustomer(deps, accountId);
  const expiresAt = later(now, CHECKOUT_MS + SPARE_MS);
  return processor.openCardPage({ accountId, personId, customerId, currency: config.currency, expiresAt });
});
