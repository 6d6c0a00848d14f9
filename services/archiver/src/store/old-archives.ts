import { type PurgeOptions, purgeInBatches, purgeOlder } from '@tds/base';
import { DAY_MS } from '@tds/contracts';
import { crashPoint } from '@tds/messaging';
import type { Objects } from '@tds/objects';
import type { Database } from './database.ts';

/** Objects deleted before their rows are. */
const OBJECT_BATCH_SIZE = 20;

/** Deletes objects before their rows: after a death in between, the next run deletes them again. */
const deleteObjects = (db: Database, objects: Pick<Objects, 'delete'>, now: Date) => async (limit: number) => {
  const expiredObjects = await db.archiveObject.findMany({
    where: { deleteAfter: { lte: now } },
    select: { key: true },
    orderBy: { deleteAfter: 'asc' },
    take: limit,
  });
  const keys = expiredObjects.map(({ key }) => key);
  for (const key of keys) await objects.delete(key);
  if (keys.length > 0) crashPoint('archive-objects-deleted');
  await db.archiveObject.deleteMany({ where: { key: { in: keys } } });
  return keys.length;
};

/** Deletes the ZIPs of expired archives, and the archives after their last ZIP. */
export const deleteOld = async (
  db: Database,
  objects: Pick<Objects, 'delete'>,
  now: Date,
  options: PurgeOptions,
): Promise<{ readonly deletedObjects: number; readonly deletedArchives: number }> => {
  await purgeInBatches(
    (limit) => db.$executeRaw`
    UPDATE archive_objects SET delete_after = ${now} WHERE key IN (
      SELECT o.key FROM archives a JOIN archive_objects o ON o.archive_id = a.id
      WHERE a.expires_at <= ${now} AND (o.delete_after IS NULL OR o.delete_after > ${now}) LIMIT ${limit})`,
    options,
  );
  const deletedObjects = await purgeInBatches(deleteObjects(db, objects, now), {
    ...options,
    batch: OBJECT_BATCH_SIZE,
  });
  const deletedArchives = await purgeInBatches(
    (limit) => db.$executeRaw`
    DELETE FROM archives WHERE id IN (
      SELECT id FROM archives a WHERE expires_at <= ${now}
        AND NOT EXISTS (SELECT FROM archive_objects o WHERE o.archive_id = a.id)
      ORDER BY expires_at LIMIT ${limit} FOR UPDATE)`,
    options,
  );
  const days = { table: 'archive_days', age: 'day' };
  await purgeInBatches(purgeOlder(db, days, new Date(now.getTime() - 2 * DAY_MS)), options);
  return { deletedObjects, deletedArchives };
};
