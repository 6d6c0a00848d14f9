import type { Sql } from '@tds/base';
import type { StoredFormat } from '@tds/contracts';
import type { StartedFetch } from '../../domain/fetch.ts';
import type { OperationState, Priority } from '../../domain/operation.ts';
import { strictTemplates } from '../../domain/transcript.ts';
import { type StartedFetchRow, toStartedFetch } from '../../tracks/index.ts';

/** A request to open one read, or up to 500 rows of a job. */
export type OpenRequest = {
  readonly priority: Priority;
  /** Null for a read. */
  readonly batchId: string | null;
  /** False while the job is being created: its rows have no turn yet. */
  readonly isAccepted?: boolean;
  readonly accountId: string;
  readonly keyId: string | null;
  readonly language: string;
  readonly fallback: boolean;
  readonly format: StoredFormat;
  /** The name of a refresh. */
  readonly refresh?: string | undefined;
  /** The ledger's ref of the reservation in which its cold rows are reserved. */
  readonly reservation: string;
  /** The UTC day of the counters. */
  readonly day: string;
  readonly scopes: readonly { readonly name: string; readonly limit: number }[];
  readonly rows: readonly {
    readonly id: string;
    readonly position: number;
    readonly videoId: string;
    /** 0 if it was paid for before. */
    readonly price: 0 | 1;
    /** The cached track is lost and is fetched again for nothing. */
    readonly isLost?: boolean;
  }[];
};

export type OpenedRow = {
  readonly rowId: string;
  /** `known`: the cache may answer. `refused`: nothing was opened. */
  readonly state: OperationState | 'known' | 'refused';
  /** The row's own operation, or the account's open read of the same track. */
  readonly operationId: string | null;
  /** The reservation whose credits are not held yet, and the row's item. */
  readonly reservation: string | null;
  readonly item: number | null;
  /** The reason of a refusal: a full scope, `stopped`, or `opening` (an earlier call is unfinished). */
  readonly full: string | null;
};

/**
 * Commits without waiting for the disk. A server that crashes may forget such a step of a read, but then also all later ones, and nothing
 * was answered: the read's end waits for the disk.
 */
const QUICK = `(SELECT set_config('synchronous_commit', 'off', true)) AS quick, LATERAL`;

const OPENED =
  'SELECT row_id AS "rowId", state, operation_id AS "operationId", reservation, item, full_scope AS "full" FROM';
const OPEN_JOB_ROWS = `${OPENED} open_job_rows($1)`;
const OPEN_READS = `${OPENED} ${QUICK} open_reads($1)`;

/** Opens rows, counts the cold ones, and returns the state of each, in one statement. */
export const openRows = (sql: Sql, openRequest: OpenRequest): Promise<OpenedRow[]> => {
  const { batchId, isAccepted, accountId, keyId, rows, scopes, ...head } = openRequest;
  const request = {
    ...head,
    batch_id: batchId,
    is_accepted: isAccepted,
    account_id: accountId,
    key_id: keyId,
    errors: strictTemplates,
    scopes: scopes.map(({ name, limit }) => ({ name, most: limit })),
    rows: rows.map(({ videoId, isLost = false, ...row }) => ({ ...row, video_id: videoId, is_lost: isLost })),
  };
  return sql<OpenedRow>(batchId === null ? OPEN_READS : OPEN_JOB_ROWS, [JSON.stringify(request)]);
};

const HOLD = 'SELECT hold_rows(p_batch_id => $1, p_reservation => $2, p_held => $3, p_rows => $4) AS id';

type HeldRows = {
  readonly batchId: string;
  readonly reservation: string;
  readonly held: readonly number[];
  readonly rows: readonly string[];
};

/** Puts the rows of held items in the queue and deletes the others of the reservation. Returns which of `rows` no longer exist. */
export const holdRows = async (sql: Sql, { batchId, reservation, held, rows }: HeldRows): Promise<string[]> =>
  (await sql<{ id: string }>(HOLD, [batchId, reservation, held, rows])).map(({ id }) => id);

/** For a batch with ready rows that need no credit. */
export const queueBatch = async (sql: Sql, batchId: string): Promise<void> => {
  await sql('SELECT queue_batch($1)', [batchId]);
};

export const queueRead = async (sql: Sql, id: string): Promise<void> => {
  await sql('SELECT queue_read($1)', [id]);
};

const BEGIN = `SELECT to_jsonb(b) AS begun FROM ${QUICK} begin_fetches($1, $2) AS b`;

/** Begins reads whose turn has come. Returns the fetches to run; rows of running fetches join them. */
export const beginFetches = async (
  sql: Sql,
  ids: readonly string[],
  workerId: string,
): Promise<StartedFetch[]> =>
  (await sql<{ begun: StartedFetchRow }>(BEGIN, [ids, workerId])).map(({ begun }) => toStartedFetch(begun));

const CLAIM = 'SELECT begun, rows FROM claim_rows(p_worker_id => $1, p_priority => $2, p_slots => $3)';

/**
 * Begins waiting rows of a priority, for at most `slots` slots; null if nothing waits. `rows` is how many began; some of them joined running
 * fetches.
 */
export async function claimRows(
  sql: Sql,
  { workerId, priority, slots }: { workerId: string; priority: Priority; slots: number },
): Promise<{ readonly begun: readonly StartedFetch[]; readonly rows: number } | null> {
  const [row] = await sql<{ begun: StartedFetchRow[]; rows: number }>(CLAIM, [workerId, priority, slots]);
  return row ? { ...row, begun: row.begun.map(toStartedFetch) } : null;
}

const ADOPT =
  'SELECT to_jsonb(b) AS begun FROM adopt_fetches(p_worker_id => $1, p_in_hand => $2, p_most => $3, p_are_suspect => $4) AS b';

/** Takes over fetches of dead workers. */
export const adoptFetches = async (
  sql: Sql,
  workerId: string,
  activeIds: readonly string[],
  { limit, areSuspect }: { readonly limit: number; readonly areSuspect: boolean },
): Promise<StartedFetch[]> =>
  (await sql<{ begun: StartedFetchRow }>(ADOPT, [workerId, activeIds, limit, areSuspect])).map(({ begun }) =>
    toStartedFetch(begun),
  );

const WAITING = `
  SELECT priority FROM unnest(enum_range(NULL::priority)) AS l (priority)
  WHERE EXISTS (SELECT FROM turns AS t WHERE t.priority = l.priority AND t.is_queued OFFSET 0)`;

/** Priorities with waiting rows. */
export const waitingPriorities = async (sql: Sql): Promise<Priority[]> =>
  (await sql<{ priority: Priority }>(WAITING, [])).map(({ priority }) => priority);
