import { randomUUID } from 'node:crypto';
import type { Sql } from '@tds/base';
import type { DeliveredRow, LineRow, StoredFormat } from '@tds/contracts';
import type { ServiceErrorData } from '@tds/errors';
import type { OperationState } from '../domain/operation.ts';
import type { Settlement, SettlementItem } from './settlements.ts';

type LineKey = { readonly lineId: string; readonly accountId: string };

const HALT = { name: 'halt-line', text: 'SELECT version::float8, settlement FROM halt_line($1, $2, $3, $4)' };

/** Ends all rows that have not begun, and saves the settlement for their credits. `version` is null if the line is another account's. */
export async function haltLine(
  sql: Sql,
  { lineId, accountId }: LineKey,
  state: 'held' | 'stopped',
): Promise<{ readonly version: number | null; readonly settlement: Settlement }> {
  const id = randomUUID();
  const [row] = await sql<{ version: number; settlement: SettlementItem[] | null }>(HALT, [
    lineId,
    accountId,
    state,
    id,
  ]);
  return { version: row?.version ?? null, settlement: { id, rounds: row?.settlement ?? [] } };
}

const OF_KEY = {
  name: 'lines-of-key',
  text: `
    SELECT DISTINCT l.id FROM lines AS l JOIN operations AS o ON o.line_id = l.id
    WHERE l.account_id = $1 AND l.lane = 1 AND l.in_line AND o.state = 'ready' AND o.key_id = $2`,
};

/** Lines of jobs with rows of this key that have not begun. */
export const linesOfKey = async (sql: Sql, accountId: string, keyId: string): Promise<string[]> =>
  (await sql<{ id: string }>(OF_KEY, [accountId, keyId])).map(({ id }) => id);

const DISOWN = { name: 'disown-line', text: 'SELECT disown_line($1, $2, $3)' };

/** Voids the charges of its rows, and saves the settlement that refunds them. */
export const disownLine = async (sql: Sql, { lineId, accountId }: LineKey): Promise<void> => {
  await sql(DISOWN, [lineId, accountId, randomUUID()]);
};

const REOPEN = { name: 'reopen-rows', text: 'SELECT reopen_rows($1, $2)' };

/** Queues cached rows whose cues are lost, for a fetch that costs nothing. */
export const reopenRows = async (sql: Sql, lineId: string, ids: readonly string[]): Promise<void> => {
  await sql(REOPEN, [lineId, ids]);
};

const VERSIONS = {
  name: 'line-versions',
  text: `
    SELECT v.line_id AS "lineId", v.version::float8, CASE WHEN l.waits THEN 0 ELSE (
      SELECT count(*)::int FROM operations AS o WHERE o.line_id = v.line_id AND o.lane = 1 AND o.ended_at IS NULL
    ) END AS "openRows"
    FROM line_versions AS v JOIN lines AS l ON l.id = v.line_id WHERE v.line_id = ANY ($1::uuid[])`,
};

/** A line that waits for its job to be accepted has no open rows. */
export const lineVersions = (
  sql: Sql,
  lineIds: readonly string[],
): Promise<{ lineId: string; version: number; openRows: number }[]> => sql(VERSIONS, [lineIds]);

const LIST = {
  name: 'list-lines',
  text: `
    SELECT id AS "lineId", account_id AS "accountId" FROM lines
    WHERE lane = 1 AND id > coalesce($1, '00000000-0000-0000-0000-000000000000'::uuid)
      AND created_at BETWEEN now() - interval '8 days' AND now() - interval '10 minutes'
    ORDER BY id LIMIT $2`,
};

export const listLines = (
  sql: Sql,
  after: string | null,
  limit: number,
): Promise<{ lineId: string; accountId: string }[]> => sql(LIST, [after, limit]);

export type LineNow = { readonly version: number; readonly state: 'open' | 'held' | 'stopped' };

const FIND = {
  name: 'find-line',
  text: `
    SELECT l.state, v.version::float8 FROM lines AS l JOIN line_versions AS v ON v.line_id = l.id
    WHERE l.id = $1 AND l.lane = 1`,
};

export const findLine = async (sql: Sql, lineId: string): Promise<LineNow | null> =>
  (await sql<LineNow>(FIND, [lineId]))[0] ?? null;

type FileField = 'object_key' | 'bytes' | 'sha256' | 'crc32';
/** Without a file until it is rendered in the row's format. */
type Delivery = DeliveredRow | (Omit<DeliveredRow, FileField> & { readonly [Name in FileField]: null });

/** A row of a job with its last change. */
export type ChangedRow = Pick<LineRow, 'operationId' | 'position'> & {
  readonly format: StoredFormat;
  readonly state: OperationState;
  readonly charge: number;
  readonly version: number;
  readonly error: ServiceErrorData | null;
  readonly delivery: Delivery | null;
};

const CHANGES = {
  name: 'read-changes',
  text: `
    SELECT o.id AS "operationId", o.position, o.format, o.state, o.charge, o.change_version::float8 AS version, o.error,
      t.video - '{description,tags,chapters}'::text[] || jsonb_build_object(
        'delivered_language', t.language_code, 'fallback', o.is_fallback,
        'translation', replace(o.translation, 'unavailable', 'not_requested'), 'caption_kind', t.kind, 'strategy', t.strategy,
        'words', t.words, 'transcript_id', t.id, 'object_key', r.object_key, 'bytes', r.bytes, 'sha256', r.sha256,
        'crc32', r.crc32) AS delivery
    FROM operations AS o
    LEFT JOIN transcripts AS t ON t.id = o.transcript_id
    LEFT JOIN rendered_files AS r ON r.transcript_id = t.id AND r.format = o.format
    WHERE o.line_id = $1 AND o.lane = 1 AND (o.change_version, o.position) > ($2, $3)
    ORDER BY o.change_version, o.position FETCH FIRST $4 ROWS WITH TIES`,
};

/**
 * Rows of a line that changed since the cursor, in order. Two attempts at one position with one version (possible after a restore of the
 * jobs' database) come together, because the cursor cannot separate them.
 */
export const readChanges = (
  sql: Sql,
  lineId: string,
  after: { readonly version: number; readonly position: number },
  limit: number,
): Promise<ChangedRow[]> => sql(CHANGES, [lineId, after.version, after.position, limit]);
