import {
  deliveredVideo,
  firstWithin,
  MAX_ANSWER_BYTES,
  MAX_LINE_ROWS,
  type NewsCursor,
  type ReplyOf,
  type RowNews,
  type transcriptFetcher,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { Deps } from '../deps.ts';
import { LANES } from '../domain/operation.ts';
import type { KeptFile } from '../domain/transcript.ts';
import { type ChangedRow, findLine, readNews, reopenRows } from '../store/lines.ts';
import { mayRestore } from '../store/operations.ts';
import { mapAtMost, RENDERED_AT_ONCE } from './render-all.ts';
import { isLost } from './serve-cached.ts';
import { renderAndKeep } from './track-files.ts';

type News = ReplyOf<typeof transcriptFetcher.readNews>;
type Failure = Extract<RowNews, { state: 'failed' }>;

/** `isLost`: the cues are gone, and the file with them. */
type RowWithFile = { readonly row: ChangedRow; readonly file: KeptFile | null; readonly isLost: boolean };

/**
 * Returns the changes of a line's rows since the cursor. Renders missing files, and lost files of cached rows. If the cues are lost too,
 * the row is fetched again for nothing.
 */
export const newsOf = async (deps: Deps, lineId: string, after: NewsCursor): Promise<News> => {
  // Read before the rows, so that a later change is not missed.
  const line = await findLine(deps.sql, lineId);
  if (line === null) return { line, rows: [], upTo: after };
  const rows = await readNews(deps.sql, lineId, after, MAX_LINE_ROWS);
  const filed = await withFiles(deps, rows);
  const failures = await restoreLost(
    deps,
    lineId,
    filed.filter((each) => each.isLost),
  );
  const news = filed.flatMap(({ row, file, isLost: lost }) =>
    lost ? (failures.get(row.operationId) ?? []) : toNews(row, file),
  );
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

const withFiles = async (deps: Deps, rows: readonly ChangedRow[]): Promise<RowWithFile[]> => {
  // Files of charged rows were stored for this line; those of cached rows may be lost.
  const keys = rows.flatMap(({ charge, hit }) => (charge === 0 ? (hit?.file?.objectKey ?? []) : []));
  const existing = keys.length > 0 ? await deps.objects.existing(keys) : new Set<string>();
  return await mapAtMost(RENDERED_AT_ONCE, rows, async (row): Promise<RowWithFile> => {
    const { hit, charge, format } = row;
    if (hit === null) return { row, file: null, isLost: false };
    if (hit.file && (charge > 0 || existing.has(hit.file.objectKey)))
      return { row, file: hit.file, isLost: false };
    try {
      const { file } = await renderAndKeep(deps, { ...hit, format });
      return { row, file, isLost: false };
    } catch (error) {
      if (!isLost(error)) throw error;
      return { row, file: null, isLost: true };
    }
  });
};

/** Fetches lost rows again. Returns failures for those whose last such fetch failed within a minute. */
const restoreLost = async (
  deps: Deps,
  lineId: string,
  lost: readonly RowWithFile[],
): Promise<ReadonlyMap<string, Failure>> => {
  if (lost.length === 0) return new Map();
  const idOf = ({ hit }: ChangedRow) => String(hit?.transcript.id);
  const waits = await mayRestore(
    deps.sql,
    lost.map(({ row }) => idOf(row)),
  );
  const failed = lost.flatMap(({ row }) => {
    const waitSeconds = waits.get(idOf(row)) ?? null;
    return waitSeconds === null ? [] : [[row.operationId, lostFailure(row, waitSeconds)] as const];
  });
  const failures = new Map(failed);
  const again = lost.flatMap(({ row }) => (failures.has(row.operationId) ? [] : [row.operationId]));
  await reopenRows(deps.sql, lineId, again);
  deps.worker.wake(LANES.jobs);
  return failures;
};

const lostFailure = ({ operationId, position }: ChangedRow, retryAfterSeconds: number): Failure => {
  const { code, errorClass, retryable, message } = serviceError('cache_object_missing').data;
  return { operationId, position, state: 'failed', code, errorClass, retryable, message, retryAfterSeconds };
};

const toNews = (row: ChangedRow, file: KeptFile | null): RowNews[] => {
  const { operationId, position, error, state } = row;
  const head = { operationId, position };
  if (state === 'fetching' || state === 'cancelled') return [{ ...head, state }];
  if (state === 'failed' && error) {
    const { code, errorClass, retryable, message } = error;
    const { retryAfterSeconds = null } = error;
    return [{ ...head, state, code, errorClass, retryable, message, retryAfterSeconds }];
  }
  if (row.hit && file) return [{ ...head, ...delivered(row, row.hit, file) }];
  // The row was reopened; it is news when it ends.
  return [];
};

const delivered = (
  { charge, language, words }: ChangedRow,
  { transcript, choice }: NonNullable<ChangedRow['hit']>,
  file: KeptFile,
) => ({
  state: 'delivered' as const,
  cache: charge > 0 ? ('MISS' as const) : ('HIT' as const),
  charge,
  transcriptId: transcript.id,
  video: deliveredVideo.parse(transcript.video),
  language: {
    requested: language,
    delivered: transcript.languageCode,
    kind: transcript.kind,
    fallback: choice.isFallback,
    translation: choice.translation,
  },
  words,
  strategy: transcript.strategy,
  ...file,
  fetchedAt: transcript.cachedAt.toISOString(),
});
