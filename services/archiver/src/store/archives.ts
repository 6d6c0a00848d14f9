import { randomUUID } from 'node:crypto';
import { FIRST_ID } from '@tds/base';
import { type ArchivePart, type TranscriptFormat, utcDay } from '@tds/contracts';
import { type ServiceErrorData, serviceError } from '@tds/errors';
import {
  type Archive,
  type ArchiveKey,
  KEPT_MS,
  LEFT_OVER_KEPT_MS,
  REPLACED_KEPT_MS,
  type StoredBytes,
} from '../domain/archive.ts';
import type { Database, Db } from './database.ts';
import type { Prisma } from './prisma/client.ts';

type ArchiveRow = NonNullable<Awaited<ReturnType<Database['archive']['findUnique']>>>;

const toArchive = ({ formats, kind, state, parts, error, bytes: _, ...row }: ArchiveRow): Archive => ({
  ...row,
  formats: formats.split(',') as TranscriptFormat[],
  kind: kind as Archive['kind'],
  state: state as Archive['state'],
  parts: parts as ArchivePart[],
  error: error as ServiceErrorData | null,
});

const later = (time: Date, ms: number): Date => new Date(time.getTime() + ms);

export const findArchive = async (db: Db, id: string): Promise<Archive | null> => {
  const row = await db.archive.findUnique({ where: { id } });
  return row && toArchive(row);
};

export const newestArchive = async (db: Db, key: ArchiveKey): Promise<Archive | null> => {
  const { accountId, jobId, contents } = key;
  const row = await db.archive.findFirst({
    where: { accountId, jobId, contents },
    orderBy: { createdAt: 'desc' },
  });
  return row && toArchive(row);
};

/** Null if another archive of the same contents is being built. */
export const openArchive = async (tx: Db, key: ArchiveKey, now: Date): Promise<Archive | null> => {
  const id = randomUUID();
  const data = { id, ...key, formats: key.formats.join(','), createdAt: now };
  const { count } = await tx.archive.createMany({ data, skipDuplicates: true });
  return count === 1 ? findArchive(tx, id) : null;
};

/** Saves the key of a ZIP before it is stored. Returns false if the build has ended: the ZIP would never be deleted. */
export const saveObject = async (db: Database, archiveId: string, key: string): Promise<boolean> => {
  const affectedRows = await db.$executeRaw`
    INSERT INTO archive_objects (key, archive_id)
    SELECT ${key}, id FROM archives WHERE id = ${archiveId}::uuid AND state = 'building' FOR SHARE`;
  return affectedRows === 1;
};

/** Marks objects of earlier attempts for deletion, when no attempt can be storing them any more. */
const dropLeftOver = (tx: Db, archiveId: string, parts: readonly ArchivePart[], now: Date) =>
  tx.archiveObject.updateMany({
    where: { archiveId, key: { notIn: parts.map(({ objectKey }) => objectKey) } },
    data: { deleteAfter: later(now, LEFT_OVER_KEPT_MS) },
  });

/** Makes an archive ready. The ones it replaces expire after their readers had time to finish. */
export const saveReady = async (
  tx: Db,
  { id, jobId, formats, kind, maxWords }: Archive,
  parts: readonly ArchivePart[],
  now: Date,
) => {
  const { count } = await tx.archive.updateMany({
    where: { id, state: 'building' },
    data: {
      state: 'ready',
      parts: parts as ArchivePart[],
      endedAt: now,
      expiresAt: later(now, KEPT_MS),
      bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    },
  });
  if (count === 0) return;
  await dropLeftOver(tx, id, parts, now);
  const replacedUntil = later(now, REPLACED_KEPT_MS);
  await tx.archive.updateMany({
    where: {
      jobId,
      ...{ formats: formats.join(','), kind, maxWords },
      id: { not: id },
      state: { not: 'building' },
      expiresAt: { gt: replacedUntil },
    },
    data: { expiresAt: replacedUntil },
  });
};

export const saveFailed = async (tx: Db, id: string, error: ServiceErrorData, now: Date) => {
  const { count } = await tx.archive.updateMany({
    where: { id, state: 'building' },
    data: {
      state: 'failed',
      error: error as Prisma.InputJsonObject,
      endedAt: now,
      expiresAt: later(now, KEPT_MS),
    },
  });
  if (count > 0) await dropLeftOver(tx, id, [], now);
};

/** Expires the archives of a job and ends its builds. Returns their number. */
export const expireArchivesOf = async (tx: Db, jobId: string, now: Date): Promise<number> => {
  const error = serviceError('job_not_found').data as Prisma.InputJsonObject;
  const building = await tx.archive.updateMany({
    where: { jobId, state: 'building' },
    data: { state: 'failed', error, endedAt: now, expiresAt: later(now, LEFT_OVER_KEPT_MS) },
  });
  const endedArchives = await tx.archive.updateMany({
    where: { jobId, state: { in: ['ready', 'failed'] }, expiresAt: { gt: later(now, LEFT_OVER_KEPT_MS) } },
    data: { expiresAt: now },
  });
  return building.count + endedArchives.count;
};

/** Saves when the first attempt of a build begins. */
export const markBegun = (db: Database, id: string, now: Date) =>
  db.archive.updateMany({ where: { id, begunAt: null }, data: { begunAt: now } });

export type Build = Pick<Archive, 'id' | 'accountId' | 'begunAt'>;

const PAGE = 200;

/** Archives created before `before` that are still being built, in the order of ids. */
export const findBuildsBefore = (db: Database, before: Date, after = FIRST_ID): Promise<Build[]> =>
  db.archive.findMany({
    where: { state: 'building', createdAt: { lt: before }, id: { gt: after } },
    select: { id: true, accountId: true, begunAt: true },
    orderBy: { id: 'asc' },
    take: PAGE,
  });

/** Counts a build of the account on this day; returns false, without counting, at the limit. */
export const takeBuildOfDay = async (
  tx: Db,
  { accountId, limit }: { readonly accountId: string; readonly limit: number },
  now: Date,
): Promise<boolean> => {
  const affectedRows = await tx.$executeRaw`
    INSERT INTO archive_days AS counted (account_id, day, builds) VALUES (${accountId}::uuid, ${utcDay(now)}::date, 1)
    ON CONFLICT (account_id, day) DO UPDATE SET builds = counted.builds + 1 WHERE counted.builds < ${limit}::int`;
  return affectedRows === 1;
};

/** The unexpired archives of the account. */
export const readStoredBytes = async (tx: Db, accountId: string, now: Date): Promise<StoredBytes> => {
  const [row] = await tx.$queryRaw<StoredBytes[]>`
    SELECT coalesce(sum(bytes), 0)::float8 AS bytes, min(expires_at) FILTER (WHERE bytes > 0) AS "firstExpiresAt"
    FROM archives WHERE account_id = ${accountId}::uuid AND expires_at > ${now}::timestamptz`;
  return row ?? { bytes: 0, firstExpiresAt: null };
};
