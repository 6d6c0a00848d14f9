import { randomUUID } from 'node:crypto';
import { createBatcher, isDatabaseAway, retry, retryThenSplit } from '@tds/base';
import { type AnsweredTranscript, MAX_TEXT_BYTES_IN_ANSWER, transcriptFetcher } from '@tds/contracts';
import { crashPoint } from '@tds/messaging';
import { settleNow } from '../credits/credits.ts';
import type { Deps } from '../deps.ts';
import { project, toDeliveredTranscript } from '../reads/answer-operation.ts';
import { forgetProjection } from './later-captions.ts';
import { type EndedRow, endRows } from './store/end-rows.ts';
import type { FinishedFetch } from './worker.ts';

type WakeDeps = Pick<Deps, 'bodies' | 'waiters' | 'log'>;

/**
 * Answers the callers of this process from memory; callers elsewhere query after a hint. Starts to write the projection first: a gateway
 * that is faster reads the object store.
 */
const wakeReads = (deps: WakeDeps, results: readonly FinishedFetch[], reads: readonly EndedRow[]): void => {
  if (reads.length === 0) return;
  const [result, ...remaining] = results;
  const file = remaining.length === 0 && result && reads.some(isFirst) ? toDeliveredFile(result) : null;
  if (file && result) {
    void project(deps, result.fetch, file.delivered, file.body).catch((error: unknown) =>
      deps.log.warn('writing a file to the projection failed', { error }),
    );
  }
  for (const read of reads)
    deps.waiters.wake(read.id, file && result ? toReadOutcome(result, read, file) : null);
};

const isFirst = ({ is_first: first }: EndedRow): boolean => first === true;

type DeliveredFile = { readonly delivered: AnsweredTranscript; readonly body: Buffer };

/** The file that the opener of the fetch waits for. */
const toDeliveredFile = ({ end: { track, choice }, rendered, fetch }: FinishedFetch): DeliveredFile | null =>
  track && choice && rendered
    ? { delivered: toDeliveredTranscript(fetch, track, choice, rendered.file), body: rendered.body }
    : null;

const toReadOutcome = (
  { fetch, end, readId }: FinishedFetch,
  read: EndedRow,
  { delivered, body }: DeliveredFile,
) => {
  const { videoId, language, fallback } = fetch;
  const operation = {
    id: read.id,
    videoId,
    language,
    fallback,
    format: read.format,
    state: 'delivered' as const,
    charge: read.charge,
    transcriptId: read.transcript_id,
    isFallback: end.choice?.isFallback ?? null,
    translation: end.choice?.translation ?? null,
    error: null,
    holdsCredit: false,
  };
  const isSmall = body.length <= MAX_TEXT_BYTES_IN_ANSWER;
  return {
    operation,
    delivered: isSmall ? { ...delivered, text: body.toString() } : delivered,
    isReportedToOpener: read.is_reported && read.id === readId,
  };
};

/** Ends of fetches for jobs wait this long, so that one statement saves several. */
const BATCH_DELAY_MS = 150;
const MAX_BATCH = 32;
/** Hundreds of times the duration of the statement. A caller whose wait ends sooner may have left by then. */
const MIN_REMAINING_MS = 1_000;

type EndFetchDeps = Pick<Deps, 'sql' | 'db' | 'objects' | 'bodies' | 'messaging' | 'waiters' | 'call' | 'log'>;

/** Stores objects, saves the ends, answers the waiting callers at once, and then settles with the ledger. */
const save = async (deps: EndFetchDeps, results: readonly FinishedFetch[]): Promise<void> => {
  // Two tracks may have the same cues.
  const objects = new Map(results.flatMap((result) => result.objects).map((object) => [object.key, object]));
  if (objects.size > 0) await deps.objects.putAll([...objects.values()]);
  crashPoint('fetch-stored');
  const settlementId = randomUUID();
  const reportTo = (id: string | null) => (id && deps.waiters.willOpenerWait(id, MIN_REMAINING_MS) ? id : null);
  const ends = results.map(({ end, readId }) => ({ ...end, reportTo: reportTo(readId) }));
  const { ended: rows, settlement } = await endRows(deps.sql, ends, settlementId);
  crashPoint('fetch-ended');
  const refreshes = results.filter(({ fetch: { cacheAnswer } }) => cacheAnswer.kind === 'refresh');
  await Promise.all(refreshes.map(({ fetch }) => forgetProjection(deps, fetch)));
  const reads = rows.filter(({ priority }) => priority === 'reads');
  wakeReads(
    deps,
    results,
    reads.filter(({ transcript_id: delivered }) => delivered !== null),
  );
  hint(deps, rows);
  const failedReads = reads.filter(({ transcript_id: delivered }) => delivered === null);
  // A failed read is answered after its credit is released, so no caller sees a balance without it.
  void settleNow(deps, { id: settlementId, reservations: settlement ?? [] }).then(() =>
    wakeReads(deps, results, failedReads),
  );
};

const hint = ({ messaging }: EndFetchDeps, rows: readonly EndedRow[]): void => {
  if (rows.length === 0) return;
  const reads = rows.filter(({ priority }) => priority === 'reads').map(({ id }) => id);
  const changes = rows.flatMap(({ batch_id: batchId, version, is_over: isOver }) =>
    batchId ? [[batchId, { batchId, version, isOver: isOver === true }] as const] : [],
  );
  messaging.hint(transcriptFetcher.rowsEnded, {
    reads,
    batches: [...new Map(changes).values()],
  });
};

/** An end is saved again for some seconds while a database is away, so that fetched tracks are not lost. */
const SAVE_RETRY = { retries: 5, firstMs: 200 };

/** Saves the end of a fetch: at once if a caller waits, else together with others. `isLast` saves all that wait. */
type EndFetch = (result: FinishedFetch, isLast: boolean) => Promise<void>;

export const createEndFetch = (deps: EndFetchDeps, saveRetry = SAVE_RETRY): EndFetch => {
  const retryOptions = { ...saveRetry, isTransient: isDatabaseAway };
  const saveAll = async (results: readonly FinishedFetch[]): Promise<null[]> => {
    await save(deps, results);
    return results.map(() => null);
  };
  let saveNow = (): void => {};
  const saveBatched = createBatcher({
    call: retryThenSplit(saveAll, retryOptions),
    maxBatch: MAX_BATCH,
    schedule: (start) => {
      saveNow = start;
      setTimeout(start, BATCH_DELAY_MS);
    },
  });
  return async (result, isLast) => {
    if (result.readId !== null) return await retry(() => save(deps, [result]), retryOptions);
    const saving = saveBatched(result);
    if (isLast) saveNow();
    await saving;
  };
};
