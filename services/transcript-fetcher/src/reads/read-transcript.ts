import { randomUUID } from 'node:crypto';
import { onlyRow, retryConflicts, toServiceError } from '@tds/base';
import {
  availableCredits,
  type creditsLedger,
  type ReplyOf,
  type RequestOf,
  type TranscriptAnswer,
  transcriptFetcher,
  utcDay,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { hasBegunNothing } from '@tds/kit';
import { type Context, crashPoint } from '@tds/messaging';
import {
  buildScopes,
  CREDITS_PER_ROW,
  reservationShortage,
  reserveItems,
  scopeRefusal,
} from '../credits/index.ts';
import { abandonedError } from '../domain/operation.ts';
import { type OpenedRow, type OpenRequest, openRows } from '../fetches/index.ts';
import { type AnswerRequest, answerOperation } from './answer-operation.ts';
import type { ReadDeps } from './deps.ts';
import { failRead } from './store/operations.ts';

type ReadRequest = RequestOf<typeof transcriptFetcher.getTranscript>;

/**
 * Opens a cold read, or joins the account's open read of the same track, and waits for it; null if the cache may have an answer. Throws
 * refusals of daily caps and of the ledger, which begin and count nothing.
 */
export const readTranscript = async (
  deps: ReadDeps,
  request: ReadRequest,
  context: Context,
): Promise<TranscriptAnswer | null> => {
  const at = deps.now();
  const scopes = buildScopes(request, at, deps.limits);
  const openRequest = toOpenRequest(request, { day: utcDay(at), scopes }, { price: 1 });
  // Starts the heartbeat that `begin` needs while the row is opened and paid for.
  deps.worker.stayAlive().catch(() => {});
  const row = await openRow(deps, openRequest);
  if (row.state === 'known') return null;
  if (row.state === 'refused') throw scopeRefusal(scopes, row.full, deps.now());
  const id = row.operationId ?? request.requestId;
  if (row.reservation === null)
    return await answerOperation(deps, { ...request, id, isNew: false, creditsLeft: null }, context);
  crashPoint('read-opened');
  const ledgerReply = await reserve(deps, openRequest, request, context);
  crashPoint('read-reserved');
  const creditsLeft = availableCredits(ledgerReply);
  return await begin(deps, { ...request, id, isNew: true, creditsLeft }, context);
};

type WantedRead = Pick<OpenRequest, 'accountId' | 'keyId' | 'language' | 'fallback' | 'format' | 'refresh'> & {
  readonly videoId: string;
  readonly requestId: string;
};

/** A read is a reservation of one row: its ref is its own id. */
const toOpenRequest = (
  { accountId, keyId, language, fallback, format, refresh, requestId, videoId }: WantedRead,
  counters: Pick<OpenRequest, 'day' | 'scopes'>,
  pricing: Pick<OpenRequest['rows'][number], 'price' | 'isLost'>,
): OpenRequest => ({
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

const openRow = async ({ sql }: ReadDeps, openRequest: OpenRequest): Promise<OpenedRow> =>
  onlyRow(await retryConflicts(() => openRows(sql, openRequest)));

const begin = async (deps: ReadDeps, request: AnswerRequest, context: Context): Promise<TranscriptAnswer> => {
  const answer = answerOperation(deps, request, context);
  // The wait starts before the row begins, so that its end is not missed.
  answer.catch(() => {});
  const hasBegun = await deps.worker.beginRead(request.id);
  if (!hasBegun) deps.messaging.hint(transcriptFetcher.rowsReady, { priority: 'reads' });
  return await answer;
};

/** Holds the read's credit within its key's limits, or fails the read. */
const reserve = async (
  deps: ReadDeps,
  openRequest: OpenRequest,
  { limitId, dailyCreditCap, ...request }: ReadRequest,
  context: Context,
): Promise<ReplyOf<typeof creditsLedger.reserveItems>> => {
  const { reservation: ref, accountId, keyId, language } = openRequest;
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
    // Nothing has begun, so nothing counts. Without a definite answer the ledger may hold the credit, so a settlement releases it.
    const failure = isDefinite
      ? { error: error.data, settlementId: null }
      : { error: abandonedError, settlementId: randomUUID() };
    await failRead(deps.sql, ref, { ...failure, counters: openRequest });
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
  deps: ReadDeps,
  read: WantedRead,
): Promise<{ readonly id: string; readonly isNew: boolean }> => {
  const { requestId } = read;
  const openRequest = toOpenRequest(read, { day: utcDay(deps.now()), scopes: [] }, { price: 0, isLost: true });
  const row = await openRow(deps, openRequest);
  const isNew = row.state === 'opened' && row.operationId === requestId;
  if (isNew) await deps.worker.beginRead(requestId);
  return { id: row.operationId ?? requestId, isNew };
};
