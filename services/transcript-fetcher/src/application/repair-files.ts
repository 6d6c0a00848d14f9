import { serviceError } from '@tds/errors';
import type { Deps } from '../deps.ts';
import { LANES } from '../domain/operation.ts';
import { findTranscripts } from '../store/cache.ts';
import { type ChangedRow, reopenRows } from '../store/lines.ts';
import { mayRestore } from '../store/operations.ts';
import { renderedFileRow } from '../store/transcripts.ts';
import { findFile, mapAtMost, RENDERED_AT_ONCE } from './render-all.ts';

type DeliveredChange = ChangedRow & { readonly delivery: NonNullable<ChangedRow['delivery']> };

/**
 * Renders missing files of delivered rows, and lost files of cached rows. If the cues are lost too, the row is fetched again for nothing, or
 * has failed if that failed in the last minute. Returns all rows; those that are fetched again without a delivery.
 */
export const repairFiles = async (
  deps: Deps,
  lineId: string,
  rows: readonly ChangedRow[],
): Promise<ChangedRow[]> => {
  const broken = await findBroken(deps, rows);
  const rendered = await mapAtMost(RENDERED_AT_ONCE, broken, (row) => render(deps, row));
  const lost = broken.filter((_, index) => rendered[index]?.delivery === null);
  const repaired = [...rendered, ...(await restoreLost(deps, lineId, lost))];
  const byId = new Map(repaired.map((row) => [row.operationId, row]));
  return rows.map((row) => byId.get(row.operationId) ?? row);
};

const findBroken = async (deps: Deps, rows: readonly ChangedRow[]): Promise<DeliveredChange[]> => {
  const delivered = rows.filter((row): row is DeliveredChange => row.delivery !== null);
  // Files of charged rows were stored for this line; those of cached rows may be lost.
  const keys = delivered.flatMap(({ charge, delivery }) => (charge === 0 ? (delivery.object_key ?? []) : []));
  const existing = keys.length > 0 ? await deps.objects.existing(keys) : new Set<string>();
  return delivered.filter(
    ({ charge, delivery: { object_key: key } }) => key === null || (charge === 0 && !existing.has(key)),
  );
};

/** Without a delivery if the cues are lost. */
const render = async (deps: Deps, row: DeliveredChange): Promise<ChangedRow> => {
  const { transcript_id: id } = row.delivery;
  const [found] = await findTranscripts(deps.sql, [id], row.format);
  const file = found ? await findFile(deps, found, new Set(), row.format) : null;
  return { ...row, delivery: file && { ...row.delivery, ...renderedFileRow(id, file) } };
};

/** Reopens lost rows. Returns those that must wait, as failed. */
const restoreLost = async (
  deps: Deps,
  lineId: string,
  lost: readonly DeliveredChange[],
): Promise<ChangedRow[]> => {
  if (lost.length === 0) return [];
  const idOf = ({ delivery }: DeliveredChange) => delivery.transcript_id;
  const waits = await mayRestore(deps.sql, lost.map(idOf));
  const failed = lost.flatMap((row): ChangedRow[] => {
    const retryAfterSeconds = waits.get(idOf(row)) ?? null;
    if (retryAfterSeconds === null) return [];
    const error = serviceError('cache_object_missing', { retryAfterSeconds }).data;
    return [{ ...row, state: 'failed', delivery: null, error }];
  });
  const waiting = new Set(failed.map(({ operationId }) => operationId));
  const again = lost.flatMap(({ operationId: id }) => (waiting.has(id) ? [] : [id]));
  await reopenRows(deps.sql, lineId, again);
  deps.worker.wake(LANES.jobs);
  return failed;
};
