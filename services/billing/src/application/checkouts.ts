import { setTimeout as pause } from 'node:timers/promises';
import { type billing, type ReplyOf, type RequestOf, serviceError } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { later, OPENING_MS, refuseOtherRequest, secondsUntil } from '../domain/checkout.ts';
import { findCustomer, saveCustomer } from '../store/customers.ts';
import { findOpen, findRepeated, markExpired, type StoredPurchase } from '../store/purchases.ts';

/** Who has asked for a page: an account, or a stranger, for whom nothing but the address is known. */
export type Buyer =
  | { readonly boughtBy: 'account'; readonly accountId: string; readonly email: null }
  | { readonly boughtBy: 'stranger'; readonly accountId: null; readonly email: string };

type Asked = Pick<RequestOf<typeof billing.openCheckout>, 'block' | 'idempotencyKey'>;
type Needed = Pick<Deps, 'db' | 'now'>;

const EVERY_MS = 100;
/** Shorter than a caller waits for the command. */
const MOST_MS = 15_000;

/** The refusal that names the page which the account has open, and when that ends. */
export const inProgress = async ({ db, now }: Needed, accountId: string | null) => {
  const at = await now();
  const open = accountId === null ? null : await findOpen(db, accountId);
  const until = open?.state === 'open' ? open.expiresAt : later(open?.createdAt ?? at, OPENING_MS);
  return serviceError('purchase_in_progress', {
    retryAfterSeconds: secondsUntil(until, at),
    extras: { checkout_url: open?.pageUrl ?? null },
  });
};

/**
 * The page that the same request has opened before, which is waited for while it is being opened; null if there is none. Throws
 * `idempotency_key_reused` if the key belongs to another block.
 */
export const repeatedCheckout = async (
  deps: Needed,
  buyer: Buyer,
  asked: Asked,
  signal: AbortSignal,
): Promise<ReplyOf<typeof billing.openCheckout> | null> => {
  const { block, idempotencyKey } = asked;
  if (idempotencyKey === null) return null;
  for (let waitedMs = 0; waitedMs < MOST_MS; waitedMs += EVERY_MS) {
    const made = await findRepeated(deps.db, { ...buyer, block }, idempotencyKey);
    if (made === null) return null;
    refuseOtherRequest(made, asked);
    const { pageUrl: checkoutUrl, id: purchaseId, amount, currency } = made;
    const expiresAt = made.expiresAt.toISOString();
    if (checkoutUrl !== null)
      return { checkoutUrl, purchaseId, expiresAt, block, amount, currency, isReplayed: true };
    await pause(EVERY_MS, undefined, { signal });
  }
  throw await inProgress(deps, buyer.accountId);
};

/** The processor's customer of an account; made on its first use, and the same for all who ask at once. */
export const customerOf = async (
  { db, processor }: Pick<Deps, 'db' | 'processor'>,
  accountId: string,
): Promise<string> => {
  const known = await findCustomer(db, accountId);
  if (known !== null) return known;
  const { id } = await processor.makeCustomer(accountId);
  await saveCustomer(db, accountId, id);
  return (await findCustomer(db, accountId)) ?? id;
};

/** Closes an open page at the processor, then here. Resolves to false, with nothing changed, if it is paid there already. */
export const closePage = async (
  { db, processor, now }: Pick<Deps, 'db' | 'processor' | 'now'>,
  { id, sessionId }: Pick<StoredPurchase, 'id' | 'sessionId'>,
): Promise<boolean> => {
  if (sessionId === null || !(await processor.closeSession(sessionId))) return false;
  await markExpired(db, id, await now());
  return true;
};
