import { clientNetwork } from '@tds/base';
import {
  billing,
  CREDIT_BLOCKS,
  creditsLedger,
  identity,
  newId,
  type ReplyOf,
  type RequestOf,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import type { Context } from '@tds/messaging';
import {
  type CheckoutBuyer,
  closePage,
  findOrCreateCustomer,
  inProgressError,
  replayCheckout,
  toCheckout,
} from '../application/checkouts.ts';
import type { Deps } from '../deps.ts';
import {
  CHECKOUT_MS,
  isReplaceable,
  later,
  refuseAboveLimit,
  SPARE_MS,
  secondsUntil,
} from '../domain/checkout.ts';
import { countPurchases } from '../store/admission.ts';
import { countCheckout, findOpen, insertOpening, markExpired, markOpen } from '../store/checkouts.ts';
import { findPurchase } from '../store/purchases.ts';

type CheckoutRequest = RequestOf<typeof billing.openCheckout>;

export const listPrices = onCommand(billing.listPrices, async ({ config }: Deps) => ({
  currency: config.currency,
  blocks: CREDIT_BLOCKS.map((block) => ({ block, amount: config.prices.get(block) as number })),
}));

/** Never reads the account of a stranger's address: the answer would reveal whether it exists. */
const resolveBuyer = async (
  { call }: Deps,
  { buyer }: CheckoutRequest,
  context: Context,
): Promise<CheckoutBuyer> => {
  if (buyer.kind === 'account') return { boughtBy: 'account', accountId: buyer.accountId, email: null };
  const { email } = await call(identity.spellAddress, { email: buyer.email }, context);
  return { boughtBy: 'stranger', accountId: null, email };
};

/** Throws `rate_limit`. Strangers are counted by network, so that they use up no account's checkouts. */
const refuseTooMany = async (
  { db, config, now }: Deps,
  { accountId }: CheckoutBuyer,
  { clientAddress }: CheckoutRequest,
) => {
  const at = await now();
  const caller = accountId ?? clientNetwork(clientAddress);
  const opensAt = await countCheckout(db, caller, config.checkoutsPerHour, at);
  if (opensAt === null) return;
  const who = accountId === null ? 'from this network' : 'by this account';
  throw serviceError('rate_limit', {
    message: `Too many checkouts were opened ${who}. Retry after the seconds of retry_after.`,
    retryAfterSeconds: secondsUntil(opensAt, at),
  });
};

/** Throws if the money would buy nothing: the account is above its limit, or no account can exist for the address. */
const refuseBuyer = async ({ db, call }: Deps, { accountId, email }: CheckoutBuyer, context: Context) => {
  if (accountId === null) {
    await call(identity.admitAddress, { email }, context);
    return;
  }
  const purchases = await countPurchases(db, accountId);
  if (purchases === 0) return;
  const { spent } = await call(creditsLedger.getSpending, { accountId }, context);
  refuseAboveLimit({ purchases, spent });
};

/** Closes the account's open page of another block. */
const closeOther = async (deps: Deps, { accountId }: CheckoutBuyer, { block }: CheckoutRequest) => {
  const open = accountId === null ? null : await findOpen(deps.db, accountId);
  if (open !== null && isReplaceable(open, block)) await closePage(deps, open);
};

type OpeningPurchase = Parameters<typeof insertOpening>[1];

/** Opens the page of an inserted purchase. Expires the purchase if that fails, so that the account can start again at once. */
const openPage = async (
  { db, processor, now }: Deps,
  purchase: OpeningPurchase,
  priceId: string,
): Promise<ReplyOf<typeof billing.openCheckout>> => {
  const { id: purchaseId } = purchase;
  const session = await processor
    .openSession({ ...purchase, purchaseId, priceId })
    .catch(async (error: unknown) => {
      await markExpired(db, purchaseId, await now());
      throw error;
    });
  if (!session.url) throw serviceError('payment_response_invalid');
  const pageUrl = session.url;
  await markOpen(db, purchaseId, { sessionId: session.id, pageUrl });
  return { checkout: toCheckout({ ...purchase, pageUrl }), isReplayed: false };
};

export const openCheckout = onCommand(billing.openCheckout, async (deps: Deps, request, context) => {
  const { block, idempotencyKey } = request;
  const buyer = await resolveBuyer(deps, request, context);
  const earlier = await replayCheckout(deps, buyer, request, context.signal);
  if (earlier !== null) return earlier;
  await refuseTooMany(deps, buyer, request);
  await refuseBuyer(deps, buyer, context);
  const { id: priceId, amount, currency } = await deps.prices.of(block);
  const customerId = buyer.accountId === null ? null : await findOrCreateCustomer(deps, buyer.accountId);
  await closeOther(deps, buyer, request);
  const createdAt = await deps.now();
  const expiresAt = later(createdAt, CHECKOUT_MS + SPARE_MS);
  const fields = { ...buyer, id: newId(), block, amount, currency, customerId, idempotencyKey };
  const { buyer: sent } = request;
  const personId = (sent.kind === 'account' && sent.personId) || null;
  const purchase = { ...fields, personId, createdAt, expiresAt };
  // Inserted before its page opens: one of two concurrent requests is rejected, and whatever is paid has a row.
  if (!(await insertOpening(deps.db, purchase))) {
    const concurrent = await replayCheckout(deps, buyer, request, context.signal);
    if (concurrent !== null) return concurrent;
    throw await inProgressError(deps, buyer.accountId);
  }
  context.record.add({ purchaseId: purchase.id, block });
  return openPage(deps, purchase, priceId);
});

/** Closes an open page that its buyer has left. Needs no credential: only the buyer knows the purchase's id. */
export const cancelCheckout = onCommand(billing.cancelCheckout, async (deps: Deps, { purchaseId }) => {
  const purchase = await findPurchase(deps.db, purchaseId);
  if (purchase?.state === 'open') return { isClosed: await closePage(deps, purchase) };
  return { isClosed: purchase?.state === 'expired' };
});

export const openPortal = onCommand(billing.openPortal, async (deps: Deps, { accountId }) =>
  deps.processor.openPortal(await findOrCreateCustomer(deps, accountId)),
);
