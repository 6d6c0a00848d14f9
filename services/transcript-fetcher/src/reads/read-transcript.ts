import { randomUUID } from 'node:crypto';
import { retryConflicts, toServiceError } from '@tds/base';
import {
  availableCredits,
  type RequestOf,
  type TranscriptAnswer,
  transcriptFetcher,
  utcDay,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { hasBegunNothing } from '@tds/kit';
import { type Context, crashPoint } from '@tds/messaging';
import { CREDITS_PER_ROW, type ReservationReply, reserveItems } from '../credits/credits.ts';
import { buildScopes, scopeRefusal } from '../credits/domain/cold-caps.ts';
import { reservationShortage } from '../credits/domain/shortage.ts';
import type { Deps } from '../deps.ts';
import { abandonedError } from '../domain/operation.ts';
import { type OpenedRow, type Opening, openRows } from '../fetches/store/rows.ts';
import { answerOperation } from './answer-operation.ts';
import { failRead } from './store/operations.ts';

type ReadRequest = RequestOf<typeof transcriptFetcher.getTranscript>;
type AnswerOptions = Pick<ReadRequest, 'waitMs' | 'format'>;

/**
 * Opens a cold read, or joins the account's open read of the same track, and waits for it; null if the cache may have an answer. Throws
 * refusals of daily caps and of the ledger, which begin and count nothing.
 */
export const readTranscript = async (
  deps: Deps,
  request: ReadRequest,
  context: Context,
): Promise<TranscriptAnswer | null> => {
  const at = deps.now();
  const scopes = buildScopes(request, at, deps.limits);
  const opening = toOpening(request, { day: utcDay(at), scopes }, { price: 1 });
  // Starts the heartbeat that `begin` needs while the row is opened and paid for.
  deps.worker.stayAlive().catch(() => {});
  const row = await open(deps, opening);
  if (row.state === 'known') return null;
  if (row.state === 'refused') throw scopeRefusal(scopes, row.full, deps.now());
  if (row.reservation === null) return await join(deps, row, request, context);
  crashPoint('read-opened');
  const ledgerReply = await reserve(deps, opening, request, context);
  crashPoint('read-reserved');
  return await begin(deps, opening, { ...request, creditsLeft: availableCredits(ledgerReply) }, context);
};

type WantedRead = Pick<Opening, 'accountId' | 'keyId' | 'language' | 'fallback' | 'format' | 'refresh'> & {
  readonly videoId: string;
  readonly requestId: string;
};

/** A read is a reservation of one row: its ref is its own id. */
const toOpening = (
  { accountId, keyId, language, fallback, format, refresh, requestId, videoId }: WantedRead,
  counters: Pick<Opening, 'day' | 'scopes'>,
  pricing: Pick<Opening['rows'][number], 'price' | 'isLost'>,
): Opening => ({
  priority: 'reads',
  batchId: null,
  accountId,
  keyId,
  language,
  fallback,
  format,
  refresh,
  reservation: requestId,
  ...counters,
  rows: [{ id: requestId, position: 0, videoId, ...pricing }],
});

const open = async ({ sql }: Pick<Deps, 'sql'>, opening: Opening): Promise<OpenedRow> => {
  const [row] = await retryConflicts(() => openRows(sql, opening));
  if (!row) throw new Error('open_rows returned no row');
  return row;
};

const join = (
  deps: Deps,
  { operationId }: OpenedRow,
  { waitMs, format }: AnswerOptions,
  context: Context,
): Promise<TranscriptAnswer> => {
  if (operationId === null) throw new Error('open_rows joined a read without an id');
  return answerOperation(deps, { id: operationId, isNew: false, waitMs, format, creditsLeft: null }, context);
};

const begin = async (
  deps: Deps,
  { reservation: id }: Opening,
  { waitMs, format, creditsLeft }: AnswerOptions & { readonly creditsLeft: number | null },
  context: Context,
): Promise<TranscriptAnswer> => {
  const answer = answerOperation(deps, { id, isNew: true, waitMs, format, creditsLeft }, context);
  // The wait starts before the row begins, so that its end is not missed.
  answer.catch(() => {});
  const hasBegun = await deps.worker.beginRead(id);
  if (!hasBegun) deps.messaging.hint(transcriptFetcher.rowsReady, { priority: 'reads' });
  return await answer;
};

/** Holds the read's credit within its key's limits, or fails the read. */
const reserve = async (
  deps: Deps,
  opening: Opening,
  { limitId, dailyCreditCap, ...request }: ReadRequest,
  context: Context,
): Promise<ReservationReply> => {
  const { reservation: ref, accountId, keyId, language } = opening;
  const payer = { ref, accountId, keyId, jobId: null, requestId: context.requestId };
  const subject = { video_id: request.videoId, language };
  try {
    const reservation = { items: [1], coverage: 'all' as const, subject, limitId, dailyCreditCap };
    const ledgerReply = await reserveItems(deps, payer, reservation, context);
    if (ledgerReply.held.length > 0) return ledgerReply;
    // `takeOverLostWork` took this read for lost and released its credit before it was held.
    const price = { required: CREDITS_PER_ROW, cap: dailyCreditCap ?? null };
    throw (
      reservationShortage(ledgerReply, price, deps.now())?.error ??
      serviceError('service_unavailable', { retryAfterSeconds: 1 })
    );
  } catch (thrown) {
    const error = toServiceError(thrown);
    const isDefinite = definiteRefusals.has(error.code) || hasBegunNothing(error);
    const failure = isDefinite ? error.data : abandonedError;
    // Nothing has begun, so nothing counts. Without a definite answer the ledger may hold the credit, so a settlement releases it.
    await failRead(deps.sql, ref, {
      error: failure,
      counters: opening,
      settlementId: isDefinite ? null : randomUUID(),
    });
    throw error;
  }
};

/** After these errors the ledger certainly holds nothing. */
const definiteRefusals: ReadonlySet<string> = new Set([
  'insufficient_credits',
  'account_frozen',
  'account_closed',
  'daily_credit_cap',
]);

/** Fetches a lost transcript again, or joins that fetch. It costs nothing and counts nowhere: it was paid for. */
export const restoreTranscript = async (
  deps: Deps,
  read: WantedRead,
): Promise<{ readonly id: string; readonly isNew: boolean }> => {
  const { requestId } = read;
  const opening = toOpening(read, { day: utcDay(deps.now()), scopes: [] }, { price: 0, isLost: true });
  const row = await open(deps, opening);
  const isNew = row.state === 'opened' && row.operationId === requestId;
  if (isNew) await deps.worker.beginRead(requestId);
  return { id: row.operationId ?? requestId, isNew };
};
