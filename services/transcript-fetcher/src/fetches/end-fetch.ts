import { randomUUID } from 'node:crypto';
import { createBatcher, isDatabaseAway, retry, retryThenSplit } from '@tds/base';
import { transcriptFetcher } from '@tds/contracts';
import { crashPoint } from '@tds/messaging';
import { settleNow } from '../credits/index.ts';
import type { Deps } from '../deps.ts';
import type { StartedFetch } from '../domain/fetch.ts';
import { forgetProjection } from '../store/projection.ts';
import type { FetchResult } from '../tracks/index.ts';
import { type EndedRow, endRows } from './store/end-rows.ts';

/** The result with its fetch, and the read that opened it. */
export type FinishedFetch = FetchResult & { readonly fetch: StartedFetch; readonly readId: string | null };

/** Rows that have ended and may be answered, with the results of the fetches that ended them. */
export type RowsEnded = { readonly results: readonly FinishedFetch[]; readonly rows: readonly EndedRow[] };

/** The callers of this process that wait for reads; those elsewhere query after a hint. */
export type ReadCallers = {
  /** True if the request that opened the read will still be waiting in `ms`. */
  willOpenerWait(readId: string, ms: number): boolean;
  rowsEnded(event: RowsEnded): void;
};

/** Ends of fetches for jobs wait this long, so that one statement saves several. */
const BATCH_DELAY_MS = 150;
const MAX_BATCH = 32;
/** Hundreds of times the duration of the statement. A caller whose wait ends sooner may have left by then. */
const MIN_REMAINING_MS = 1_000;

/** An end is saved again for some seconds while a database is away, so that fetched tracks are not lost. */
const SAVE_RETRY = { retries: 5, firstMs: 200 };

export type EndFetchDeps = Deps & {
  readonly callers: ReadCallers;
  readonly saveRetry?: typeof SAVE_RETRY | undefined;
};

/** Stores objects, saves the ends, answers the waiting callers at once, and then settles with the ledger. */
const save = async (deps: EndFetchDeps, results: readonly FinishedFetch[]): Promise<void> => {
  const { callers } = deps;
  // Two tracks may have the same cues.
  const objects = new Map(results.flatMap((result) => result.objects).map((object) => [object.key, object]));
  if (objects.size > 0) await deps.objects.putAll([...objects.values()]);
  crashPoint('fetch-stored');
  const settlementId = randomUUID();
  const reportTo = (id: string | null) => (id && callers.willOpenerWait(id, MIN_REMAINING_MS) ? id : null);
  const ends = results.map(({ end, readId }) => ({ ...end, reportTo: reportTo(readId) }));
  const { ended: rows, settlement } = await endRows(deps.sql, ends, settlementId);
  crashPoint('fetch-ended');
  const refreshes = results.filter(({ fetch: { cacheAnswer } }) => cacheAnswer.kind === 'refresh');
  await Promise.all(refreshes.map(({ fetch }) => forgetProjection(deps, fetch)));
  const reads = rows.filter(({ priority }) => priority === 'reads');
  const [delivered, failed] = [reads.filter(isDelivered), reads.filter((read) => !isDelivered(read))];
  callers.rowsEnded({ results, rows: delivered });
  hint(deps, rows);
  // A failed read is answered after its credit is released, so no caller sees a balance without it.
  void settleNow(deps, { id: settlementId, reservations: settlement ?? [] }).then(() =>
    callers.rowsEnded({ results, rows: failed }),
  );
};

const isDelivered = ({ transcript_id: id }: EndedRow): boolean => id !== null;

const hint = ({ messaging }: EndFetchDeps, rows: readonly EndedRow[]): void => {
  if (rows.length === 0) return;
  const reads = rows.filter(({ priority }) => priority === 'reads').map(({ id }) => id);
  const changes = rows.flatMap(({ batch_id: batchId, version, is_over: isOver }) =>
    batchId ? [[batchId, { batchId, version, isOver: isOver === true }] as const] : [],
  );
  messaging.hint(transcriptFetcher.rowsEnded, { reads, batches: [...new Map(changes).values()] });
};

/** Saves the end of a fetch: at once if a caller waits, else together with others; `flush` saves all that wait. */
export type EndFetch = (result: FinishedFetch, flush: boolean) => Promise<void>;

export const createEndFetch = (deps: EndFetchDeps): EndFetch => {
  const retryOptions = { ...(deps.saveRetry ?? SAVE_RETRY), isTransient: isDatabaseAway };
  const saveAll = async (results: readonly FinishedFetch[]): Promise<null[]> => {
    await save(deps, results);
    return results.map(() => null);
  };
  let flushBatch = (): void => {};
  const saveBatched = createBatcher({
    call: retryThenSplit(saveAll, retryOptions),
    maxBatch: MAX_BATCH,
    schedule: (start) => {
      flushBatch = start;
      setTimeout(start, BATCH_DELAY_MS);
    },
  });
  return async (result, flush) => {
    if (result.readId !== null) return await retry(() => save(deps, [result]), retryOptions);
    const saving = saveBatched(result);
    if (flush) flushBatch();
    await saving;
  };
};
