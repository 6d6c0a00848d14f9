import {
  firstWithin,
  MAX_ANSWER_BYTES,
  MAX_LINE_ROWS,
  type NewsCursor,
  type ReplyOf,
  type RowNews,
  type transcriptFetcher,
} from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { type ChangedRow, findLine, readNews } from '../store/lines.ts';
import { repairFiles } from './repair-files.ts';

type News = ReplyOf<typeof transcriptFetcher.readNews>;

/** Returns the changes of a line's rows since the cursor, after rows without their file are repaired. */
export const newsOf = async (deps: Deps, lineId: string, after: NewsCursor): Promise<News> => {
  // Read before the rows, so that a later change is not missed.
  const line = await findLine(deps.sql, lineId);
  if (line === null) return { line, rows: [], upTo: after };
  const rows = await readNews(deps.sql, lineId, after, MAX_LINE_ROWS);
  const repaired = await repairFiles(deps, lineId, rows);
  const news = repaired.flatMap(toNews);
  const fitting = firstWithin(news, MAX_ANSWER_BYTES);
  const isAll = fitting.length === news.length;
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

const later = (read: NewsCursor, version: number): NewsCursor =>
  read.version > version ? read : { version, position: MAX_LINE_ROWS };

const toNews = ({ operationId, position, state, charge, error, delivery }: ChangedRow): RowNews[] => {
  const head = { operationId, position };
  if (state === 'fetching' || state === 'cancelled') return [{ ...head, state }];
  if (state === 'failed' && error) {
    const { code, errorClass, retryable, message } = error;
    const retryAfterSeconds = error.retryAfterSeconds ?? null;
    return [{ ...head, state, code, errorClass, retryable, message, retryAfterSeconds }];
  }
  if (delivery && delivery.object_key !== null)
    return [{ ...head, state: 'delivered', cache: charge > 0 ? 'MISS' : 'HIT', charge, delivery }];
  // The row was reopened; it is news when it ends.
  return [];
};
