import { randomUUID } from 'node:crypto';
import type { ServiceErrorData } from '@tds/contracts';
import { type Sending, type Sent, type Sql, sqlState } from '@tds/service-kit';
import type { NewOperation } from '../domain/operation.ts';
import type { Tx } from './database.ts';
import { type FetchPayload, type StartedRow, startedTask } from './fetches.ts';

export type Admission = {
  /** The UTC day on which it counts. */
  readonly day: string;
  readonly scopes: readonly { readonly name: string; readonly most: number }[];
  /** Whether the caller holds a permit of every shared pool that it needs. */
  readonly hasPermits: boolean;
};

export type Opened =
  | { readonly kind: 'opened' | 'joined'; readonly id: string }
  /** Its gateway has given it up before it came here. */
  | { readonly kind: 'disowned' }
  /** The scope that is full; null if only a permit of a pool is missing. */
  | { readonly kind: 'refused'; readonly scope: string | null };

type Priced = NewOperation & { readonly price: number };
type Row = { opened_id: string | null; is_new: boolean | null; refused: string | null };

const ADMIT = {
  name: 'admit-operation',
  text: 'SELECT opened_id, is_new, refused FROM admit_operation($1, $2, $3, $4, $5, $6)',
};
const KNOWN = 'known';
/** Another row has the request's id: one that was put there because the request was disowned. */
const UNIQUE_VIOLATION = '23505';

/** A row of `operations`. */
const operationRow = (operation: Priced) => ({
  id: operation.id,
  account_id: operation.accountId,
  key_id: operation.keyId,
  video_id: operation.videoId,
  language: operation.language,
  fallback: operation.fallback,
  format: operation.format,
  price: operation.price,
});

async function admit(
  sql: Sql,
  operation: Priced,
  { day, scopes, hasPermits }: Admission,
  unlessKnown: boolean,
): Promise<Row | null> {
  const names = scopes.map(({ name }) => name);
  const caps = scopes.map(({ most }) => most);
  const values = [JSON.stringify(operationRow(operation)), day, names, caps, hasPermits, unlessKnown];
  const rows = await sql<Row>(ADMIT, values).catch((error: unknown) => {
    if (sqlState(error) === UNIQUE_VIOLATION) return null;
    throw error;
  });
  if (rows === null) return null;
  const [row] = rows;
  if (!row) throw new Error('admit_operation answered no row');
  return row;
}

function toOpened(row: Row | null): Opened {
  if (row === null) return { kind: 'disowned' };
  const { opened_id: id, is_new: isNew, refused } = row;
  if (id !== null) return { kind: isNew ? 'opened' : 'joined', id };
  return { kind: 'refused', scope: refused === 'pool' ? null : refused };
}

/**
 * Opens an operation and counts it, in one statement; or answers the account's open one for the same track, which counts
 * nowhere; or changes nothing, because a scope is full or the request is disowned.
 */
export const openOperation = async (sql: Sql, operation: Priced, admission: Admission): Promise<Opened> =>
  toOpened(await admit(sql, operation, admission, false));

/** As `openOperation`; but changes nothing and answers null if the cache may have an answer. */
export async function openUnlessKnown(
  sql: Sql,
  operation: Priced,
  admission: Admission,
): Promise<Opened | null> {
  const row = await admit(sql, operation, admission, true);
  return row?.refused === KNOWN ? null : toOpened(row);
}

/** The operation that fetches it; null if that was tried shortly before, and is not tried again for `waitSeconds`. */
export type Restoring = { readonly id: string | null; readonly waitSeconds: number };

type RestoredRow = StartedRow & { opened_id: string | null; wait_seconds: number | null };

const RESTORE = {
  name: 'start-restoring',
  text: `
    SELECT opened_id, wait_seconds, new_task_id, new_payload
    FROM start_restoring($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
};

/** Opens, in one statement, an operation that fetches a lost transcript again for nothing; or joins what fetches it. */
export async function startRestoring(
  sql: Sql,
  wanted: NewOperation & { readonly transcriptId: string },
  sending: Sending,
): Promise<Sent<Restoring, FetchPayload>> {
  const { id, accountId, keyId, videoId, language, fallback, format, transcriptId } = wanted;
  const lease = sending.slots > 0 ? sending.leaseMs : null;
  const operation = [id, accountId, keyId, videoId, language, fallback, format];
  const values = [...operation, transcriptId, randomUUID(), sending.headers, lease];
  const [row] = await sql<RestoredRow>(RESTORE, values);
  const result = { id: row?.opened_id ?? null, waitSeconds: row?.wait_seconds ?? 1 };
  return { result, ...startedTask(row, sending) };
}

/**
 * Disowns a request. One that has no operation yet gets one that has failed with `error`, so that it never opens any.
 * Answers the operations whose charge is void by it, and whose credits are to be given back.
 */
export async function disown(tx: Tx, given: NewOperation, error: ServiceErrorData): Promise<string[]> {
  const { id, accountId, keyId, videoId, language, fallback, format } = given;
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT disown_request(${id}::uuid, ${accountId}::uuid, ${keyId}::uuid, ${videoId}::bpchar, ${language}, ${fallback},
      ${format}, ${JSON.stringify(error)}::jsonb) AS id`;
  return rows.map((row) => row.id);
}
