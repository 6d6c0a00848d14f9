import { retryConflicts } from '@tds/base';
import {
  availableCredits,
  creditsLedger,
  identity,
  type LineRow,
  newId,
  type OpeningRefusal,
  type ReplyOf,
  type RequestOf,
  transcriptFetcher,
  utcDay,
} from '@tds/contracts';
import { ServiceError, serviceError } from '@tds/errors';
import { type Context, crashPoint } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import { buildScopes, type Scope } from '../domain/cold-caps.ts';
import { keyRefusal, rowsRefusal, STOPPED, toRefusal, UNFINISHED } from '../domain/opening-refusal.ts';
import { LANES } from '../domain/operation.ts';
import { insufficientCredits, reservationShortage, type Shortage } from '../domain/shortage.ts';
import { findLine } from '../store/lines.ts';
import { holdRows, type OpenedRow, openRows, standInLine } from '../store/rows.ts';
import { saveDates } from '../store/transcripts.ts';
import { CREDITS_PER_ROW, reserveParts } from './credits.ts';

export type OpenRequest = RequestOf<typeof transcriptFetcher.openLine>;
type OpenLineReply = ReplyOf<typeof transcriptFetcher.openLine>;

/** A call that finds an earlier one unfinished completes that one first, and then opens its own rows. */
const MAX_ROUNDS = 3;

/** One round: the rows that a call opens, paid for by one reservation. */
type Round = {
  readonly request: OpenRequest;
  /** The reference of the reservation, unless an earlier round is unfinished. */
  readonly ref: string;
  readonly standing: ReplyOf<typeof identity.getKeyStanding>;
  readonly scopes: readonly Scope[];
  readonly paid: ReadonlySet<number>;
};

/** Opens rows of a job: counts them, holds their credits, and lets workers claim them. Known rows end at once and cost nothing. */
export const openLine = async (
  deps: Deps,
  request: OpenRequest,
  context: Context,
): Promise<OpenLineReply> => {
  const { accountId, keyId } = request;
  const standing = await deps.call(identity.getKeyStanding, { accountId, keyId }, context);
  const refusal = keyRefusal(standing);
  if (refusal) return await refuseAll(deps, request, refusal);
  const { tier, accountCreatedAt, limitId } = standing;
  const scopes = buildScopes({ accountId, limitId, tier, accountCreatedAt }, deps.now(), deps.limits);
  const paid = await findPaidPositions(deps, request, context);
  // Before the rows begin: each date spares its fetch a request to the platform.
  if (request.isAccepted) await saveDates(deps.sql, request.rows);
  for (let rounds = 0; rounds < MAX_ROUNDS; rounds += 1) {
    const reply = await openRound(deps, { request, ref: newId(), standing, scopes, paid }, context);
    if (!reply) continue;
    const videoIds = request.rows.map(({ videoId }) => videoId);
    void deps.laterCaptions.refresh({ videoIds, languages: [request.language], accountId });
    return reply;
  }
  throw serviceError('service_unavailable', { retryAfterSeconds: 1 });
};

const refuseAll = async (
  { sql }: Deps,
  { lineId, rows }: OpenRequest,
  refusal: OpeningRefusal,
): Promise<OpenLineReply> => ({
  version: (await findLine(sql, lineId))?.version ?? 0,
  unopened: rows.map(({ operationId }) => operationId),
  refusal,
  hasChanges: false,
});

/** Positions of rows already paid for, if this database has lost the job in a restore. */
const findPaidPositions = async (
  { call }: Deps,
  { lineId, accountId, rows, isForgotten, isDelivered }: OpenRequest,
  context: Context,
): Promise<ReadonlySet<number>> => {
  if (isDelivered) return new Set(rows.map(({ position }) => position));
  if (!isForgotten) return new Set();
  const { charged } = await call(creditsLedger.lookUpJob, { accountId, jobId: lineId }, context);
  return new Set(charged.map((part) => part - 1));
};

/** Null if this round completed an earlier one: the rows of this call are still to be opened. */
const openRound = async (deps: Deps, round: Round, context: Context): Promise<OpenLineReply | null> => {
  const { lineId } = round.request;
  const rows = await saveRound(deps, round);
  const unpaidRows = rows.filter((row) => row.round !== null);
  const shortage = await findShortage(deps, round, rows, context);
  const payment = shortage
    ? { held: [], refusal: shortageRefusal(shortage) }
    : await holdCredits(deps, round, unpaidRows, context);
  const droppedIds = await endRound(deps, round, unpaidRows, payment.held);
  if (rows.some(({ state, round: ref }) => state === 'ready' && ref === null))
    await standInLine(deps.sql, lineId);
  const refusedRows = rows.filter(({ state }) => state === 'refused');
  if (refusedRows.some(({ full }) => full === UNFINISHED)) return null;
  wakeWorkers(deps);
  const line = await findLine(deps.sql, lineId);
  return {
    version: line?.version ?? 0,
    unopened: [...refusedRows.map(({ rowId }) => rowId), ...droppedIds],
    refusal: payment.refusal ?? rowsRefusal(refusedRows, round.scopes, deps.now()),
    hasChanges: rows.some(({ state }) => state === 'delivered' || state === 'failed'),
  };
};

/** One statement, which also ends rows that are known. */
const saveRound = ({ sql, now }: Deps, { request, ref, scopes, paid }: Round): Promise<OpenedRow[]> => {
  const { lineId, accountId, keyId, language, fallback, format, isAccepted } = request;
  const toOpeningRow = ({ operationId: id, position, videoId }: LineRow) => {
    const price: 0 | 1 = paid.has(position) ? 0 : CREDITS_PER_ROW;
    return { id, position, videoId, price };
  };
  const head = { lane: LANES.jobs, lineId, isAccepted, accountId, keyId, language, fallback, format };
  const counters = { round: ref, day: utcDay(now()), scopes };
  return retryConflicts(() => openRows(sql, { ...head, ...counters, rows: request.rows.map(toOpeningRow) }));
};

/**
 * Refuses a new job that the account cannot pay in full, even if a daily cap leaves some rows for later. A repeat skips this: the first
 * call checked before it held credits.
 */
const findShortage = async (
  { call }: Deps,
  { request, ref, standing }: Round,
  rows: readonly OpenedRow[],
  context: Context,
): Promise<Shortage | null> => {
  const refusedRows = rows.filter(({ state }) => state === 'refused');
  const mayBeCut = refusedRows.length > 0 || standing.dailyCreditCap !== null;
  const isRepeat = rows.some(({ state, round }) => state === 'ready' && round !== ref);
  const isBlocked = refusedRows.some(({ full }) => full === UNFINISHED || full === STOPPED);
  if (request.isAccepted || !mayBeCut || isRepeat || isBlocked) return null;
  const required = refusedRows.length + rows.filter(({ round }) => round === ref).length;
  const balance = await call(creditsLedger.getBalance, { accountId: request.accountId }, context);
  const available = availableCredits(balance) / CREDITS_PER_ROW;
  return available < required ? insufficientCredits({ required, available, buyUrl: balance.buyUrl }) : null;
};

const shortageRefusal = ({ error, ...shortage }: Shortage): OpeningRefusal => toRefusal(error, shortage);

type Payment = { readonly held: readonly number[]; readonly refusal: OpeningRefusal | null };

/** Holds the credits of a round at the ledger: of a new job all or none, of an accepted one as many as there are. */
const holdCredits = async (
  deps: Deps,
  { request, standing }: Round,
  rows: readonly OpenedRow[],
  context: Context,
): Promise<Payment> => {
  const ref = rows[0]?.round ?? null;
  if (ref === null) return { held: [], refusal: null };
  crashPoint('line-opened');
  const { lineId, accountId, keyId, isAccepted } = request;
  const { limitId, dailyCreditCap: cap } = standing;
  const parts = rows.flatMap(({ part }) => part ?? []);
  const payer = { ref, accountId, keyId, lineId, requestId: context.requestId };
  const coverage = isAccepted ? ('some' as const) : ('all' as const);
  const reservation = { parts, coverage, dailyCreditCap: cap, ...(limitId === null ? {} : { limitId }) };
  try {
    const ledgerReply = await reserveParts(deps, payer, reservation, context);
    const shortage = reservationShortage(ledgerReply, { required: parts.length, cap }, deps.now());
    return { held: ledgerReply.held, refusal: shortage && shortageRefusal(shortage) };
  } catch (error) {
    if (!isAccountRefusal(error)) throw error;
    return { held: [], refusal: toRefusal(error) };
  }
};

const isAccountRefusal = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && (error.code === 'account_frozen' || error.code === 'account_closed');

/** Rows with held credits stand in line. Answers the others, which are dropped. */
const endRound = async (
  { sql }: Deps,
  { request: { lineId } }: Round,
  rows: readonly OpenedRow[],
  held: readonly number[],
): Promise<readonly string[]> => {
  const round = rows[0]?.round ?? null;
  if (round === null) return [];
  crashPoint('line-reserved');
  return await holdRows(sql, { lineId, round, held, rows: rows.map(({ rowId }) => rowId) });
};

/** Of this process and of others. */
const wakeWorkers = ({ worker, messaging }: Deps): void => {
  worker.wake(LANES.jobs);
  messaging.hint(transcriptFetcher.rowsReady, { lane: LANES.jobs });
};
