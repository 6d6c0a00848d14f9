import {
  billing,
  CREDIT_BLOCKS,
  creditsLedger,
  identity,
  newId,
  type RequestOf,
  serviceError,
} from '@tds/contracts';
import { type Context, clientNetwork, onCommand } from '@tds/service-kit';
import { type Buyer, closePage, customerOf, inProgress, repeatedCheckout } from '../application/checkouts.ts';
import type { Price } from '../application/prices.ts';
import type { Deps } from '../deps.ts';
import {
  CHECKOUT_MS,
  givesWay,
  later,
  refuseAboveLimit,
  SPARE_MS,
  secondsUntil,
} from '../domain/checkout.ts';
import { countCheckout } from '../store/checkout-windows.ts';
import { countStanding } from '../store/limited-purchases.ts';
import { findOpen, findPurchase, insertOpening, markExpired, markOpen } from '../store/purchases.ts';

type Request = RequestOf<typeof billing.openCheckout>;

/** Nothing here looks at the account of an address: its answers would tell who has one. */
const buyerOf = async ({ call }: Deps, { buyer }: Request, context: Context): Promise<Buyer> => {
  if (buyer.kind === 'account') return { boughtBy: 'account', accountId: buyer.accountId, email: null };
  const { email } = await call(identity.spellAddress, { email: buyer.email }, context);
  return { boughtBy: 'stranger', accountId: null, email };
};

/** Strangers are counted by network, and take nothing away from accounts in the same one. */
const refuseCrowd = async (
  { db, config, now }: Deps,
  { accountId }: Buyer,
  { clientAddress }: Request,
): Promise<void> => {
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

/** Throws if the money would come to nothing: a new account has bought already, or nobody can sign in to the address. */
const refuseBuyer = async ({ db, call }: Deps, buyer: Buyer, context: Context): Promise<void> => {
  if (buyer.boughtBy === 'stranger') {
    await call(identity.admitAddress, { email: buyer.email }, context);
    return;
  }
  const { accountId } = buyer;
  const standing = await countStanding(db, accountId);
  if (standing === 0) return;
  const { spent } = await call(creditsLedger.getSpending, { accountId }, context);
  refuseAboveLimit({ standing, spent });
};

/** An account that asks for another block has left its open page. */
const closeOther = async (deps: Deps, { accountId }: Buyer, { block }: Request): Promise<void> => {
  const open = accountId === null ? null : await findOpen(deps.db, accountId);
  if (open !== null && givesWay(open, block)) await closePage(deps, open);
};

type Opening = { readonly buyer: Buyer; readonly price: Price; readonly customerId: string | null };

/** The row comes first, so that of two who ask at once one is refused, and what is paid has a row. Null if there is one already. */
const insert = async (
  deps: Deps,
  { block, idempotencyKey }: Request,
  { buyer, price, customerId }: Opening,
) => {
  const now = await deps.now();
  const { amount, currency } = price;
  const expiresAt = later(now, CHECKOUT_MS + SPARE_MS);
  const sold = { ...buyer, id: newId(), block, amount, currency, customerId, idempotencyKey };
  const purchase = { ...sold, createdAt: now, expiresAt };
  return (await insertOpening(deps.db, purchase)) ? purchase : null;
};

/** Opens the page of a row. */
const openPage = async (
  deps: Deps,
  purchase: NonNullable<Awaited<ReturnType<typeof insert>>>,
  priceId: string,
) => {
  const { id: purchaseId, block, amount, currency, expiresAt } = purchase;
  const session = await deps.processor
    .openSession({ ...purchase, purchaseId, priceId })
    .catch(async (error: unknown) => {
      // Nobody has seen its page, if there is one, so that nobody can pay there: the account may begin anew at once.
      await markExpired(deps.db, purchaseId, await deps.now());
      throw error;
    });
  if (!session.url) throw serviceError('payment_response_invalid');
  const checkoutUrl = session.url;
  await markOpen(deps.db, purchaseId, { sessionId: session.id, pageUrl: checkoutUrl });
  const sold = { checkoutUrl, purchaseId, block, amount, currency };
  return { ...sold, expiresAt: expiresAt.toISOString(), isReplayed: false };
};

export const openCheckout = onCommand(billing.openCheckout, async (deps: Deps, request, context) => {
  const { signal, record } = context;
  const buyer = await buyerOf(deps, request, context);
  const before = await repeatedCheckout(deps, buyer, request, signal);
  if (before !== null) return before;
  await refuseCrowd(deps, buyer, request);
  await refuseBuyer(deps, buyer, context);
  const price = await deps.prices.of(request.block);
  const customerId = buyer.accountId === null ? null : await customerOf(deps, buyer.accountId);
  await closeOther(deps, buyer, request);
  const purchase = await insert(deps, request, { buyer, price, customerId });
  if (purchase === null) {
    const sameTime = await repeatedCheckout(deps, buyer, request, signal);
    if (sameTime !== null) return sameTime;
    throw await inProgress(deps, buyer.accountId);
  }
  record.add({ purchaseId: purchase.id, block: request.block });
  return openPage(deps, purchase, price.id);
});

/** Only a page that is open has been left by its buyer, who knows its id; nobody else does. */
export const cancelCheckout = onCommand(
  billing.cancelCheckout,
  async (deps: Pick<Deps, 'db' | 'processor' | 'now'>, { purchaseId }) => {
    const purchase = await findPurchase(deps.db, purchaseId);
    if (purchase?.state === 'open') return { isClosed: await closePage(deps, purchase) };
    return { isClosed: purchase?.state === 'expired' };
  },
);

export const listPrices = onCommand(billing.listPrices, async ({ config }: Pick<Deps, 'config'>) => ({
  currency: config.currency,
  blocks: CREDIT_BLOCKS.map((block) => ({ block, amount: config.prices.get(block) as number })),
}));

export const openPortal = onCommand(
  billing.openPortal,
  async (deps: Pick<Deps, 'db' | 'processor'>, { accountId }) =>
    deps.processor.openPortal(await customerOf(deps, accountId)),
);
