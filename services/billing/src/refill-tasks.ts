import { billing, creditsLedger, DAY_MS, HOUR_MS, identity, newId, uuid } from '@tds/contracts';
import { onTask } from '@tds/kit';
import { type Context, crashPoint, type TaskContext } from '@tds/messaging';
import { z } from 'zod';
import {
  readAnswer,
  recreateRefills,
  refillIdOf,
  saveIntents,
  saveRefusal,
} from './application/refill-payments.ts';
import {
  endRefill,
  enqueueCharging,
  enqueueDetaching,
  isPayer,
  pauseRefill,
  reportRefill,
  saveRefill,
} from './application/refills.ts';
import type { Deps } from './deps.ts';
import { isWithinLimit, later } from './domain/checkout.ts';
import { CHARGEABLE_MS, isAffordable, monthOf } from './domain/refill.ts';
import { countPurchases } from './store/admission.ts';
import { findPurchase, findPurchases } from './store/purchases.ts';
import {
  findRefill,
  hasUnfinished,
  insertOpenRefill,
  lockRefill,
  type OpenRefill,
  type RunningRefill,
  sumRefills,
  toOpenRefill,
  toRunning,
} from './store/refills.ts';
import type { ChargeAnswer, PaymentIntent, SetupSession } from './upstream/wire.ts';

/** The newest version of the refill that the ledger has heard of, and whether the account is below its threshold. */
const askLedger = async ({ call }: Pick<Deps, 'call'>, accountId: string, context: Context) => {
  const { rows } = await call(creditsLedger.lookUpRefills, { accountIds: [accountId] }, context);
  return { version: rows[0]?.version ?? -1, isLow: rows[0]?.isLow ?? false };
};

/**
 * Follows a ledger that has heard of another version of a refill. It hears of a newer one again, as it may have been restored. If it
 * knows a newer one, this database was restored, and a person compares what they see.
 */
const followVersion = async ({ db, messaging, now }: Deps, accountId: string, version: number) => {
  const at = await now();
  await messaging.transaction(db, async (tx, send) => {
    const refill = toRunning(await lockRefill(tx, accountId));
    if (refill === null) return;
    if (version > Number(refill.version)) await pauseRefill({ tx, send, now: at }, refill, 'restored');
    else if (version < Number(refill.version)) await reportRefill(send, refill);
  });
};

/** Reads our rows before the ledger: a refill that is paid is unfinished until the ledger has its credits. */
const isDue = async (deps: Deps, refill: RunningRefill, context: Context): Promise<boolean> => {
  const { accountId, amount, monthlyLimit, version } = refill;
  if (await hasUnfinished(deps.db, accountId)) return false;
  const used = await sumRefills(deps.db, accountId, monthOf(await deps.now()));
  if (!isAffordable({ used, amount, monthlyLimit })) return false;
  const known = await askLedger(deps, accountId, context);
  if (known.version === Number(version)) return known.isLow;
  await followVersion(deps, accountId, known.version);
  return false;
};

/** Why a refill may not be charged: the price is another one than agreed to, or account or payer are gone. */
const findObstacle = async (
  deps: Deps,
  { accountId, personId, block, amount, currency }: RunningRefill,
  context: Context,
) => {
  const { prices, currency: sold } = deps.config;
  if (prices.get(block) !== amount || sold !== currency) return { pause: 'price_changed' } as const;
  const { account } = await deps.call(identity.getAccount, { accountId, keyId: null }, context);
  if (account.status === 'closed') return { end: 'account_closed' } as const;
  if (account.status === 'frozen') return { end: 'account_frozen' } as const;
  return (await isPayer(deps, { accountId, personId }, context)) ? null : ({ end: 'payer_removed' } as const);
};

/** Whether a refill may be charged now. Pauses or ends it if not. */
const mayCharge = async (deps: Deps, refill: RunningRefill, context: Context): Promise<boolean> => {
  const obstacle = await findObstacle(deps, refill, context);
  if (obstacle === null) return true;
  const now = await deps.now();
  await deps.messaging.transaction(deps.db, async (tx, send) => {
    if ('pause' in obstacle) await pauseRefill({ tx, send, now }, refill, obstacle.pause);
    else await endRefill({ tx, send, now }, refill.accountId, obstacle.end);
  });
  return false;
};

/** A new account must have spent credits before its second purchase; until then it is not refilled. */
const isRestrained = async ({ db, call }: Deps, accountId: string, context: Context): Promise<boolean> => {
  const { spent } = await call(creditsLedger.getSpending, { accountId }, context);
  return !isWithinLimit({ purchases: await countPurchases(db, accountId), spent });
};

/**
 * Saves refills that the processor lists as paid, and which a restore has lost here. Resolves to whether there were any: their credits
 * are to come, so nothing else is charged before.
 */
const saveListed = async (deps: Deps, { customerId }: RunningRefill): Promise<boolean> => {
  const since = later(monthOf(await deps.now()), -DAY_MS);
  const intents = await deps.processor.listRefillIntents(customerId, since);
  const paid = intents.filter(({ status }) => status === 'succeeded');
  const known = await findPurchases(deps.db, paid.map(refillIdOf));
  const knownIds = new Set(known.filter(({ state }) => state === 'paid').map(({ id }) => id));
  const unsaved = paid.filter((intent) => !knownIds.has(refillIdOf(intent)));
  if (unsaved.length === 0) return false;
  deps.log.error('the processor has paid refills that are missing here', { lost: unsaved.length });
  await recreateRefills(deps, unsaved);
  await saveIntents(deps, unsaved);
  return true;
};

/** Saves a refill under way, unless the refill has changed since it was read, or another worker has the task. */
const saveOpenRefill = async ({ db, messaging, now }: Deps, refill: RunningRefill, task: TaskContext) => {
  const { accountId, personId, block, amount, currency, monthlyLimit, customerId, paymentMethodId } = refill;
  const createdAt = await now();
  await messaging.transaction(db, async (tx, send) => {
    await task.complete(tx);
    const current = toRunning(await lockRefill(tx, accountId));
    const used = await sumRefills(tx, accountId, monthOf(createdAt));
    if (current?.version !== refill.version || !isAffordable({ used, amount, monthlyLimit })) return;
    const id = newId();
    const money = { block, amount, currency, customerId, paymentMethodId };
    const times = { createdAt, expiresAt: later(createdAt, CHARGEABLE_MS) };
    if (await insertOpenRefill(tx, { id, accountId, personId, ...money, ...times }))
      await enqueueCharging(send, id);
  });
};

export const refillAccount = onTask(billing.refillAccount, async (deps: Deps, { accountId }, task) => {
  const refill = toRunning(await findRefill(deps.db, accountId));
  if (refill === null || !(await isDue(deps, refill, task))) return;
  if (await isRestrained(deps, accountId, task)) return;
  if (!(await mayCharge(deps, refill, task)) || (await saveListed(deps, refill))) return;
  // What was saved meanwhile by an event counts, too.
  if (await isDue(deps, refill, task)) await saveOpenRefill(deps, refill, task);
});

/** The payment of a refill that an earlier attempt has begun, also if its answer was lost; null if there is none. */
const findIntent = async ({ processor }: Deps, { id, customerId, createdAt }: OpenRefill) => {
  const intents = await processor.listRefillIntents(customerId ?? '', later(createdAt, -HOUR_MS));
  return intents.find((intent) => refillIdOf(intent) === id) ?? null;
};

/** Charges the card, unless a person has turned refilling off or changed the card since; then it resolves to null. */
const charge = async (deps: Deps, open: OpenRefill, task: TaskContext): Promise<ChargeAnswer | null> => {
  const refill = toRunning(await findRefill(deps.db, open.accountId));
  if (refill?.paymentMethodId !== open.paymentMethodId) return null;
  if (open.expiresAt <= (await deps.now())) return { refused: 'processor_failed' };
  return (await mayCharge(deps, refill, task)) ? deps.processor.chargeCard(open) : null;
};

/** An unknown answer throws, and is repeated under the same key at the processor, after a look whether it was paid. */
export const chargeRefill = onTask(billing.chargeRefill, async (deps: Deps, { purchaseId }, task) => {
  const open = toOpenRefill(await findPurchase(deps.db, purchaseId));
  if (open === null) return;
  const answer: PaymentIntent | ChargeAnswer | null =
    (await findIntent(deps, open)) ?? (await charge(deps, open, task));
  crashPoint('refill-charged');
  if (answer === null) return saveRefusal(deps, open, null, task);
  const outcome = readAnswer(answer);
  // Its event or the next look ends it.
  if (outcome === 'awaited') return;
  if ('paid' in outcome) await saveIntents(deps, [outcome.paid], task);
  else await saveRefusal(deps, open, outcome.refused, task);
});

const setupMetadata = z.object({ account_id: uuid, person_id: uuid });

/** The card of a page that a person has completed; null if there is none, or none any more. */
const readCard = (session: SetupSession | null) => {
  const metadata = setupMetadata.safeParse(session?.metadata);
  const method = session?.setup_intent?.payment_method;
  const customerId = session?.customer;
  const isSetUp = session?.status === 'complete' && session.setup_intent?.status === 'succeeded';
  if (!metadata.success || !isSetUp || !method || !customerId || method.customer !== customerId) return null;
  const { account_id: accountId, person_id: personId } = metadata.data;
  return { accountId, personId, customerId, paymentMethodId: method.id };
};

export const saveCard = onTask(billing.saveCard, async (deps: Deps, { sessionId }, task) => {
  const card = readCard(await deps.processor.readSetup(sessionId));
  if (card === null) return;
  const { accountId, paymentMethodId } = card;
  const mayPay = await isPayer(deps, card, task);
  const { version } = await askLedger(deps, accountId, task);
  const now = await deps.now();
  await deps.messaging.transaction(deps.db, async (tx, send) => {
    await task.complete(tx);
    const refill = await lockRefill(tx, accountId);
    if (refill?.paymentMethodId === paymentMethodId) return;
    if (!mayPay || refill === null || refill.state === 'off') {
      await enqueueDetaching(send, paymentMethodId);
      return;
    }
    if (refill.paymentMethodId !== null) await enqueueDetaching(send, refill.paymentMethodId);
    // This database was restored, and a person has changed the rest since.
    const isOutdated = version > Number(refill.version);
    const state = isOutdated
      ? ({ state: 'paused', reason: 'restored' } as const)
      : ({ state: 'on', reason: null } as const);
    const { customerId, personId } = card;
    await saveRefill({ tx, send, now }, refill, { ...state, customerId, paymentMethodId, personId });
  });
});

export const detachCard = onTask(billing.detachCard, async ({ processor }: Deps, { paymentMethodId }) =>
  processor.detachCard(paymentMethodId),
);
