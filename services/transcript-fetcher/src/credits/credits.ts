import { CREDITS_PER_TRANSCRIPT, creditsLedger, newId, type ReplyOf, type RequestOf } from '@tds/contracts';
import { hasCode } from '@tds/errors';
import { type Context, crashPoint } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import {
  completeSettlement,
  type Settlement,
  type SettlementItem,
  saveUncollected,
} from './store/settlements.ts';

export const TRANSCRIPT_REASON = 'transcript';
/** The price of a row that has to be fetched. */
export const CREDITS_PER_ROW = CREDITS_PER_TRANSCRIPT;

export type ReservationReply = ReplyOf<typeof creditsLedger.reserveItems>;
type ReservationItems = Pick<
  RequestOf<typeof creditsLedger.reserveItems>,
  'items' | 'coverage' | 'subject' | 'limitId' | 'dailyCreditCap'
>;

type Payer = {
  readonly ref: string;
  readonly accountId: string;
  readonly keyId: string | null;
  /** The job; null for a read. */
  readonly batchId: string | null;
  readonly requestId: string;
};

export const toHold = ({ batchId, ...payer }: Payer) => ({
  ...payer,
  reason: TRANSCRIPT_REASON,
  jobId: batchId,
});

/** Holds the credits of items in their order, as many as balance and cap allow. A repeat under the same ref changes nothing. */
export const reserveItems = (
  { call }: Pick<Deps, 'call'>,
  payer: Payer,
  reservation: ReservationItems,
  context: Pick<Context, 'requestId' | 'accountId' | 'signal'>,
): Promise<ReservationReply> =>
  call(creditsLedger.reserveItems, { ...toHold(payer), ...reservation, unit: CREDITS_PER_ROW }, context);

type SettleDeps = Pick<Deps, 'sql' | 'db' | 'call' | 'log'>;

/**
 * Resolves items of reservations at the ledger: charged or released. Each item is resolved once for ever, so a repeat changes nothing.
 * After a failure it is tried again later.
 */
const settle = async (deps: SettleDeps, { id, reservations }: Settlement): Promise<void> => {
  for (const reservation of reservations) await settleReservation(deps, reservation);
  crashPoint('ledger-settled');
  await completeSettlement(deps.sql, id);
};

/** Settles now; after a failure, when it is due again. Never rejects. */
export const settleNow = (deps: SettleDeps, settlement: Settlement): Promise<void> =>
  settlement.reservations.length === 0
    ? Promise.resolve()
    : settle(deps, settlement).catch((error: unknown) =>
        deps.log.warn('settling with the ledger failed, will retry', { settlementId: settlement.id, error }),
      );

const settleReservation = async (deps: SettleDeps, reservation: SettlementItem): Promise<void> => {
  const { ref, charge, release } = reservation;
  const context = {
    requestId: newId(),
    accountId: reservation.account_id,
    signal: new AbortController().signal,
  };
  const request = { ref, charge: [...charge], release: [...release] };
  const { charged } = await deps.call(creditsLedger.resolveItems, request, context);
  const uncharged = charge.filter((item) => !charged.includes(item));
  if (uncharged.length > 0) await chargeAgain(deps, reservation, uncharged);
  // The request was waived after its charge.
  const refunded = release.filter((item) => charged.includes(item));
  if (refunded.length > 0) await deps.call(creditsLedger.refundItems, { ref, items: refunded }, context);
};

/** Charges items again, once per reference, that a restored ledger has lost. */
const chargeAgain = async (
  deps: SettleDeps,
  reservation: Pick<SettlementItem, 'ref' | 'priority' | 'batch_id' | 'account_id' | 'key_id'>,
  items: readonly number[],
): Promise<void> => {
  const hold = toHold({
    ref: reservation.ref,
    accountId: reservation.account_id,
    keyId: reservation.key_id,
    batchId: reservation.priority === 'jobs' ? reservation.batch_id : null,
    requestId: newId(),
  });
  const context = {
    requestId: hold.requestId,
    accountId: reservation.account_id,
    signal: new AbortController().signal,
  };
  const request = { ...hold, unit: CREDITS_PER_ROW, items: [...items] };
  const charged = await deps
    .call(creditsLedger.chargeItems, request, context)
    .then((reply) => reply.charged)
    .catch((error: unknown): number[] => {
      if (hasCode(error, 'account_closed')) return [];
      throw error;
    });
  const uncharged = items.filter((item) => !charged.includes(item));
  if (uncharged.length > 0) await giveUp(deps, reservation, uncharged);
};

/** Final: nothing retries. The error in the log is for an operator. */
const giveUp = async (
  { db, log }: SettleDeps,
  { ref, account_id: accountId }: Pick<SettlementItem, 'ref' | 'account_id'>,
  items: readonly number[],
): Promise<void> => {
  const count = await saveUncollected(db, ref, items);
  if (count > 0) log.error('deliveries can no longer be charged', { ref, accountId, count });
};
