import { randomUUID } from 'node:crypto';
import type { Sql } from '@tds/base';
import type { BatchRow, DeliveredRow, StoredFormat } from '@tds/contracts';
import type { ServiceErrorData } from '@tds/errors';
import type { Settlement, SettlementItem } from '../../credits/index.ts';
import type { OperationState } from '../../domain/operation.ts';

type BatchKey = { readonly batchId: string; readonly accountId: string };

const PAUSE =
  'SELECT version::float8, settlement FROM pause_batch(p_batch_id => $1, p_account_id => $2, p_state => $3, p_settlement => $4)';

/** Ends all rows that have not begun, and saves the settlement for their credits. `version` is null if the batch is another account's. */
export async function pauseBatch(
  sql: Sql,
  { batchId, accountId }: BatchKey,
  state: 'held' | 'stopped',
): Promise<{ readonly version: number | null; readonly settlement: Settlement }> {
  const id = randomUUID();
  const [row] = await sql<{ version: number; settlement: SettlementItem[] | null }>(PAUSE, [
    batchId,
    accountId,
    state,
    id,
  ]);
  return { version: row?.version ?? null, settlement: { id, reservations: row?.settlement ?? [] } };
}

const OF_KEY = `
  SELECT DISTINCT l.id FROM batches AS l JOIN operations AS o ON o.batch_id = l.id
  WHERE l.account_id = $1 AND l.priority = 'jobs' AND l.is_queued AND o.state = 'ready' AND o.key_id = $2`;

/** Batches of jobs with rows of this key that have not begun. */
export const batchesOfKey = async (sql: Sql, accountId: string, keyId: string): Promise<string[]> =>
  (await sql<{ id: string }>(OF_KEY, [accountId, keyId])).map(({ id }) => id);

/** Voids the charges of its rows, and saves the settlement that refunds them. */
export const waiveBatch = async (sql: Sql, { batchId, accountId }: BatchKey): Promise<void> => {
  await sql('SELECT waive_batch(p_batch_id => $1, p_account_id => $2, p_settlement => $3)', [
    batchId,
    accountId,
    randomUUID(),
  ]);
};

/** Queues cached rows whose cues are lost, for a fetch that costs nothing. */
export const reopenRows = async (sql: Sql, batchId: string, ids: readonly string[]): Promise<void> => {
  await sql('SELECT reopen_rows($1, $2)', [batchId, ids]);
};

const VERSIONS = `
  SELECT v.batch_id AS "batchId", v.version::float8, CASE WHEN l.waits THEN 0 ELSE (
    SELECT count(*)::int FROM operations AS o WHERE o.batch_id = v.batch_id AND o.priority = 'jobs' AND o.ended_at IS NULL
  ) END AS "openRows"
  FROM batch_versions AS v JOIN batches AS l ON l.id = v.batch_id WHERE v.batch_id = ANY ($1::uuid[])`;

/** A batch that waits for its job to be accepted has no open rows. */
export const batchVersions = (
  sql: Sql,
  batchIds: readonly string[],
): Promise<{ batchId: string; version: number; openRows: number }[]> => sql(VERSIONS, [batchIds]);

const LIST = `
  SELECT id AS "batchId", account_id AS "accountId" FROM batches
  WHERE priority = 'jobs' AND id > coalesce($1, '00000000-0000-0000-0000-000000000000'::uuid)
    AND created_at BETWEEN now() - interval '8 days' AND now() - interval '10 minutes'
  ORDER BY id LIMIT $2`;

export const listBatches = (
  sql: Sql,
  after: string | null,
  limit: number,
): Promise<{ batchId: string; accountId: string }[]> => sql(LIST, [after, limit]);

type BatchNow = { readonly version: number; readonly state: 'open' | 'held' | 'stopped' };

const FIND = `
  SELECT l.state, v.version::float8 FROM batches AS l JOIN batch_versions AS v ON v.batch_id = l.id
  WHERE l.id = $1 AND l.priority = 'jobs'`;

export const findBatch = async (sql: Sql, batchId: string): Promise<BatchNow | null> =>
  (await sql<BatchNow>(FIND, [batchId]))[0] ?? null;

type FileField = 'object_key' | 'bytes' | 'sha256' | 'crc32';
/** Without a file until it is rendered in the row's format. */
type Delivery = DeliveredRow | (Omit<DeliveredRow, FileField> & { readonly [Name in FileField]: null });

/** A row of a job with its last change. */
export type ChangedRow = Pick<BatchRow, 'operationId' | 'position'> & {
  readonly format: StoredFormat;
  readonly state: OperationState;
  readonly charge: number;
  readonly version: number;
  readonly error: ServiceErrorData | null;
  readonly delivery: Delivery | null;
};

const CHANGES = `
  SELECT o.id AS "operationId", o.position, o.format, o.state, o.charge, o.change_version::float8 AS version, o.error,
    t.video - '{description,tags,chapters}'::text[] || jsonb_build_object(
      'delivered_language', t.language_code, 'fallback', o.is_fallback,
      'translation', replace(o.translation, 'unavailable', 'not_requested'), 'caption_kind', t.kind, 'strategy', t.strategy,
      'words', t.words, 'transcript_id', t.id, 'object_key', r.object_key, 'bytes', r.bytes, 'sha256', r.sha256,
      'crc32', r.crc32) AS delivery
  FROM operations AS o
  LEFT JOIN transcripts AS t ON t.id = o.transcript_id
  LEFT JOIN rendered_files AS r ON r.transcript_id = t.id AND r.format = o.format
  WHERE o.batch_id = $1 AND o.priority = 'jobs' AND (o.change_version, o.position) > ($2, $3)
  ORDER BY o.change_version, o.position FETCH FIRST $4 ROWS WITH TIES`;

/**
 * Rows of a batch that changed since the cursor, in order. Two attempts at one position with one version (possible after a restore of the
 * jobs' database) come together, because the cursor cannot separate them.
 */
export const readChanges = (
  sql: Sql,
  batchId: string,
  after: { readonly version: number; readonly position: number },
  limit: number,
): Promise<ChangedRow[]> => sql(CHANGES, [batchId, after.version, after.position, limit]);
