import {
  billing,
  creditsLedger,
  identity,
  newId,
  type ReplyOf,
  type RequestOf,
  serviceError,
} from '@tds/contracts';
import { type Context, clientNetwork, onCommand } from '@tds/service-kit';
import { customerOf } from '../application/customer-of.ts';
import type { Price } from '../application/prices.ts';
import type { Deps } from '../deps.ts';
import {
  CHECKOUT_MS,
  CREDITS_BEFORE_SECOND_PURCHASE,
  DAY_SECONDS,
  later,
  OPENING_MS,
  SPARE_MS,
  secondsUntil,
} from '../domain/checkout-rules.ts';
import { countCheckout } from '../store/checkout-windows.ts';
import { countStanding } from '../store/customers.ts';
import { findOpen, findRepeated, insertOpening, markExpired, markOpen } from '../store/purchases.ts';

type Request = RequestOf<typeof billing.openCheckout>;
type Reply = ReplyOf<typeof billing.openCheckout>;

/** Whoever is to have the credits: an account, or the address of one that may not be there yet. */
type Buyer =
  | { readonly accountId: string; readonly email: null }
  | { readonly accountId: null; readonly email: string };

const refuseCrowd = async ({ db, config, now }: Deps, clientAddress: string): Promise<void> => {
  const at = now();
  const opensAt = await countCheckout(
    db,
    clientNetwork(clientAddress),
    config.checkoutsPerNetworkPerHour,
    at,
  );
  if (opensAt === null) return;
  throw serviceError('rate_limit', {
    message: 'Too many checkouts were opened from this network. Retry after the seconds of retry_after.',
    retryAfterSeconds: secondsUntil(opensAt, at),
  });
};

/** Nothing here looks at the account of an address: its answers would tell who has one. */
const buyerOf = async ({ call }: Deps, { buyer }: Request, context: Context): Promise<Buyer> => {
  if (buyer.kind === 'account') return { accountId: buyer.accountId, email: null };
  const { email } = await call(identity.spellAddress, { email: buyer.email }, context);
  return { accountId: null, email };
};

/** What has to be used first is no matter of time; whoever asks in a loop is slowed down to once a day. */
const refuseNewAccount = async ({ db, call }: Deps, accountId: string, context: Context): Promise<void> => {
  if ((await countStanding(db, accountId)) === 0) return;
  const { spent } = await call(creditsLedger.getSpending, { accountId }, context);
  if (spent < CREDITS_BEFORE_SECOND_PURCHASE)
    throw serviceError('new_account_purchase_limit', { retryAfterSeconds: DAY_SECONDS });
};

const inProgress = async ({ db }: Deps, accountId: string | null, now: Date) => {
  const open = accountId === null ? null : await findOpen(db, accountId);
  const until = open?.state === 'open' ? open.expiresAt : later(open?.createdAt ?? now, OPENING_MS);
  return serviceError('purchase_in_progress', {
    retryAfterSeconds: secondsUntil(until, now),
    extras: { checkout_url: open?.pageUrl ?? null },
  });
};

type Opening = { readonly buyer: Buyer; readonly price: Price; readonly customerId: string | null };

/** The row comes first, so that of two who ask at once one is refused, and whatever is paid has a row. */
const insert = async (
  deps: Deps,
  { block, idempotencyKey }: Request,
  { buyer, price, customerId }: Opening,
) => {
  const now = deps.now();
  const { amount, currency } = price;
  const expiresAt = later(now, CHECKOUT_MS + SPARE_MS);
  const sold = { ...buyer, id: newId(), block, amount, currency, customerId, idempotencyKey };
  const purchase = { ...sold, createdAt: now, expiresAt };
  if (!(await insertOpening(deps.db, purchase))) throw await inProgress(deps, buyer.accountId, now);
  return purchase;
};

/** The page that the same request has opened before; null if there is none. */
const repeated = async (deps: Deps, buyer: Buyer, { idempotencyKey }: Request): Promise<Reply | null> => {
  const made = idempotencyKey === null ? null : await findRepeated(deps.db, buyer, idempotencyKey);
  if (made === null) return null;
  if (made.pageUrl === null) throw await inProgress(deps, buyer.accountId, deps.now());
  const expiresAt = made.expiresAt.toISOString();
  return { checkoutUrl: made.pageUrl, purchaseId: made.id, expiresAt, isReplayed: true };
};

export const openCheckout = onCommand(billing.openCheckout, async (deps: Deps, request, context) => {
  const buyer = await buyerOf(deps, request, context);
  const before = await repeated(deps, buyer, request);
  if (before !== null) return before;
  await refuseCrowd(deps, request.clientAddress);
  if (buyer.accountId !== null) await refuseNewAccount(deps, buyer.accountId, context);
  const price = await deps.prices.of(request.block);
  const customerId = buyer.accountId === null ? null : await customerOf(deps, buyer.accountId);
  const { id: purchaseId, expiresAt } = await insert(deps, request, { buyer, price, customerId });
  context.record.add({ purchaseId, block: request.block });
  const checkout = { ...buyer, purchaseId, block: request.block, priceId: price.id, expiresAt, customerId };
  const session = await deps.processor.openSession(checkout).catch(async (error: unknown) => {
    // Nobody has seen its page, if there is one, so that nobody can pay there: the account may begin anew at once.
    await markExpired(deps.db, purchaseId, deps.now());
    throw error;
  });
  if (!session.url) throw serviceError('payment_response_invalid');
  const checkoutUrl = session.url;
  await markOpen(deps.db, purchaseId, { sessionId: session.id, pageUrl: checkoutUrl });
  return { checkoutUrl, purchaseId, expiresAt: expiresAt.toISOString(), isReplayed: false };
});
