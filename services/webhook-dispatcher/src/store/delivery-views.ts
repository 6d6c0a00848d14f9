import type { Attempt, Delivery, DeliveryStatus, RequestOf, webhookDispatcher } from '@tds/contracts';
import type { Database, Db } from './database.ts';
import type { Prisma } from './prisma/client.ts';

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
