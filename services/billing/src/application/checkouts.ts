import { setTimeout as delay } from 'node:timers/promises';
import { type billing, type ReplyOf, type RequestOf, SECOND_MS } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { Deps } from '../deps.ts';
import { later, OPENING_MS, refuseOtherRequest, secondsUntil } from '../domain/checkout.ts';
import { findOpen, findRepeated, markExpired } from '../store/checkouts.ts';
import { findCustomer, saveCustomer } from '../store/customers.ts';
import type { StoredPurchase } from '../store/purchases.ts';

/** The account that buys, or the address that a stranger buys for. */
export type CheckoutBuyer =
  | { readonly boughtBy: 'account'; readonly accountId: string; readonly email: null }
  | { readonly boughtBy: 'stranger'; readonly accountId: null; readonly email: string };

type CheckoutRequest = Pick<RequestOf<typeof billing.openCheckout>, 'block' | 'idempotencyKey'>;

const POLL_MS = 100;
/** Shorter than a caller waits for the command. */
const MAX_WAIT_MS = 15 * SECOND_MS;

/** The `purchase_in_progress` error, with the account's open page and the seconds until it ends. */
export const inProgressError = async ({ db, now }: Pick<Deps, 'db' | 'now'>, accountId: string | null) => {
  const at = await now();
  const open = accountId === null ? null : await findOpen(db, accountId);
  const until = open?.state === 'open' ? open.expiresAt : later(open?.createdAt ?? at, OPENING_MS);
  return serviceError('purchase_in_progress', {
    retryAfterSeconds: secondsUntil(until, at),
    extras: { checkout_url: open?.pageUrl ?? null },
  });
};

type OpenPurchase = Pick<StoredPurchase, 'id' | 'block' | 'amount' | 'currency' | 'expiresAt'> & {
  readonly pageUrl: string;
};

/** The open page as customers see it. */
export const toCheckout = ({ pageUrl, id, block, amount, currency, expiresAt }: OpenPurchase) => ({
  checkout_url: pageUrl,
  purchase_id: id,
  block,
  amount,
  currency,
  expires_at: expiresAt.toISOString(),
});

/**
 * Finds the page that an earlier request with the same key opened, and waits while it is opening; null if there is none. Throws
 * `idempotency_key_reused` if the key was used for another block, and `purchase_in_progress` after 15 seconds.
 */
export const replayCheckout = async (
  deps: Pick<Deps, 'db' | 'now'>,
  buyer: CheckoutBuyer,
  request: CheckoutRequest,
  signal: AbortSignal,
): Promise<ReplyOf<typeof billing.openCheckout> | null> => {
  const { block, idempotencyKey } = request;
  if (idempotencyKey === null) return null;
  for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += POLL_MS) {
    const purchase = await findRepeated(deps.db, { ...buyer, block }, idempotencyKey);
    if (purchase === null) return null;
    refuseOtherRequest(purchase, request);
    const { pageUrl } = purchase;
    if (pageUrl !== null) return { checkout: toCheckout({ ...purchase, pageUrl }), isReplayed: true };
    await delay(POLL_MS, undefined, { signal });
  }
  throw await inProgressError(deps, buyer.accountId);
};

/** The processor's customer of an account, created on first use. Concurrent calls resolve to the same customer. */
export const findOrCreateCustomer = async (
  { db, processor }: Pick<Deps, 'db' | 'processor'>,
  accountId: string,
): Promise<string> => {
  const customerId = await findCustomer(db, accountId);
  if (customerId !== null) return customerId;
  const { id } = await processor.createCustomer(accountId);
  await saveCustomer(db, accountId, id);
  return (await findCustomer(db, accountId)) ?? id;
};

/** Closes an open page at the processor, then here. Resolves to false and changes nothing if it is paid or about to be. */
export const closePage = async (
  { db, processor, now }: Pick<Deps, 'db' | 'processor' | 'now'>,
  { id, sessionId }: Pick<StoredPurchase, 'id' | 'sessionId'>,
): Promise<boolean> => {
  if (sessionId === null || !(await processor.closeSession(sessionId))) return false;
  await markExpired(db, id, await now());
  return true;
};
