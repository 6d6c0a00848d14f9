import { billing, identity, payers, type RefillEnd, type RefillPause, type RefillReason } from '@tds/contracts';
import type { Context, Sender } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import { monthOf } from '../domain/refill.ts';
import type { Db } from '../store/database.ts';
import {
  changeRefill,
  lockRefill,
  type RefillChange,
  type StoredRefill,
  sumRefills,
} from '../store/refills.ts';
import type { Surface } from '../surface.ts';

/** An open transaction and the time that it counts as. */
export type RefillTransaction = { readonly tx: Db; readonly send: Sender<Surface>; readonly now: Date };

/** Changes a locked refill, and reports to the ledger from when on it buys. */
export const saveRefill = async (
  { tx, send, now }: RefillTransaction,
  refill: StoredRefill,
  change: RefillChange,
): Promise<StoredRefill> => {
  const changed = await changeRefill(tx, refill, change, now);
  await reportRefill(send, changed);
  return changed;
};

/** Reports the version of a refill to the ledger, with the threshold of one that buys. */
export const reportRefill = (
  send: Sender<Surface>,
  { accountId, state, threshold, version }: Pick<StoredRefill, 'accountId' | 'state' | 'threshold' | 'version'>,
) =>
  send.emit(billing.refillChanged, {
    ...{ accountId, threshold: state === 'on' ? threshold : null, version: Number(version) },
  });

/** Pauses a refill until a person acts, and mails that once. */
export const pauseRefill = async (
  transaction: RefillTransaction,
  { accountId }: Pick<StoredRefill, 'accountId'>,
  reason: RefillPause,
) => {
  const refill = await lockRefill(transaction.tx, accountId);
  if (refill?.state !== 'on') return;
  await saveRefill(transaction, refill, { state: 'paused', reason });
  await transaction.send.emit(billing.refillStopped, { accountId, reason });
};

/** Ends the refill of an account, and forgets its card here and at the processor. Without a reason a person has done it, and is not mailed. */
export const endRefill = async (
  transaction: RefillTransaction,
  accountId: string,
  reason: RefillEnd | null,
): Promise<StoredRefill | null> => {
  const { tx, send } = transaction;
  const refill = await lockRefill(tx, accountId);
  if (refill === null || refill.state === 'off') return refill;
  if (refill.paymentMethodId !== null) await enqueueDetaching(send, refill.paymentMethodId);
  if (reason !== null) await send.emit(billing.refillStopped, { accountId, reason });
  return saveRefill(transaction, refill, { state: 'off', reason, paymentMethodId: null });
};

export const enqueueDetaching = (send: Sender<Surface>, paymentMethodId: string) =>
  send.enqueue(billing.detachCard, { paymentMethodId }, { key: paymentMethodId });

/** Enqueues a look at an account that may have to be refilled. One that waits to be repeated comes now. */
export const enqueueRefilling = (send: Sender<Surface>, accountId: string) =>
  send.enqueue(billing.refillAccount, { accountId }, { key: accountId, moves: true });

export const enqueueCharging = (send: Sender<Surface>, purchaseId: string) =>
  send.enqueue(billing.chargeRefill, { purchaseId }, { key: purchaseId });

/** Whether a person still moves the money of the account. */
export const isPayer = async (
  { call }: Pick<Deps, 'call'>,
  { accountId, personId }: { readonly accountId: string; readonly personId: string },
  context: Context,
): Promise<boolean> => {
  const { people } = await call(identity.listPeople, { accountId }, context);
  return people.some(({ id, role }) => id === personId && payers.includes(role));
};

/** The refill as the account sees it. */
export const toRefill = async (
  { db, config, now }: Pick<Deps, 'db' | 'config' | 'now'>,
  accountId: string,
  refill: StoredRefill | null,
) => ({
  status: refill?.state ?? 'off',
  reason: (refill?.reason ?? null) as RefillReason | null,
  threshold: refill?.threshold ?? null,
  block: refill?.block ?? null,
  amount: refill?.amount ?? null,
  monthly_limit: refill?.monthlyLimit ?? null,
  used_this_month: await sumRefills(db, accountId, monthOf(await now())),
  currency: refill?.currency ?? config.currency,
  person_id: refill?.personId ?? null,
});
