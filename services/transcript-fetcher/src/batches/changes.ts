import {
  type BatchChange,
  type ChangeCursor,
  firstWithin,
  MAX_ANSWER_BYTES,
  MAX_BATCH_ROWS,
  type ReplyOf,
  type transcriptFetcher,
} from '@tds/contracts';
import type { ReadDeps } from '../reads/index.ts';
import { repairFiles } from './row-files.ts';
import { type ChangedRow, findBatch, readChanges } from './store/batches.ts';

type Changes = ReplyOf<typeof transcriptFetcher.readChanges>;

/** Returns the changes of a batch's rows since the cursor, after rows without their file are repaired. */
export const listChanges = async (deps: ReadDeps, batchId: string, after: ChangeCursor): Promise<Changes> => {
  // Read before the rows, so that a later change is not missed.
  const batch = await findBatch(deps.sql, batchId);
  if (batch === null) return { batch, rows: [], upTo: after };
  const rows = await readChanges(deps.sql, batchId, after, MAX_BATCH_ROWS);
  const repairedRows = await repairFiles(deps, batchId, rows);
  const changes = repairedRows.flatMap(toChange);
  const page = firstWithin(changes, MAX_ANSWER_BYTES);
  const isAll = page.length === changes.length;
  const last = isAll ? rows.at(-1) : rows.find(({ operationId }) => operationId === page.at(-1)?.operationId);
  const cursor = last ? { version: last.version, position: last.position } : after;
  return {
    batch,
    rows: page,
    upTo: isAll && rows.length < MAX_BATCH_ROWS ? laterCursor(cursor, batch.version) : cursor,
  };
};

const laterCursor = (cursor: ChangeCursor, version: number): ChangeCursor =>
  cursor.version > version ? cursor : { version, position: MAX_BATCH_ROWS };

const toChange = ({ operationId, position, state, charge, error, delivery }: ChangedRow): BatchChange[] => {
  const head = { operationId, position };
  if (state === 'fetching' || state === 'cancelled') return [{ ...head, state }];
  if (state === 'failed' && error) {
    const { code, errorClass, retryable, message } = error;
    const retryAfterSeconds = error.retryAfterSeconds ?? null;
    return [{ ...head, state, code, errorClass, retryable, message, retryAfterSeconds }];
  }
  if (delivery && delivery.object_key !== null)
    return [{ ...head, state: 'delivered', cache: charge > 0 ? 'MISS' : 'HIT', charge, delivery }];
  // The row was reopened; it is a change when it ends.
  return [];
};
