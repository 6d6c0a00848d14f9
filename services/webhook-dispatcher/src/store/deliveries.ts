import { randomUUID } from 'node:crypto';
import type {
  Attempt,
  Delivery,
  DeliveryStatus,
  RequestOf,
  WebhookKind,
  webhookDispatcher,
} from '@tds/contracts';
import type { Database, Db } from './database.ts';
import type { Prisma } from './prisma/client.ts';

type NewDelivery = {
  readonly id: string;
  readonly accountId: string;
  readonly eventId: string;
  readonly kind: WebhookKind;
  readonly body: string;
  readonly url: string;
  /** Null if it is not sent: it is kept as one that has failed, and can be sent again. */
  readonly secretId: string | null;
  readonly isOverride: boolean;
  readonly jobId: string | null;
  readonly jobVersion: number | null;
  readonly monitorId: string | null;
  readonly resentFrom: string | null;
};

/** Puts a delivery into its account's queue, once per id. False where it is there already. The queue is held. */
export const insertDelivery = async (tx: Db, given: NewDelivery): Promise<boolean> => {
  const isSent = given.secretId !== null;
  const inserted = await tx.$executeRaw`
    WITH queue AS (
      UPDATE queues SET due_at = least(due_at, now()) WHERE account_id = ${given.accountId}::uuid AND ${isSent}
    ), endpoint AS (
      INSERT INTO endpoints (id, account_id, url, due_at, used_at)
      VALUES (${randomUUID()}::uuid, ${given.accountId}::uuid, ${given.url},
        CASE WHEN ${isSent} THEN now() END, now())
      ON CONFLICT (account_id, url) DO UPDATE SET due_at = least(endpoints.due_at, excluded.due_at), used_at = now()
      RETURNING id
    )
    INSERT INTO deliveries (id, account_id, endpoint_id, event_id, kind, body, secret_id, is_override, job_id,
      job_version, monitor_id, resent_from, state, due_at, ended_at, created_at)
    SELECT ${given.id}::uuid, ${given.accountId}::uuid, endpoint.id, ${given.eventId}::uuid, ${given.kind}, ${given.body},
      ${given.secretId}::uuid, ${given.isOverride}, ${given.jobId}::uuid, ${given.jobVersion}::bigint,
      ${given.monitorId}, ${given.resentFrom}::uuid, CASE WHEN ${isSent} THEN 'waiting' ELSE 'failed' END,
      CASE WHEN ${isSent} THEN now() END, CASE WHEN NOT ${isSent} THEN now() END, now()
    FROM endpoint
    ON CONFLICT (id) DO NOTHING`;
  return inserted > 0;
};

/** A delivery that has not ended is attempted no more: what is under way ends with its own outcome. The queue is held. */
export const replaceDelivery = async (tx: Db, id: string, replacedBy: string): Promise<void> => {
  await tx.$executeRaw`
    UPDATE deliveries SET replaced_by = ${replacedBy}::uuid WHERE id = ${id}::uuid AND state = 'sending'`;
  await tx.$executeRaw`
    UPDATE deliveries SET replaced_by = ${replacedBy}::uuid, state = 'failed', due_at = NULL, secret_id = NULL, ended_at = now()
    WHERE id = ${id}::uuid AND state = 'waiting'`;
};

type Row = Prisma.DeliveryGetPayload<object>;
/** With where it goes. */
export type StoredDelivery = Row & { readonly url: string };

const statusOf = (state: string): DeliveryStatus =>
  state === 'delivered' || state === 'failed' ? state : 'pending';

export const toDelivery = (row: StoredDelivery): Delivery => ({
  id: row.id,
  eventId: row.eventId,
  event: row.kind as Delivery['event'],
  status: statusOf(row.state),
  url: row.url,
  jobId: row.jobId,
  monitorId: row.monitorId,
  resentFrom: row.resentFrom,
  replacedBy: row.replacedBy,
  attemptCount: row.attempts,
  nextAttemptAt: row.state === 'waiting' ? (row.dueAt?.toISOString() ?? null) : null,
  createdAt: row.createdAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
});

/** As they were saved. */
export const attemptsOf = ({ attemptLog }: StoredDelivery): Attempt[] => attemptLog as unknown as Attempt[];

const withUrls = async (db: Db, rows: readonly Row[]): Promise<StoredDelivery[]> => {
  const ids = [...new Set(rows.map(({ endpointId }) => endpointId))];
  const endpoints = await db.endpoint.findMany({
    where: { id: { in: ids } },
    select: { id: true, url: true },
  });
  const urls = new Map(endpoints.map(({ id, url }) => [id, url]));
  return rows.map((row) => ({ ...row, url: urls.get(row.endpointId) ?? '' }));
};

/** Null for those of others as for those that nobody has. */
export const findDelivery = async (db: Db, accountId: string, id: string): Promise<StoredDelivery | null> => {
  const row = await db.delivery.findUnique({ where: { id, accountId } });
  return (row && (await withUrls(db, [row]))[0]) ?? null;
};

/** One that was just made. */
export const foundDelivery = async (tx: Db, accountId: string, id: string): Promise<StoredDelivery> => {
  const found = await findDelivery(tx, accountId, id);
  if (found === null) throw new Error('a delivery is not there that was just made');
  return found;
};

/** Each has an index that is in the order of a page. */
const statusConditions: Readonly<Record<DeliveryStatus, Prisma.DeliveryWhereInput>> = {
  pending: { endedAt: null },
  delivered: { state: 'delivered', endedAt: { not: null } },
  failed: { state: 'failed', endedAt: { not: null } },
};

type Wanted = RequestOf<typeof webhookDispatcher.listDeliveries>;

const conditionsOf = ({
  accountId,
  event,
  jobId,
  monitorId,
  status,
}: Wanted): Prisma.DeliveryWhereInput[] => [
  { accountId },
  ...(event === undefined ? [] : [{ kind: event }]),
  ...(jobId === undefined ? [] : [{ jobId }]),
  ...(monitorId === undefined ? [] : [{ monitorId }]),
  ...(status === undefined ? [] : [statusConditions[status]]),
];

export const findDeliveries = async (db: Database, wanted: Wanted): Promise<StoredDelivery[]> => {
  const rows = await db.delivery.findMany({
    where: { AND: conditionsOf(wanted) },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    skip: wanted.offset,
    take: wanted.limit,
  });
  return withUrls(db, rows);
};

export const countDeliveries = (db: Database, wanted: Wanted): Promise<number> =>
  db.delivery.count({ where: { AND: conditionsOf(wanted) } });
