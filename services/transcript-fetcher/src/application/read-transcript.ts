import { randomUUID } from 'node:crypto';
import {
  availableCredits,
  dailyCapError,
  type RequestOf,
  ServiceError,
  serviceError,
  type TranscriptAnswer,
  type TranscriptSelection,
  transcriptFetcher,
  utcDay,
} from '@tds/contracts';
import { type Context, crashPoint, hasBegunNothing, retryConflicts, toServiceError } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { scopeRefusal, scopesOf } from '../domain/cold-caps.ts';
import { abandonedError, LANES } from '../domain/operation.ts';
import type { Hit } from '../domain/transcript.ts';
import { look } from '../store/cache.ts';
import { failRead, mayRestore } from '../store/operations.ts';
import { type OpenedRow, type Opening, openRows } from '../store/rows.ts';
import { answerOperation, deliver } from './answer-operation.ts';
import { CREDITS_PER_ROW, type Reserved, reserveParts } from './credits.ts';

type ReadRequest = RequestOf<typeof transcriptFetcher.getTranscript>;
type Answerable = Pick<ReadRequest, 'waitMs' | 'format'>;

type Wanted = Pick<Opening, 'accountId' | 'keyId' | 'language' | 'fallback' | 'format'> & {
  readonly videoId: string;
  readonly requestId: string;
};
/** A read is a round of one row: its ref is its own id. */
const openingOf = (
  { accountId, keyId, language, fallback, format, requestId, videoId }: Wanted,
  counting: Pick<Opening, 'day' | 'scopes'>,
  priced: Pick<Opening['rows'][number], 'price' | 'isLost'>,
): Opening => ({
  lane: LANES.reads,
  lineId: null,
  accountId,
  keyId,
  language,
  fallback,
  format,
  round: requestId,
  ...counting,
  rows: [{ id: requestId, position: 0, videoId, ...priced }],
});

const open = async ({ sql }: Pick<Deps, 'sql'>, opening: Opening): Promise<OpenedRow> => {
  const [row] = await retryConflicts(() => openRows(sql, opening));
  if (!row) throw new Error('a row was opened and not answered');
  return row;
};

/**
 * Opens what has to be fetched, or joins what the account has under way for the same track, and waits for it; null if the cache may have
 * an answer. Throws the refusals of daily caps and of the ledger, having begun and counted nothing.
 */
export const readTranscript = async (
  deps: Deps,
  request: ReadRequest,
  context: Context,
): Promise<TranscriptAnswer | null> => {
  const at = deps.now();
  const scopes = scopesOf(request, at, deps.limits);
  const opening = openingOf(request, { day: utcDay(at), scopes }, { price: 1 });
  // Needed before it begins; until then there is enough else to wait for.
  deps.worker.stayAlive().catch(() => {});
  const row = await open(deps, opening);
  if (row.state === 'known') return null;
  if (row.state === 'refused') throw scopeRefusal(scopes, row.full, deps.now());
  if (row.round === null) return await join(deps, row, request, context);
  crashPoint('read-opened');
  const reserved = await reserve(deps, opening, request, context);
  crashPoint('read-reserved');
  return await begin(deps, opening, { ...request, creditsLeft: availableCredits(reserved) }, context);
};

const join = (
  deps: Deps,
  { operationId }: OpenedRow,
  { waitMs, format }: Answerable,
  context: Context,
): Promise<TranscriptAnswer> => {
  if (operationId === null) throw new Error('a read was joined that is not there');
  return answerOperation(deps, { id: operationId, isNew: false, waitMs, format, creditsLeft: null }, context);
};

const begin = async (
  deps: Deps,
  { round: id }: Opening,
  { waitMs, format, creditsLeft }: Answerable & { readonly creditsLeft: number | null },
  context: Context,
): Promise<TranscriptAnswer> => {
  const answer = answerOperation(deps, { id, isNew: true, waitMs, format, creditsLeft }, context);
  // It waits before the row begins, so that no end is missed.
  answer.catch(() => {});
  const hasBegun = await deps.worker.beginRead(id);
  if (!hasBegun) deps.messaging.hint(transcriptFetcher.rowsReady, { lane: LANES.reads });
  return await answer;
};

/** Holds the read's credit within the limits that its key has, or ends it. */
const reserve = async (
  deps: Deps,
  opening: Opening,
  { limitId, dailyCreditCap, ...request }: ReadRequest,
  context: Context,
): Promise<Reserved> => {
  const { round: ref, accountId, keyId, language } = opening;
  const payer = { ref, accountId, keyId, lineId: null, requestId: context.requestId };
  const subject = { video_id: request.videoId, language };
  try {
    const asked = { parts: [1], coverage: 'all' as const, subject, limitId, dailyCreditCap };
    const reserved = await reserveParts(deps, payer, asked, context);
    if (reserved.held.length > 0) return reserved;
    // Given back before it was held, by whoever took this read for lost.
    throw (
      shortageOf(reserved, dailyCreditCap, deps.now()) ??
      serviceError('service_unavailable', { retryAfterSeconds: 1 })
    );
  } catch (thrown) {
    const error = toServiceError(thrown);
    const isDefinite = definiteRefusals.has(error.code) || hasBegunNothing(error);
    const failure = isDefinite ? error.data : abandonedError;
    // Nothing was begun, so nothing counts. Without a definite answer the ledger may hold the credit: then it is given back.
    await failRead(deps.sql, ref, {
      error: failure,
      counted: opening,
      dueId: isDefinite ? null : randomUUID(),
    });
    throw error;
  }
};

const shortageOf = (
  { why, capLeft, buyUrl, ...balance }: Reserved,
  cap: ReadRequest['dailyCreditCap'],
  now: Date,
): ServiceError | null => {
  if (why === null) return null;
  const [required, available] = [CREDITS_PER_ROW, availableCredits(balance)];
  if (why === 'daily_credit_cap') return dailyCapError({ cap: cap ?? 0, left: capLeft ?? 0, required }, now);
  return serviceError(why, {
    extras: { required, available, shortfall: required - available, buy_url: buyUrl },
  });
};

/** After these the ledger certainly holds nothing, as where nobody was there to hear it. */
const definiteRefusals: ReadonlySet<string> = new Set([
  'insufficient_credits',
  'account_frozen',
  'account_closed',
  'daily_credit_cap',
]);

/** Fetches a lost transcript again, with everybody else who waits for it. It costs nothing and counts nowhere: it was paid for. */
export const restoreTranscript = async (
  deps: Deps,
  wanted: Wanted,
): Promise<{ readonly id: string; readonly isNew: boolean }> => {
  const { requestId } = wanted;
  const opening = openingOf(wanted, { day: utcDay(deps.now()), scopes: [] }, { price: 0, isLost: true });
  const row = await open(deps, opening);
  const isNew = row.state === 'opened' && row.operationId === requestId;
  if (isNew) await deps.worker.beginRead(requestId);
  return { id: row.operationId ?? requestId, isNew };
};

type Asked = TranscriptSelection & {
  readonly accountId: string;
  readonly keyId: string | null;
  /** Becomes the id of the work that fetches a lost transcript again. */
  readonly requestId: string;
  readonly waitMs: number;
  /** Nothing is to be fetched, not even what was lost. */
  readonly cacheOnly: boolean;
};

export const isLost = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === 'cache_object_missing';

/**
 * Answers from the cache, or null if that knows nothing; a standing fact about the video, and what a strict request
 * cannot get, are thrown. A transcript whose objects the store has lost is fetched again, for nothing.
 */
export async function serveCached(
  deps: Deps,
  asked: Asked,
  context: Context,
): Promise<TranscriptAnswer | null> {
  const known = await look(deps.sql, asked, deps.now());
  if (known.kind === 'failed') throw known.error;
  if (known.kind === 'unknown') return null;
  try {
    return await deliver(deps, asked, known.hit);
  } catch (error) {
    if (!isLost(error)) throw error;
    if (asked.cacheOnly) return null;
    // The platform is known not to have it either.
    if (known.fact) throw known.fact;
    return await restore(deps, asked, known.hit, context);
  }
}

async function restore(deps: Deps, asked: Asked, hit: Hit, context: Context): Promise<TranscriptAnswer> {
  const { id: transcriptId } = hit.transcript;
  const waitSeconds = (await mayRestore(deps.sql, [transcriptId])).get(transcriptId) ?? null;
  if (waitSeconds === null) {
    const { waitMs, format } = asked;
    const begun = await restoreTranscript(deps, asked);
    return await answerOperation(deps, { ...begun, waitMs, format, creditsLeft: null }, context);
  }
  // It may have come back between the look and this.
  return await deliver(deps, asked, hit).catch((error: unknown) => {
    if (!isLost(error)) throw error;
    throw serviceError('cache_object_missing', { retryAfterSeconds: waitSeconds });
  });
}
