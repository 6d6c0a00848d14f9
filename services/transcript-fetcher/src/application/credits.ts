import { CREDITS_PER_TRANSCRIPT, creditsLedger, newId, type ReplyOf, type RequestOf } from '@tds/contracts';
import { hasCode } from '@tds/errors';
import { type Context, crashPoint } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import { LANES } from '../domain/operation.ts';
import {
  completeSettlement,
  type Settlement,
  type SettlementItem,
  saveUncollected,
} from '../store/settlements.ts';

export const TRANSCRIPT_REASON = 'transcript';
/** The price of a row that has to be fetched. */
export const CREDITS_PER_ROW = CREDITS_PER_TRANSCRIPT;

export type ReservationReply = ReplyOf<typeof creditsLedger.reserveParts>;
type ReservationParts = Pick<
  RequestOf<typeof creditsLedger.reserveParts>,
  'parts' | 'coverage' | 'subject' | 'limitId' | 'dailyCreditCap'
>;

type Payer = {
  readonly ref: string;
  readonly accountId: string;
  readonly keyId: string | null;
  /** The job; null for a read. */
  readonly lineId: string | null;
  readonly requestId: string;
};

export const toHold = ({ lineId, ...payer }: Payer) => ({
  ...payer,
  reason: TRANSCRIPT_REASON,
  jobId: lineId,
});

/** Holds the credits of parts in their order, as many as balance and cap allow. A repeat under the same ref changes nothing. */
export const reserveParts = (
  { call }: Pick<Deps, 'call'>,
  payer: Payer,
  reservation: ReservationParts,
  context: Pick<Context, 'requestId' | 'accountId' | 'signal'>,
): Promise<ReservationReply> =>
  call(creditsLedger.reserveParts, { ...toHold(payer), ...reservation, unit: CREDITS_PER_ROW }, context);

type SettleDeps = Pick<Deps, 'sql' | 'db' | 'call' | 'log'>;

/**
 * Resolves parts of reservations at the ledger: charged or released. Each part is resolved once for ever, so a repeat changes nothing.
 * After a failure it is tried again later.
 */
const settle = async (deps: SettleDeps, { id, rounds }: Settlement): Promise<void> => {
  for (const round of rounds) await settleRound(deps, round);
  crashPoint('ledger-settled');
  await completeSettlement(deps.sql, id);
};

/** Settles now; after a failure, when it is due again. Never rejects. */
export const settleNow = (deps: SettleDeps, settlement: Settlement): Promise<void> =>
  settlement.rounds.length === 0
    ? Promise.resolve()
    : settle(deps, settlement).catch((error: unknown) =>
        deps.log.warn('settling with the ledger failed, will retry', { settlementId: settlement.id, error }),
      );

const settleRound = async (deps: SettleDeps, round: SettlementItem): Promise<void> => {
  const { ref, charge, release } = round;
  const context = { requestId: newId(), accountId: round.account_id, signal: new AbortController().signal };
  const request = { ref, charge: [...charge], release: [...release] };
  const { charged } = await deps.call(creditsLedger.resolveParts, request, context);
  const uncharged = charge.filter((part) => !charged.includes(part));
  if (uncharged.length > 0) await chargeAgain(deps, round, uncharged);
  // The request was disowned after its charge.
  const refunded = release.filter((part) => charged.includes(part));
  if (refunded.length > 0) await deps.call(creditsLedger.refundParts, { ref, parts: refunded }, context);
};

/** Charges parts again, once per reference, that a restored ledger has lost. */
const chargeAgain = async (
  deps: SettleDeps,
  round: Pick<SettlementItem, 'ref' | 'lane' | 'line_id' | 'account_id' | 'key_id'>,
  parts: readonly number[],
): Promise<void> => {
  const hold = toHold({
    ref: round.ref,
    accountId: round.account_id,
    keyId: round.key_id,
    lineId: round.lane === LANES.jobs ? round.line_id : null,
    requestId: newId(),
  });
  const context = {
    requestId: hold.requestId,
    accountId: round.account_id,
    signal: new AbortController().signal,
  };
  const request = { ...hold, unit: CREDITS_PER_ROW, parts: [...parts] };
  const charged = await deps
    .call(creditsLedger.chargeParts, request, context)
    .then((reply) => reply.charged)
    .catch((error: unknown): number[] => {
      if (hasCode(error, 'account_closed')) return [];
      throw error;
    });
  const uncharged = parts.filter((part) => !charged.includes(part));
  if (uncharged.length > 0) await giveUp(deps, round, uncharged);
};

/** Final: nothing retries. The error in the log is for an operator. */
const giveUp = async (
  { db, log }: SettleDeps,
  { ref, account_id: accountId }: Pick<SettlementItem, 'ref' | 'account_id'>,
  parts: readonly number[],
): Promise<void> => {
  const count = await saveUncollected(db, ref, parts);
  if (count > 0) log.error('deliveries can no longer be charged', { ref, accountId, count });
};
