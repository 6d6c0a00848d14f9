import { randomUUID } from 'node:crypto';
import { type BatchOutcome, type BatchRow, serviceError } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { standingOf } from '../domain/batch-row.ts';
import { isStanding, standingError } from '../domain/selection.ts';
import { findBatchRows } from '../store/batch-rows.ts';
import { beginRestoring } from './begin-restoring.ts';
import type { BatchRequest, OpenedRows } from './open-rows.ts';
import { type LostFile, outcomesOf, toFailed } from './row-outcomes.ts';

type Needed = Pick<Deps, 'db' | 'sql' | 'objects' | 'messaging' | 'now'>;

/** A row whose own operation has ended is told what that was charged, so another operation brings its track back. */
const operationFor = ({ operation, operationId }: LostFile['row']): string =>
  operation === null ? operationId : randomUUID();

/** What became of rows whose cues are lost: what each is to wait for, or how it has ended. */
export type RestoredRows = Pick<OpenedRows, 'waiting'> & { readonly outcomes: readonly BatchOutcome[] };

/**
 * Begins to restore these rows. A row has failed if the platform is known not to have its video either, or if this was tried shortly
 * before; what the account has under way for the same track is joined.
 */
export async function restoreRows(
  deps: Needed,
  request: BatchRequest,
  lost: readonly LostFile[],
): Promise<RestoredRows> {
  if (lost.length === 0) return { waiting: [], outcomes: [] };
  const now = deps.now();
  const hopeless: BatchOutcome[] = [];
  const rowOf = new Map<string, LostFile>();
  for (const each of lost) {
    const { operationId, entry } = each.row;
    if (entry.fact && isStanding(entry.fact, now))
      hopeless.push(toFailed(operationId, standingError(entry.fact, now).data));
    else rowOf.set(operationFor(each.row), each);
  }
  const rows = [...rowOf].map(
    ([
      operationId,
      {
        row: { videoId },
        transcriptId,
      },
    ]) => ({
      ...{ operationId, videoId, transcriptId },
    }),
  );
  const begun = rows.length === 0 ? [] : await beginRestoring(deps, { ...request, rows });
  const waiting = begun.flatMap(({ operationId, id }) => {
    const row = rowOf.get(operationId)?.row;
    return row && id !== null ? [{ row, openedId: id }] : [];
  });
  const refused = begun.flatMap(({ operationId, waitSeconds }) => {
    const row = rowOf.get(operationId)?.row;
    return row && waitSeconds !== null ? [{ row, waitSeconds }] : [];
  });
  return { waiting, outcomes: [...hopeless, ...(await refusedOutcomes(deps, request, refused))] };
}

type Refused = { readonly row: BatchRow; readonly waitSeconds: number };

/** They may have come back between the look and this. */
async function refusedOutcomes(
  deps: Needed,
  request: BatchRequest,
  refused: readonly Refused[],
): Promise<BatchOutcome[]> {
  if (refused.length === 0) return [];
  const now = deps.now();
  const rows = refused.map(({ row: { operationId, videoId } }) => ({ operationId, videoId }));
  const found = await findBatchRows(deps.sql, rows, request);
  const standings = found.map((row) => [row, standingOf(row, request, now)] as const);
  const { outcomes, lost } = await outcomesOf(deps, request, standings);
  const waits = new Map(refused.map(({ row, waitSeconds }) => [row.operationId, waitSeconds]));
  const failed = lost.map(({ row: { operationId } }) => {
    const retryAfterSeconds = waits.get(operationId) ?? 1;
    return toFailed(operationId, serviceError('cache_object_missing', { retryAfterSeconds }).data);
  });
  return [...outcomes, ...failed];
}
