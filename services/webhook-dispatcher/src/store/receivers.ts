import { onlyRow } from '@tds/base';
import { type ReceiverDisabledReason, type ReceiverEvent, type ReceiverForm, receiver } from '@tds/contracts';
import { z } from 'zod';
import type { Database, Db } from './database.ts';
import type { Prisma } from './prisma/client.ts';
import { failingFor, notFailing } from './webhooks.ts';

type ReceiverRow = Prisma.ReceiverGetPayload<object>;
/** A live receiver. */
export type LiveReceiver = Omit<ReceiverRow, 'form' | 'events' | 'disabledReason' | 'secretId'> & {
  readonly form: ReceiverForm;
  readonly events: ReceiverEvent[];
  readonly disabledReason: ReceiverDisabledReason | null;
  readonly secretId: string;
};

const inOrder = [{ createdAt: 'asc' }, { id: 'asc' }] satisfies Prisma.ReceiverOrderByWithRelationInput[];

/** The live receivers of an account, the oldest first. */
export const findReceivers = async (db: Database | Db, accountId: string): Promise<LiveReceiver[]> =>
  (await db.receiver.findMany({
    where: { accountId, deletedAt: null },
    orderBy: inOrder,
  })) as LiveReceiver[];

/** Null if the account has no such live receiver. */
export const findReceiver = async (
  db: Database | Db,
  accountId: string,
  id: string,
): Promise<LiveReceiver | null> =>
  (await db.receiver.findFirst({ where: { id, accountId, deletedAt: null } })) as LiveReceiver | null;

type NewReceiver = Pick<
  LiveReceiver,
  'id' | 'accountId' | 'name' | 'form' | 'url' | 'secretId' | 'events' | 'namedOnly' | 'createdByKeyId'
>;

/** Its version is set by `raiseReceiverVersion`. */
export const insertReceiver = (tx: Db, { createdByKeyId, ...fields }: NewReceiver, now: Date) =>
  tx.receiver.create({
    data: {
      ...fields,
      ...{ enabled: true, createdAt: now, updatedAt: now, version: 0 },
      ...{ createdByKeyId, updatedByKeyId: createdByKeyId },
    },
  });

type ChangedFields = Partial<Pick<LiveReceiver, 'name' | 'url' | 'secretId' | 'events' | 'namedOnly'>> & {
  readonly updatedByKeyId: string | null;
};

/** Changes a receiver and enables it, without failures. */
export const updateReceiver = async (
  tx: Db,
  id: string,
  fields: ChangedFields,
  now: Date,
): Promise<LiveReceiver> =>
  (await tx.receiver.update({
    where: { id },
    data: {
      ...fields,
      ...{ enabled: true, disabledReason: null, disabledAt: null, updatedAt: now, ...notFailing },
    },
  })) as LiveReceiver;

/** Ends a receiver, and the deliveries that wait for it. Requires the queue lock. */
export const endReceiver = async (tx: Db, id: string) => {
  await tx.$executeRaw`
    UPDATE receivers SET deleted_at = coalesce(deleted_at, now()), secret_id = NULL WHERE id = ${id}::uuid`;
  await tx.$executeRaw`
    UPDATE deliveries SET state = 'failed', due_at = NULL, secret_id = NULL, ended_at = now()
    WHERE receiver_id = ${id}::uuid AND state = 'waiting'`;
};

/** Database time in microseconds, and above every version of this receiver that was reapplied after a restore. Requires the queue lock. */
export const raiseReceiverVersion = async (tx: Db, id: string): Promise<number> => {
  const rows = await tx.$queryRaw<{ version: number }[]>`
    UPDATE receivers SET version = greatest(version + 1, floor(extract(epoch FROM clock_timestamp()) * 1e6)::bigint)
    WHERE id = ${id}::uuid RETURNING version::float8 AS version`;
  return onlyRow(rows).version;
};

export type DisabledReceiver = { readonly accountId: string; readonly receiverId: string };

/** Disables the receivers of these accounts that have failed for as long as a webhook may. */
export const disableFailingReceivers = (
  tx: Db,
  accountIds: readonly string[],
): Promise<DisabledReceiver[]> => tx.$queryRaw`
  UPDATE receivers SET enabled = false, disabled_reason = 'failing', disabled_at = now(), updated_at = now()
  WHERE account_id = ANY(${[...accountIds]}::uuid[]) AND enabled AND deleted_at IS NULL
    AND failing_since <= now() - ${failingFor.days}::int * interval '1 day' AND failed_days >= ${failingFor.failedDays}::int
  RETURNING account_id AS "accountId", id AS "receiverId"`;

/** Disables a receiver whose service says that this address has ended. It may have another one by now. */
export const disableGoneReceiver = (
  tx: Db,
  receiverId: string,
  secretId: string,
): Promise<DisabledReceiver[]> => tx.$queryRaw`
  UPDATE receivers SET enabled = false, disabled_reason = 'gone', disabled_at = now(), updated_at = now()
  WHERE id = ${receiverId}::uuid AND secret_id = ${secretId}::uuid AND enabled
  RETURNING account_id AS "accountId", id AS "receiverId"`;

/** Disables a receiver whose newer state cannot be opened. Requires the queue lock. */
export const disableWithLostSecret = async (tx: Db, id: string, version: number): Promise<boolean> => {
  const disabled = await tx.$executeRaw`
    UPDATE receivers SET enabled = false, disabled_reason = 'secret_lost', disabled_at = now(), updated_at = now(),
      version = ${version}::bigint
    WHERE id = ${id}::uuid AND deleted_at IS NULL`;
  return disabled > 0;
};

const time = z.iso.datetime().transform((text) => new Date(text));
const { name, form, url, events, named_only: namedOnly, disabled_reason: disabledReason } = receiver.shape;

/** A whole receiver, as the event `receiverChanged` carries it. */
export const receiverSnapshot = z.object({
  ...{ name, form, url, events, namedOnly, enabled: z.boolean(), disabledReason, disabledAt: time.nullable() },
  ...{ createdAt: time, updatedAt: time },
  ...{ createdByKeyId: z.string().nullable(), updatedByKeyId: z.string().nullable() },
  secret: z.object({ id: z.uuid(), sealed: z.string(), createdAt: time }),
});
export type ReceiverSnapshot = z.output<typeof receiverSnapshot>;

const stateFields = {
  ...{ name: true, form: true, url: true, events: true, namedOnly: true },
  ...{ enabled: true, disabledReason: true, disabledAt: true },
  ...{ createdAt: true, updatedAt: true, createdByKeyId: true, updatedByKeyId: true },
} as const;

/** Null after its end. */
export const readReceiverSnapshot = async (tx: Db, id: string): Promise<ReceiverSnapshot | null> => {
  const secret = { select: { id: true, sealed: true, createdAt: true } } as const;
  const row = await tx.receiver.findUnique({
    where: { id, deletedAt: null },
    select: { ...stateFields, secret },
  });
  return row as ReceiverSnapshot | null;
};

/** Whatever this database knows of a receiver; also one that has ended. */
export const findKnownReceiver = (tx: Db, id: string): Promise<ReceiverRow | null> =>
  tx.receiver.findUnique({ where: { id } });

type KnownReceiver = Pick<LiveReceiver, 'id' | 'accountId'> & { readonly version: number };

/** Replaces a receiver with this state, without failures. Requires the queue lock. */
export const writeReceiverState = async (
  tx: Db,
  { id, ...of }: KnownReceiver,
  { secret, ...state }: ReceiverSnapshot,
) => {
  await tx.secret.createMany({
    data: { ...secret, accountId: of.accountId },
    skipDuplicates: true,
  });
  const data = { ...of, ...state, secretId: secret.id, deletedAt: null, ...notFailing };
  await tx.receiver.upsert({ where: { id }, create: { id, ...data }, update: data });
};

/** Keeps that a receiver has ended, so that an older change does not bring it back. Requires the queue lock. */
export const writeReceiverTombstone = async (
  tx: Db,
  { id, accountId, version }: KnownReceiver,
  shown: Pick<LiveReceiver, 'name' | 'form' | 'url'>,
  now: Date,
) => {
  await tx.receiver.createMany({
    data: {
      ...{ id, accountId, ...shown, events: [], enabled: true, version },
      ...{ createdAt: now, updatedAt: now, deletedAt: now },
    },
    skipDuplicates: true,
  });
  await endReceiver(tx, id);
  await tx.receiver.update({ where: { id }, data: { version } });
};
