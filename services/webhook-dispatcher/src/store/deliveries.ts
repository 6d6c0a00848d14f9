import { randomUUID } from 'node:crypto';
import type { Attempt, Delivery, DeliveryStatus, RequestOf, webhookDispatcher } from '@tds/contracts';
import type { Database, Db } from './database.ts';
import type { Prisma } from './prisma/client.ts';

type DeliveryRow = Prisma.DeliveryGetPayload<object>;
export type StoredDelivery = DeliveryRow & { readonly url: string };

/** Without a secret, it is stored as failed and can be resent. */
type NewDelivery = Pick<StoredDelivery, 'id' | 'accountId' | 'eventId' | 'kind' | 'body' | 'url' | 'secretId'> &
  Pick<StoredDelivery, 'isOverride' | 'keyId' | 'jobId' | 'monitorId' | 'receiverId' | 'resentFrom'> & {
    readonly jobVersion: number | null;
    /** Most attempts at once at its endpoint; 16 by default. */
    readonly atOnce?: number;
    /** Milliseconds until it may leave. */
    readonly afterMs?: number;
  };

const AT_ONCE = 16;

/** Inserts a delivery into the queue of its account. Returns false if the id exists. Requires the queue lock. */
export const insertDelivery = async (tx: Db, delivery: NewDelivery): Promise<boolean> => {
  const isSent = delivery.secretId !== null;
  const inserted = await tx.$executeRaw`
    WITH queue AS (
      UPDATE queues SET due_at = least(due_at, now()) WHERE account_id = ${delivery.accountId}::uuid AND ${isSent}
    ), endpoint AS (
      INSERT INTO endpoints (id, account_id, url, due_at, used_at, at_once)
      VALUES (${randomUUID()}::uuid, ${delivery.accountId}::uuid, ${delivery.url},
        CASE WHEN ${isSent} THEN now() END, now(), ${delivery.atOnce ?? AT_ONCE}::smallint)
      ON CONFLICT (account_id, url) DO UPDATE SET due_at = least(endpoints.due_at, excluded.due_at), used_at = now()
      RETURNING id
    )
    INSERT INTO deliveries (id, account_id, endpoint_id, event_id, kind, body, secret_id, is_override, key_id, job_id,
      job_version, monitor_id, receiver_id, resent_from, state, due_at, ended_at, created_at)
    SELECT ${delivery.id}::uuid, ${delivery.accountId}::uuid, endpoint.id, ${delivery.eventId}::uuid, ${delivery.kind},
      ${delivery.body}, ${delivery.secretId}::uuid, ${delivery.isOverride}, ${delivery.keyId}::uuid, ${delivery.jobId}::uuid,
      ${delivery.jobVersion}::bigint, ${delivery.monitorId}, ${delivery.receiverId}::uuid, ${delivery.resentFrom}::uuid,
      CASE WHEN ${isSent} THEN 'waiting' ELSE 'failed' END,
      CASE WHEN ${isSent} THEN now() + ${delivery.afterMs ?? 0}::int * interval '1 millisecond' END,
      CASE WHEN NOT ${isSent} THEN now() END, now()
    FROM endpoint
    ON CONFLICT (id) DO NOTHING`;
  return inserted > 0;
};

/** Stops further attempts of a delivery that has not ended. A running attempt still saves its outcome. Requires the queue lock. */
export const replaceDelivery = async (tx: Db, id: string, replacedBy: string) => {
  await tx.delivery.updateMany({ where: { id, state: 'sending' }, data: { replacedBy } });
  await tx.$executeRaw`
    UPDATE deliveries SET replaced_by = ${replacedBy}::uuid, state = 'failed', due_at = NULL, secret_id = NULL, ended_at = now()
    WHERE id = ${id}::uuid AND state = 'waiting'`;
};

const statusOf = (state: string): DeliveryStatus =>
  state === 'delivered' || state === 'failed' ? state : 'pending';

export const toDelivery = (row: StoredDelivery): Delivery => ({
  id: row.id,
  event_id: row.eventId,
  event: row.kind as Delivery['event'],
  status: statusOf(row.state),
  url: row.url,
  job_id: row.jobId,
  monitor_id: row.monitorId,
  receiver_id: row.receiverId,
  resent_from: row.resentFrom,
  replaced_by: row.replacedBy,
  attempt_count: row.attempts,
  next_attempt_at: row.state === 'waiting' ? (row.dueAt?.toISOString() ?? null) : null,
  created_at: row.createdAt.toISOString(),
  ended_at: row.endedAt?.toISOString() ?? null,
});

/** The column holds what `take_turn` appends. */
export const attemptsOf = ({ attemptLog }: StoredDelivery): Attempt[] => attemptLog as Attempt[];

const withUrls = async (db: Db, rows: readonly DeliveryRow[]) => {
  const ids = [...new Set(rows.map(({ endpointId }) => endpointId))];
  const endpoints = await db.endpoint.findMany({
    where: { id: { in: ids } },
    select: { id: true, url: true },
  });
  const urls = new Map(endpoints.map(({ id, url }) => [id, url]));
  return rows.map((row) => ({ ...row, url: urls.get(row.endpointId) ?? '' }));
};

/** Null if the account has no such delivery. */
export const findDelivery = async (db: Db, accountId: string, id: string): Promise<StoredDelivery | null> => {
  const row = await db.delivery.findUnique({ where: { id, accountId } });
  return (row && (await withUrls(db, [row]))[0]) ?? null;
};

/** A delivery that must exist. */
export const getDelivery = async (tx: Db, accountId: string, id: string): Promise<StoredDelivery> => {
  const delivery = await findDelivery(tx, accountId, id);
  if (delivery === null) throw new Error(`delivery ${id} does not exist`);
  return delivery;
};

/** Each uses an index in the order of a page. */
const statusConditions: Readonly<Record<DeliveryStatus, Prisma.DeliveryWhereInput>> = {
  pending: { endedAt: null },
  delivered: { state: 'delivered', endedAt: { not: null } },
  failed: { state: 'failed', endedAt: { not: null } },
};

type ListRequest = RequestOf<typeof webhookDispatcher.listDeliveries>;

const toWhere = ({
  accountId,
  event,
  jobId,
  monitorId,
  receiverId,
  status,
}: ListRequest): Prisma.DeliveryWhereInput => ({
  accountId,
  ...(event && { kind: event }),
  ...(jobId && { jobId }),
  ...(monitorId && { monitorId }),
  ...(receiverId && { receiverId }),
  ...(status && statusConditions[status]),
});

export const findDeliveries = async (db: Database, request: ListRequest): Promise<StoredDelivery[]> => {
  const rows = await db.delivery.findMany({
    where: toWhere(request),
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    skip: request.offset,
    take: request.limit,
  });
  return withUrls(db, rows);
};

export const countDeliveries = (db: Database, request: ListRequest): Promise<number> =>
  db.delivery.count({ where: toWhere(request) });

/**
 * Deliveries to a receiver that have failed since then and were not sent again, the oldest first. What waits when a replacement is
 * requested is replaced by it.
 */
export const findFailedDeliveries = async (
  tx: Db,
  { accountId, receiverId, since }: { accountId: string; receiverId: string; since: Date },
  limit: number,
): Promise<StoredDelivery[]> => {
  const ids = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM deliveries AS d WHERE receiver_id = ${receiverId}::uuid AND account_id = ${accountId}::uuid
      AND state = 'failed' AND created_at >= ${since}::timestamptz AND replaced_by IS NULL AND kind <> 'webhook.test'
      AND NOT EXISTS (SELECT FROM deliveries AS r WHERE r.receiver_id = d.receiver_id AND r.event_id = d.event_id
        AND r.id <> d.id AND (r.resent_from = d.id OR r.state <> 'failed'))
    ORDER BY created_at, id LIMIT ${limit}::int`;
  const rows = await tx.delivery.findMany({
    where: { id: { in: ids.map(({ id }) => id) } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return withUrls(tx, rows);
};
