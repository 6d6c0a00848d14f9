import { retryConflicts } from '@tds/base';
import {
  availableCredits,
  type BatchRow,
  creditsLedger,
  identity,
  newId,
  type OpeningRefusal,
  type ReplyOf,
  type RequestOf,
  transcriptFetcher,
  utcDay,
} from '@tds/contracts';
import { ServiceError, serviceError } from '@tds/errors';
import { type Context, crashPoint } from '@tds/messaging';
import {
  buildScopes,
  CREDITS_PER_ROW,
  insufficientCredits,
  reservationShortage,
  reserveItems,
  type Scope,
  type Shortage,
} from '../credits/index.ts';
import { holdRows, type OpenedRow, openRows, queueBatch } from '../fetches/index.ts';
import { saveWatchedJob } from '../library/index.ts';
import type { ReadDeps } from '../reads/index.ts';
import { saveDates } from '../tracks/index.ts';
import { keyRefusal, rowsRefusal, STOPPED, toRefusal, UNFINISHED } from './opening-refusal.ts';
import { findBatch } from './store/batches.ts';

type SubmitBatchRequest = RequestOf<typeof transcriptFetcher.submitBatch>;
type SubmitBatchReply = ReplyOf<typeof transcriptFetcher.submitBatch>;

/** A call that finds an earlier one unfinished completes that one first, and then opens its own rows. */
const MAX_RESERVATIONS = 3;

/** One reservation: the rows that a call opens, paid for by one reservation. */
type Reservation = {
  readonly request: SubmitBatchRequest;
  /** The reference of the reservation, unless an earlier reservation is unfinished. */
  readonly ref: string;
  readonly phase: ReplyOf<typeof identity.getKeyPhase>;
  readonly scopes: readonly Scope[];
  readonly paid: ReadonlySet<number>;
};

/** Opens rows of a job: counts them, holds their credits, and lets workers claim them. Known rows end at once and cost nothing. */
export const submitBatch = async (
  deps: ReadDeps,
  request: SubmitBatchRequest,
  context: Context,
): Promise<SubmitBatchReply> => {
  const { accountId, keyId, batchId: jobId, monitorId } = request;
  const phase = await deps.call(identity.getKeyPhase, { accountId, keyId }, context);
  const refusal = keyRefusal(phase);
  if (refusal) return await refuseAll(deps, request, refusal);
  const { tier, accountCreatedAt, limitId } = phase;
  const scopes = buildScopes({ accountId, limitId, tier, accountCreatedAt }, deps.now(), deps.limits);
  if (monitorId) await saveWatchedJob(deps.sql, { jobId, accountId, monitorId });
  const paid = await findPaidPositions(deps, request, context);
  // Before the rows begin: each date spares its fetch a request to the platform.
  if (request.isAccepted) await saveDates(deps.sql, request.rows);
  for (let reservations = 0; reservations < MAX_RESERVATIONS; reservations += 1) {
    const reply = await openReservation(deps, { request, ref: newId(), phase, scopes, paid }, context);
    if (!reply) continue;
    const videoIds = request.rows.map(({ videoId }) => videoId);
    void deps.laterCaptions.refresh({ videoIds, languages: [request.language], accountId });
    return reply;
  }
  throw serviceError('service_unavailable', { retryAfterSeconds: 1 });
};

const refuseAll = async (
  { sql }: ReadDeps,
  { batchId, rows }: SubmitBatchRequest,
  refusal: OpeningRefusal,
): Promise<SubmitBatchReply> => ({
  version: (await findBatch(sql, batchId))?.version ?? 0,
  unopened: rows.map(({ operationId }) => operationId),
  refusal,
  hasChanges: false,
});

/** Positions of rows already paid for, if this database has lost the job in a restore. */
const findPaidPositions = async (
  { call }: ReadDeps,
  { batchId, accountId, rows, isForgotten, isDelivered }: SubmitBatchRequest,
  context: Context,
): Promise<ReadonlySet<number>> => {
  if (isDelivered) return new Set(rows.map(({ position }) => position));
  if (!isForgotten) return new Set();
  const { charged } = await call(creditsLedger.lookUpJob, { accountId, jobId: batchId }, context);
  return new Set(charged.map((item) => item - 1));
};

/** Null if this reservation completed an earlier one: the rows of this call are still to be opened. */
const openReservation = async (
  deps: ReadDeps,
  reservation: Reservation,
  context: Context,
): Promise<SubmitBatchReply | null> => {
  const { batchId } = reservation.request;
  const rows = await saveReservation(deps, reservation);
  const unpaidRows = rows.filter((row) => row.reservation !== null);
  const shortage = await findShortage(deps, reservation, rows, context);
  const payment = shortage
    ? { held: [], refusal: shortageRefusal(shortage) }
    : await holdCredits(deps, reservation, unpaidRows, context);
  const droppedIds = await endReservation(deps, reservation, unpaidRows, payment.held);
  if (rows.some(({ state, reservation: ref }) => state === 'ready' && ref === null))
    await queueBatch(deps.sql, batchId);
  const refusedRows = rows.filter(({ state }) => state === 'refused');
  if (refusedRows.some(({ full }) => full === UNFINISHED)) return null;
  wakeWorkers(deps);
  const batch = await findBatch(deps.sql, batchId);
  return {
    version: batch?.version ?? 0,
    unopened: [...refusedRows.map(({ rowId }) => rowId), ...droppedIds],
    refusal: payment.refusal ?? rowsRefusal(refusedRows, reservation.scopes, deps.now()),
    hasChanges: rows.some(({ state }) => state === 'delivered' || state === 'failed'),
  };
};

/** One statement, which also ends rows that are known. */
const saveReservation = (
  { sql, now }: ReadDeps,
  { request, ref, scopes, paid }: Reservation,
): Promise<OpenedRow[]> => {
  const { batchId, accountId, keyId, language, fallback, format, isAccepted } = request;
  const toRequestedRow = ({ operationId: id, position, videoId }: BatchRow) => {
    const price: 0 | 1 = paid.has(position) ? 0 : CREDITS_PER_ROW;
    return { id, position, videoId, price };
  };
  const head = { priority: 'jobs' as const, batchId, isAccepted, accountId, keyId, language, fallback, format };
  const counters = { reservation: ref, day: utcDay(now()), scopes };
  return retryConflicts(() => openRows(sql, { ...head, ...counters, rows: request.rows.map(toRequestedRow) }));
};

/**
 * Refuses a new job that the account cannot pay in full, even if a daily cap leaves some rows for later. A repeat skips this: the first
 * call checked before it held credits.
 */
const findShortage = async (
  { call }: ReadDeps,
  { request, ref, phase }: Reservation,
  rows: readonly OpenedRow[],
  context: Context,
): Promise<Shortage | null> => {
  const refusedRows = rows.filter(({ state }) => state === 'refused');
  const isCapped = phase.dailyCreditCap !== null || phase.isPersonCapped === true;
  const mayBeCut = refusedRows.length > 0 || isCapped;
  const isRepeat = rows.some(({ state, reservation }) => state === 'ready' && reservation !== ref);
  const isBlocked = refusedRows.some(({ full }) => full === UNFINISHED || full === STOPPED);
  if (request.isAccepted || !mayBeCut || isRepeat || isBlocked) return null;
  const required = refusedRows.length + rows.filter(({ reservation }) => reservation === ref).length;
  const balance = await call(creditsLedger.getBalance, { accountId: request.accountId }, context);
  const available = availableCredits(balance) / CREDITS_PER_ROW;
  return available < required ? insufficientCredits({ required, available, buyUrl: balance.buyUrl }) : null;
};

const shortageRefusal = ({ error, ...shortage }: Shortage): OpeningRefusal => toRefusal(error, shortage);

type Payment = { readonly held: readonly number[]; readonly refusal: OpeningRefusal | null };

/** Holds the credits of a reservation at the ledger: of a new job all or none, of an accepted one as many as there are. */
const holdCredits = async (
  deps: ReadDeps,
  { request, phase }: Reservation,
  rows: readonly OpenedRow[],
  context: Context,
): Promise<Payment> => {
  const ref = rows[0]?.reservation ?? null;
  if (ref === null) return { held: [], refusal: null };
  crashPoint('batch-opened');
  const { batchId, accountId, keyId, isAccepted } = request;
  const { limitId, dailyCreditCap: cap, payingKeyId = keyId } = phase;
  const items = rows.flatMap(({ item }) => item ?? []);
  const payer = { ref, accountId, keyId: payingKeyId, jobId: batchId, requestId: context.requestId };
  const coverage = isAccepted ? ('some' as const) : ('all' as const);
  const reservation = { items, coverage, dailyCreditCap: cap, ...(limitId === null ? {} : { limitId }) };
  try {
    const ledgerReply = await reserveItems(deps, payer, reservation, context);
    const shortage = reservationShortage(ledgerReply, { required: items.length, cap }, deps.now());
    return { held: ledgerReply.held, refusal: shortage && shortageRefusal(shortage) };
  } catch (error) {
    if (!isAccountRefusal(error)) throw error;
    return { held: [], refusal: toRefusal(error) };
  }
};

const isAccountRefusal = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && (error.code === 'account_frozen' || error.code === 'account_closed');

/** Rows with held credits are queued. Answers the others, which are dropped. */
const endReservation = async (
  { sql }: ReadDeps,
  { request: { batchId } }: Reservation,
  rows: readonly OpenedRow[],
  held: readonly number[],
): Promise<readonly string[]> => {
  const reservation = rows[0]?.reservation ?? null;
  if (reservation === null) return [];
  crashPoint('batch-reserved');
  return await holdRows(sql, { batchId, reservation, held, rows: rows.map(({ rowId }) => rowId) });
};

/** Of this process and of others. */
const wakeWorkers = ({ worker, messaging }: ReadDeps): void => {
  worker.wake('jobs');
  messaging.hint(transcriptFetcher.rowsReady, { priority: 'jobs' });
};
