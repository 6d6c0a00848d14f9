import type { Database } from './database.ts';

export const saveVideoList = async (
  db: Database,
  key: string,
  videoIds: readonly string[],
  now: Date,
): Promise<void> => {
  await db.videoList.upsert({
    where: { key },
    create: { key, videoIds: [...videoIds], createdAt: now, usedAt: now },
    update: { usedAt: now },
  });
};

/** Counts as a use of it: a list is forgotten when nobody has used it for long. */
export const useVideoList = async (
  db: Database,
  key: string,
  now: Date,
): Promise<readonly string[] | null> => {
  const [row] = await db.videoList.updateManyAndReturn({ where: { key }, data: { usedAt: now } });
  return row?.videoIds ?? null;
};
