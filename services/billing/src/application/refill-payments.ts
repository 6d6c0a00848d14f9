import { billing, creditBlock, type RefillPause, SECOND_MS, uuid } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { TaskContext } from '@tds/messaging';
import { z } from 'zod';
import type { Deps, Transaction } from '../deps.ts';
import { monthOf, pauseOf, refuseOtherIntent } from '../domain/refill.ts';
import { markExpired } from '../store/checkouts.ts';
import {
  findStoredIds,
  lockPayments,
  lockPurchases,
  markPaid,
  type StoredPurchase,
} from '../store/purchases.ts';
import { findRefill, insertLostRefills, type OpenRefill, sumRefills, toOpenRefill } from '../store/refills.ts';
import type { ChargeAnswer, PaymentIntent } from '../upstream/wire.ts';
import { pauseRefill, type RefillTransaction } from './refills.ts';
import { enqueueGranting } from './settling.ts';

/** The metadata that `chargeCard` gives to the payment of a refill. */
const ownMetadata = z.object({
  purchase_id: uuid,
  account_id: uuid,
  person_id: uuid.optional(),
  block: z.coerce.number().pipe(creditBlock),
});

/** Reads the purchase of a refill's payment. Throws `payment_account_unknown` for one that is not ours. */
export const refillIdOf = ({ metadata }: PaymentIntent): string => {
  const own = ownMetadata.safeParse(metadata);
  if (!own.success) throw serviceError('payment_account_unknown');
  return own.data.purchase_id;
};

/** Applies a payment that has succeeded. Throws if it contradicts our refill; a repeat changes nothing. */
export const applyIntent = ({ purchases, payments }: Transaction, intent: PaymentIntent): string => {
  const id = refillIdOf(intent);
  const purchase = purchases.get(id);
  if (!purchase || purchase.paymentMethodId === null) throw serviceError('payment_account_unknown');
  refuseOtherIntent(purchase, intent);
  if (purchase.state === 'paid') return id;
  const payment = { sessionId: null, customerId: purchase.customerId, paymentIntentId: intent.id };
  payments.push({ id, ...payment, paidAt: new Date(intent.created * SECOND_MS) });
  purchases.set(id, { ...purchase, ...payment, state: 'paid' });
  return id;
};

/** Reports refills among purchases that have just been paid, with what is left of the money of the month. */
export const emitRefilled = async ({ tx, send, now }: RefillTransaction, paid: readonly StoredPurchase[]) => {
  for (const { id: purchaseId, accountId, paymentMethodId, block, amount, currency } of paid) {
    if (paymentMethodId === null || accountId === null) continue;
    const used = await sumRefills(tx, accountId, monthOf(now));
    const left = Math.max(0, ((await findRefill(tx, accountId))?.monthlyLimit ?? 0) - used);
    await send.emit(billing.accountRefilled, { accountId, purchaseId, block, amount, currency, left });
  }
};

type RecreationDeps = Pick<Deps, 'db' | 'processor' | 'now'>;

const readLost = async ({ processor }: RecreationDeps, { id }: PaymentIntent) => {
  const intent = await processor.readIntent(id);
  const own = ownMetadata.safeParse(intent?.metadata);
  if (intent?.status !== 'succeeded' || !own.success || !intent.payment_method)
    throw serviceError('payment_account_unknown');
  const { purchase_id: refillId, account_id: accountId, person_id: personId = null, block } = own.data;
  const { amount, currency, customer: customerId = null, payment_method: paymentMethodId } = intent;
  const createdAt = new Date(intent.created * SECOND_MS);
  const money = { block, amount, currency, customerId, paymentMethodId };
  return { id: refillId, accountId, personId, ...money, createdAt, expiresAt: createdAt };
};

/** Recreates the refills among these payments that a restore has lost here; they are read again instead of trusting an event. */
export const recreateRefills = async (deps: RecreationDeps, intents: readonly PaymentIntent[]) => {
  if (intents.length === 0) return;
  const storedIds = await findStoredIds(deps.db, intents.map(refillIdOf));
  const lost = intents.filter((intent) => !storedIds.has(refillIdOf(intent)));
  const refills = await Promise.all(lost.map((intent) => readLost(deps, intent)));
  if (refills.length > 0) await insertLostRefills(deps.db, refills, await deps.now());
};

type PaymentDeps = Pick<Deps, 'db' | 'messaging' | 'now'>;

/** Saves payments that the processor has answered or listed. A repeat, or their events, change nothing more. */
export const saveIntents = async (
  { db, messaging, now }: PaymentDeps,
  intents: readonly PaymentIntent[],
  task?: TaskContext,
) => {
  const at = await now();
  await messaging.transaction(db, async (tx, send) => {
    await lockPayments(
      tx,
      intents.map(({ id }) => id),
    );
    const purchases = await lockPurchases(tx, { ids: intents.map(refillIdOf) });
    const transaction: Transaction = { tx, send, now: at, purchases, payments: [] };
    for (const intent of intents) applyIntent(transaction, intent);
    const paidIds = transaction.payments.map(({ id }) => id);
    await markPaid(tx, transaction.payments, at);
    await emitRefilled(
      transaction,
      paidIds.flatMap((id) => purchases.get(id) ?? []),
    );
    await enqueueGranting(send, paidIds);
    await task?.complete(tx);
  });
};

/** Ends a refill that the processor has refused or was never asked for, and pauses refilling by that card. */
export const saveRefusal = async (
  { db, messaging, now }: PaymentDeps,
  { id, accountId, paymentMethodId }: OpenRefill,
  reason: RefillPause | null,
  task: TaskContext,
) => {
  const at = await now();
  await messaging.transaction(db, async (tx, send) => {
    const isOpen = toOpenRefill((await lockPurchases(tx, { ids: [id] })).get(id)) !== null;
    if (isOpen) await markExpired(tx, id, at);
    const refill = isOpen && reason !== null ? await findRefill(tx, accountId) : null;
    // Another card may have been set up meanwhile.
    if (reason !== null && refill?.paymentMethodId === paymentMethodId)
      await pauseRefill({ tx, send, now: at }, { accountId }, reason);
    await task.complete(tx);
  });
};

/** What an answer says of a charge: paid, refused with its reason, or neither yet. */
export const readAnswer = (
  answer: ChargeAnswer,
): { readonly paid: PaymentIntent } | { readonly refused: RefillPause } | 'awaited' => {
  if ('refused' in answer) return answer;
  if (answer.status === 'succeeded') return { paid: answer };
  if (answer.status === 'processing') return 'awaited';
  // No one has its secret, so a payment that waits for a person is never paid.
  if (answer.status === 'requires_action') return { refused: 'authentication_required' };
  return { refused: pauseOf(answer.last_payment_error ?? {}) };
};
