import { CREDITS_PER_TRANSCRIPT, creditsLedger, newId, type ReplyOf, type RequestOf } from '@tds/contracts';
import { type Context, crashPoint } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { LANES } from '../domain/operation.ts';
import { type Due, type DueRound, dueIsDone, saveUncollected } from '../store/dues.ts';

export const TRANSCRIPT_REASON = 'transcript';
/** What one row costs that has to be fetched. */
export const CREDITS_PER_ROW = CREDITS_PER_TRANSCRIPT;

export type Reserved = ReplyOf<typeof creditsLedger.reserveParts>;
type Reserving = Pick<
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

export const holdFor = ({ lineId, ...payer }: Payer) => ({
  ...payer,
  reason: TRANSCRIPT_REASON,
  jobId: lineId,
});

/** Holds the credits of these parts, as many as fit and in their order, or all that the key's cap leaves. Asked again under the same ref it changes nothing. */
export const reserveParts = (
  { call }: Pick<Deps, 'call'>,
  payer: Payer,
  asked: Reserving,
  context: Pick<Context, 'requestId' | 'accountId' | 'signal'>,
): Promise<Reserved> =>
  call(creditsLedger.reserveParts, { ...holdFor(payer), ...asked, unit: CREDITS_PER_ROW }, context);

type Needed = Pick<Deps, 'sql' | 'db' | 'call' | 'log'>;

/**
 * Tells the ledger which parts of reservations are charged and which are given back. Each part is resolved once for ever, so repeating
 * this changes nothing; what is not told now is told later.
 */
const tellLedger = async (deps: Needed, { id, rounds }: Due): Promise<void> => {
  for (const round of rounds) await tellRound(deps, round);
  crashPoint('ledger-told');
  await dueIsDone(deps.sql, id);
};

/** Tells it now; if that fails, it is told when it is due. */
export const tellSoon = (deps: Needed, due: Due): Promise<void> =>
  due.rounds.length === 0
    ? Promise.resolve()
    : tellLedger(deps, due).catch((error: unknown) =>
        deps.log.warn('the ledger could not be told yet', { dueId: due.id, error }),
      );

const tellRound = async (deps: Needed, round: DueRound): Promise<void> => {
  const { ref, charge, give_back: giveBack } = round;
  const context = { requestId: newId(), accountId: round.account_id, signal: new AbortController().signal };
  const request = { ref, charge: [...charge], giveBack: [...giveBack] };
  const { charged } = await deps.call(creditsLedger.resolveParts, request, context);
  const uncharged = charge.filter((part) => !charged.includes(part));
  if (uncharged.length > 0) await chargeAgain(deps, round, uncharged);
  // Disowned after it was charged.
  const refunded = giveBack.filter((part) => charged.includes(part));
  if (refunded.length > 0) await deps.call(creditsLedger.refundParts, { ref, parts: refunded }, context);
};

/** Charges by reference, once, what a ledger that went back in time has lost. */
const chargeAgain = async (
  deps: Needed,
  round: Pick<DueRound, 'ref' | 'lane' | 'line_id' | 'account_id' | 'key_id'>,
  parts: readonly number[],
): Promise<void> => {
  const hold = holdFor({
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
      if (isClosed(error)) return [];
      throw error;
    });
  const uncharged = parts.filter((part) => !charged.includes(part));
  if (uncharged.length > 0) await giveUp(deps, round, uncharged);
};

const isClosed = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'account_closed';

/** For a person to look at: nothing tries again. */
const giveUp = async (
  { db, log }: Needed,
  { ref, account_id: accountId }: Pick<DueRound, 'ref' | 'account_id'>,
  parts: readonly number[],
): Promise<void> => {
  const count = await saveUncollected(db, ref, parts);
  if (count > 0) log.error('deliveries cannot be charged any more', { ref, accountId, count });
};
