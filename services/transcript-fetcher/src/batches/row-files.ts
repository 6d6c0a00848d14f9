import { randomUUID } from 'node:crypto';
import { createSemaphore, expecting } from '@tds/base';
import type { ReplyOf, StoredFormat, transcriptFetcher, WantedTranscript } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { type Hit, isLost, type KeptFile } from '../domain/transcript.ts';
import { type ReadDeps, restoreTranscript } from '../reads/index.ts';
import { findRestoreWaits, findTranscripts, lookUpCache, renderAndStore } from '../tracks/index.ts';
import { type ChangedRow, reopenRows } from './store/batches.ts';

type RenderedRow = ReplyOf<typeof transcriptFetcher.renderTranscripts>['rows'][number];

/** Concurrent renderings of one call. */
const MAX_CONCURRENT_RENDERS = 8;

/** Renders items in turn; the results have their order. Rejects with the first failure. */
export const renderInTurn = <Item, Result>(
  items: readonly Item[],
  render: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const renders = createSemaphore(MAX_CONCURRENT_RENDERS);
  return Promise.all(items.map((item) => renders.runInTurn(() => render(item))));
};

/** Lost transcripts are fetched again for `accountId`, if there is one. */
type RenderRequest = { readonly format: StoredFormat; readonly accountId: string | null };

/** Returns the files of transcripts in one format. Renders missing and lost files. */
export async function renderAll(
  deps: ReadDeps,
  transcripts: readonly WantedTranscript[],
  { format, accountId }: RenderRequest,
): Promise<RenderedRow[]> {
  const transcriptsById = new Map(transcripts.map((each) => [each.transcriptId, each]));
  const hits = await findTranscripts(deps.sql, [...transcriptsById.keys()], format);
  const existing = await deps.objects.findExisting(hits.flatMap(({ file }) => file?.objectKey ?? []));
  const hitsById = new Map(hits.map((each) => [each.transcript.id, each]));
  return await renderInTurn([...transcriptsById.values()], async (each): Promise<RenderedRow> => {
    const { transcriptId } = each;
    const hit = hitsById.get(transcriptId) ?? (await findReplacement(deps, each, format));
    const file = hit && (await findFile(deps, hit, existing, format));
    if (file) return { transcriptId, state: 'rendered', ...file };
    if (accountId !== null) await restore(deps, each, { format, accountId });
    return { transcriptId, state: 'failed', code: 'cache_object_missing' };
  });
}

/** A restored database may lack the id: the transcript of the same language takes its place. */
const findReplacement = async (
  { sql, now }: ReadDeps,
  request: WantedTranscript,
  format: StoredFormat,
): Promise<Omit<Hit, 'choice'> | null> => {
  const cacheAnswer = await lookUpCache(sql, { ...request, format }, now());
  return cacheAnswer.kind === 'hit' ? cacheAnswer.hit : null;
};

/** Renders the file unless it exists. Null if the cues are lost, and the file with them. */
async function findFile(
  deps: ReadDeps,
  { transcript, file }: Omit<Hit, 'choice'>,
  existing: ReadonlySet<string>,
  format: StoredFormat,
): Promise<KeptFile | null> {
  if (file && existing.has(file.objectKey)) return file;
  const rendered = await renderAndStore(deps, { transcript, format, file }).catch(expecting(isLost, null));
  return rendered?.file ?? null;
}

/** Starts to fetch a lost transcript again, unless that failed in the last minute. A later call finds it. */
const restore = async (
  deps: ReadDeps,
  { videoId, language, fallback, transcriptId }: WantedTranscript,
  { format, accountId }: { readonly format: StoredFormat; readonly accountId: string },
): Promise<void> => {
  const waits = await findRestoreWaits(deps.sql, [transcriptId]);
  if (waits.has(transcriptId)) return;
  const requestId = randomUUID();
  await restoreTranscript(deps, { accountId, keyId: null, language, fallback, format, videoId, requestId });
};

type DeliveredChange = ChangedRow & { readonly delivery: NonNullable<ChangedRow['delivery']> };

/**
 * Renders missing files of delivered rows, and lost files of cached rows. If the cues are lost too, the row is fetched again for nothing, or
 * has failed if that failed in the last minute. Returns all rows; those that are fetched again without a delivery.
 */
export const repairFiles = async (
  deps: ReadDeps,
  batchId: string,
  rows: readonly ChangedRow[],
): Promise<ChangedRow[]> => {
  const brokenRows = await findBrokenRows(deps, rows);
  const renderedRows = await renderInTurn(brokenRows, (row) => render(deps, row));
  const lostRows = brokenRows.filter((_, index) => renderedRows[index]?.delivery === null);
  const repairedRows = [...renderedRows, ...(await restoreLostRows(deps, batchId, lostRows))];
  const byId = new Map(repairedRows.map((row) => [row.operationId, row]));
  return rows.map((row) => byId.get(row.operationId) ?? row);
};

const findBrokenRows = async (deps: ReadDeps, rows: readonly ChangedRow[]): Promise<DeliveredChange[]> => {
  const deliveredRows = rows.filter((row): row is DeliveredChange => row.delivery !== null);
  // Files of charged rows were stored for this batch; those of cached rows may be lost.
  const keys = deliveredRows.flatMap(({ charge, delivery }) =>
    charge === 0 ? (delivery.object_key ?? []) : [],
  );
  const existing = keys.length > 0 ? await deps.objects.findExisting(keys) : new Set<string>();
  return deliveredRows.filter(
    ({ charge, delivery: { object_key: key } }) => key === null || (charge === 0 && !existing.has(key)),
  );
};

/** Without a delivery if the cues are lost. */
const render = async (deps: ReadDeps, row: DeliveredChange): Promise<ChangedRow> => {
  const { transcript_id: id } = row.delivery;
  const [hit] = await findTranscripts(deps.sql, [id], row.format);
  const file = hit ? await findFile(deps, hit, new Set(), row.format) : null;
  if (!file) return { ...row, delivery: null };
  const { objectKey, bytes, sha256, crc32 } = file;
  return { ...row, delivery: { ...row.delivery, object_key: objectKey, bytes, sha256, crc32 } };
};

/** Reopens lost rows. Returns those that must wait, as failed. */
const restoreLostRows = async (
  deps: ReadDeps,
  batchId: string,
  lostRows: readonly DeliveredChange[],
): Promise<ChangedRow[]> => {
  if (lostRows.length === 0) return [];
  const idOf = ({ delivery }: DeliveredChange) => delivery.transcript_id;
  const waits = await findRestoreWaits(deps.sql, lostRows.map(idOf));
  const failedRows = lostRows.flatMap((row): ChangedRow[] => {
    const retryAfterSeconds = waits.get(idOf(row));
    if (retryAfterSeconds === undefined) return [];
    const error = serviceError('cache_object_missing', { retryAfterSeconds }).data;
    return [{ ...row, state: 'failed', delivery: null, error }];
  });
  const reopenedIds = lostRows.flatMap((row) => (waits.has(idOf(row)) ? [] : [row.operationId]));
  await reopenRows(deps.sql, batchId, reopenedIds);
  deps.worker.wake('jobs');
  return failedRows;
};
