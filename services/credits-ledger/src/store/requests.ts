import {
  type creditsLedger,
  DAY_MS,
  type KeyKind,
  keptRequests,
  type LoggedRequest,
  lowestIdAt,
  type ReportedRequest,
  type RequestOf,
  timeOfId,
} from '@tds/contracts';
import { type Database, type Db, readValue } from './database.ts';
import { filterKeys, withCauses } from './people.ts';
import type { Request } from './prisma/client.ts';

/** A column of an index is not null. */
const NO_CODE = '';

/** Adds requests; an id that the account has already keeps its row. Closed accounts get none. Resolves to the number of new rows. */
export const addRequests = (db: Db, requests: readonly ReportedRequest[]): Promise<number> =>
  readValue(db.$queryRaw`
    WITH added AS (
      INSERT INTO requests (
        account_id, request_id, key_id, route, status, code, credits_charged, duration_ms, video_id, job_id, person_id
      )
      SELECT account_id, request_id, key_id, route, status, coalesce(code, ${NO_CODE}), credits_charged, duration_ms,
             video_id, job_id, person_id
      FROM jsonb_to_recordset(${JSON.stringify(requests)}::jsonb) AS r (
        account_id uuid, request_id uuid, key_id uuid, route text, status smallint, code text, credits_charged integer,
        duration_ms integer, video_id text, job_id uuid, person_id uuid
      )
      WHERE NOT EXISTS (SELECT FROM accounts AS a WHERE a.account_id = r.account_id AND a.status = 'closed')
      ORDER BY request_id
      ON CONFLICT DO NOTHING RETURNING request_id
    ) SELECT count(*)::int AS value FROM added`);

/** Without the person and kind of its key; a session has none. */
const toLoggedRequest = ({ requestId, code, ...row }: Request) => ({
  request_id: requestId,
  created_at: timeOfId(requestId).toISOString(),
  key_id: row.keyId,
  route: row.route,
  status: row.status,
  code: code === NO_CODE ? null : code,
  credits_charged: row.creditsCharged,
  duration_ms: row.durationMs,
  video_id: row.videoId,
  job_id: row.jobId,
  ...(row.personId !== null && { person_id: row.personId }),
  ...(row.keyId === null && { via: 'dashboard' as const }),
});

type RequestQuery = RequestOf<typeof creditsLedger.listRequests>;

const dayAfter = (day: string): Date => new Date(Date.parse(day) + DAY_MS);

const viaCondition = (via: KeyKind, keyIds: string[]) => ({
  OR: [{ keyId: { in: keyIds } }, ...(via === 'dashboard' ? [{ keyId: null }] : [])],
});

const toConditions = (
  { accountId, keyId, personId, via, code, failed, from, to }: RequestQuery,
  keyIds: string[],
) => [
  { accountId },
  ...(personId ? [{ personId }] : []),
  ...(via ? [viaCondition(via, keyIds)] : []),
  ...(keyId === null ? [] : [{ keyId }]),
  ...(code === null ? [] : [{ code }]),
  ...(failed === null ? [] : [{ code: failed ? { gt: NO_CODE } : NO_CODE }]),
  ...(from === null ? [] : [{ requestId: { gte: lowestIdAt(new Date(from)) } }]),
  ...(to === null ? [] : [{ requestId: { lt: lowestIdAt(dayAfter(to)) } }]),
];

/** A page, newest first, and the number of requests on all pages. */
export async function readRequests(
  db: Database,
  query: RequestQuery,
): Promise<{ requests: LoggedRequest[]; total: number }> {
  const { accountId, via } = query;
  const keyIds = via ? await filterKeys(db, { accountId, keyId: null, via }) : [];
  const where = { AND: toConditions(query, keyIds ?? []) };
  const { limit: take, offset: skip } = query;
  const [rows, total] = await Promise.all([
    db.request.findMany({ where, orderBy: { requestId: 'desc' }, skip, take }),
    db.request.count({ where }),
  ]);
  return { requests: await withCauses(db, rows.map(toLoggedRequest)), total };
}

/** Null if the account has no such request. */
export async function findRequest(
  db: Database,
  accountId: string,
  requestId: string,
): Promise<LoggedRequest | null> {
  const row = await db.request.findUnique({ where: { requestId_accountId: { requestId, accountId } } });
  const [request] = await withCauses(db, row ? [toLoggedRequest(row)] : []);
  return request ?? null;
}

/** Deletes the oldest requests that arrived before a moment. Resolves to their number. */
export const deleteOldRequests = (db: Database, before: Date, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM requests WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM requests WHERE request_id < ${lowestIdAt(before)}::uuid ORDER BY request_id LIMIT ${limit}))`;

/** The requests of an account with one code, or without one, of which the newest `kept` stay. */
type CrowdedRequests = { readonly accountId: string; readonly code: string; readonly kept: number };

/**
 * Of what was reported since a moment, the accounts and codes with more requests than they keep; a closed account keeps none. Reads no
 * more than has arrived, and the index up to the bound.
 */
export const listCrowded = (db: Db, since: Date): Promise<CrowdedRequests[]> =>
  db.$queryRaw<CrowdedRequests[]>`
    SELECT account_id AS "accountId", code, kept FROM (
      SELECT r.account_id, r.code,
             CASE WHEN a.status = 'closed' THEN 0 WHEN r.code = ${NO_CODE} THEN ${keptRequests.withoutError}::int
                  ELSE ${keptRequests.withOneCode}::int END AS kept
      FROM (SELECT DISTINCT account_id, code FROM requests WHERE request_id >= ${lowestIdAt(since)}::uuid) AS r
      LEFT JOIN accounts AS a USING (account_id)
    ) AS recent
    WHERE EXISTS (
      SELECT FROM requests AS r WHERE r.account_id = recent.account_id AND r.code = recent.code
      ORDER BY r.request_id DESC OFFSET recent.kept)`;

/** Deletes requests beyond the newest ones that stay. Resolves to their number. */
export const deleteSurplus = (
  db: Database,
  { accountId, code, kept }: CrowdedRequests,
  limit: number,
): Promise<number> =>
  db.$executeRaw`
    DELETE FROM requests WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM requests WHERE account_id = ${accountId}::uuid AND code = ${code}
      ORDER BY request_id DESC OFFSET ${kept} LIMIT ${limit}))`;

/** For a closed account, which gets no further ones. */
export const deleteRequestsOf = (tx: Pick<Database, 'request'>, accountId: string): Promise<unknown> =>
  tx.request.deleteMany({ where: { accountId } });
