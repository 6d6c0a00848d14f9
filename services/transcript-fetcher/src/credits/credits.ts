import { CREDITS_PER_TRANSCRIPT, creditsLedger, newId, type ReplyOf, type RequestOf } from '@tds/contracts';
import { hasCode } from '@tds/errors';
import { type Context, crashPoint } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import {
  completeSettlement,
  type Reservation,
  type Settlement,
  type SettlementItem,
  saveUncollected,
} from './store/settlements.ts';

export const TRANSCRIPT_REASON = 'transcript';
/** The price of a row that has to be fetched. */
export const CREDITS_PER_ROW = CREDITS_PER_TRANSCRIPT;

type ReservationReply = ReplyOf<typeof creditsLedger.reserveItems>;
type ReservationItems = Pick<
  RequestOf<typeof creditsLedger.reserveItems>,
  'items' | 'coverage' | 'subject' | 'limitId' | 'dailyCreditCap'
>;

type Payer = {
  readonly ref: string;
  readonly accountId: string;
  readonly keyId: string | null;
  /** Null for a read. */
  readonly jobId: string | null;
  readonly requestId: string;
};

/** What the ledger charges for items of a row that is stored here. */
export const toCharge = (row: Reservation, items: readonly number[], requestId: string) => ({
  ref: row.ref,
  accountId: row.account_id,
  keyId: row.key_id,
  jobId: row.priority === 'jobs' ? row.batch_id : null,
  requestId,
  reason: TRANSCRIPT_REASON,
  unit: CREDITS_PER_ROW,
  items: [...items],
});

/** Holds the credits of items in their order, as many as balance and cap allow. A repeat under the same ref changes nothing. */
export const reserveItems = (
  { call }: Deps,
  payer: Payer,
  reservation: ReservationItems,
  context: Pick<Context, 'requestId' | 'accountId' | 'signal'>,
): Promise<ReservationReply> =>
  call(
    creditsLedger.reserveItems,
    { ...payer, ...reservation, reason: TRANSCRIPT_REASON, unit: CREDITS_PER_ROW },
    context,
  );

/**
 * Resolves items of reservations at the ledger: charged or released. Each item is resolved once for ever, so a repeat changes nothing.
 * After a failure it is tried again later.
 */
const settle = async (deps: Deps, { id, reservations }: Settlement): Promise<void> => {
  for (const reservation of reservations) await settleReservation(deps, reservation);
  crashPoint('ledger-settled');
  await completeSettlement(deps.sql, id);
};

/** Settles now; after a failure, when it is due again. Never rejects. */
export const settleNow = (deps: Deps, settlement: Settlement): Promise<void> =>
  settlement.reservations.length === 0
    ? Promise.resolve()
    : settle(deps, settlement).catch((error: unknown) =>
        deps.log.warn('settling with the ledger failed, will retry', { settlementId: settlement.id, error }),
      );

const settleReservation = async (deps: Deps, reservation: SettlementItem): Promise<void> => {
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
const chargeAgain = async (deps: Deps, reservation: Reservation, items: readonly number[]): Promise<void> => {
  const charge = toCharge(reservation, items, newId());
  const { requestId, accountId } = charge;
  const context = { requestId, accountId, signal: new AbortController().signal };
  const charged = await deps
    .call(creditsLedger.chargeItems, charge, context)
    .then((reply) => reply.charged)
    .catch((error: unknown): number[] => {
      if (hasCode(error, 'account_closed')) return [];
      throw error;
    });
  const uncharged = items.filter((item) => !charged.includes(item));
  if (uncharged.length > 0) await giveUp(deps, { ...charge, items: uncharged });
};

/** Final: nothing retries. The error in the log is for an operator. */
export const giveUp = async (
  { db, log }: Pick<Deps, 'db' | 'log'>,
  { ref, accountId, items }: Pick<ReturnType<typeof toCharge>, 'ref' | 'accountId' | 'items'>,
): Promise<void> => {
  const count = await saveUncollected(db, ref, items);
  if (count > 0) log.error('deliveries can no longer be charged', { ref, accountId, count });
};
