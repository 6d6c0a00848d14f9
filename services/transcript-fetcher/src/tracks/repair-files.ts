import { serviceError } from '@tds/errors';
import { findFile, renderInTurn } from '../batches/row-files.ts';
import { type ChangedRow, reopenRows } from '../batches/store/batches.ts';
import type { Deps } from '../deps.ts';
import { findRestoreWaits } from '../reads/store/operations.ts';
import { findTranscripts } from './store/cache.ts';
import { renderedFileRow } from './store/transcripts.ts';

type DeliveredChange = ChangedRow & { readonly delivery: NonNullable<ChangedRow['delivery']> };

/**
 * Renders missing files of delivered rows, and lost files of cached rows. If the cues are lost too, the row is fetched again for nothing, or
 * has failed if that failed in the last minute. Returns all rows; those that are fetched again without a delivery.
 */
export const repairFiles = async (
  deps: Deps,
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

const findBrokenRows = async (deps: Deps, rows: readonly ChangedRow[]): Promise<DeliveredChange[]> => {
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
const render = async (deps: Deps, row: DeliveredChange): Promise<ChangedRow> => {
  const { transcript_id: id } = row.delivery;
  const [hit] = await findTranscripts(deps.sql, [id], row.format);
  const file = hit ? await findFile(deps, hit, new Set(), row.format) : null;
  return { ...row, delivery: file && { ...row.delivery, ...renderedFileRow(id, file) } };
};

/** Reopens lost rows. Returns those that must wait, as failed. */
const restoreLostRows = async (
  deps: Deps,
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
