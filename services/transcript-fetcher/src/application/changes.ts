import {
  type BatchChange,
  type ChangeCursor,
  firstWithin,
  MAX_ANSWER_BYTES,
  MAX_LINE_ROWS,
  type ReplyOf,
  type transcriptFetcher,
} from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { type ChangedRow, findLine, readChanges } from '../store/lines.ts';
import { repairFiles } from './repair-files.ts';

type Changes = ReplyOf<typeof transcriptFetcher.readChanges>;

/** Returns the changes of a line's rows since the cursor, after rows without their file are repaired. */
export const listChanges = async (deps: Deps, lineId: string, after: ChangeCursor): Promise<Changes> => {
  // Read before the rows, so that a later change is not missed.
  const line = await findLine(deps.sql, lineId);
  if (line === null) return { line, rows: [], upTo: after };
  const rows = await readChanges(deps.sql, lineId, after, MAX_LINE_ROWS);
  const repaired = await repairFiles(deps, lineId, rows);
  const changes = repaired.flatMap(toChange);
  const fitting = firstWithin(changes, MAX_ANSWER_BYTES);
  const isAll = fitting.length === changes.length;
  const last = isAll
    ? rows.at(-1)
    : rows.find(({ operationId }) => operationId === fitting.at(-1)?.operationId);
  const read = last ? { version: last.version, position: last.position } : after;
  return {
    line,
    rows: fitting,
    upTo: isAll && rows.length < MAX_LINE_ROWS ? later(read, line.version) : read,
  };
};

const later = (read: ChangeCursor, version: number): ChangeCursor =>
  read.version > version ? read : { version, position: MAX_LINE_ROWS };

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
