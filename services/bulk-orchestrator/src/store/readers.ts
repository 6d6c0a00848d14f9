import type { Database } from './database.ts';

/** One process reads the news of a job, until then; null where another one does. */
export const beginReading = async (db: Database, id: string, forMs: number): Promise<Date | null> => {
  const [reading] = await db.$queryRaw<{ until: Date }[]>`
    UPDATE jobs SET read_until = clock_timestamp() + ${forMs} * interval '1 ms'
    WHERE id = ${id}::uuid AND (read_until IS NULL OR read_until < clock_timestamp())
    RETURNING read_until AS until`;
  return reading?.until ?? null;
};

export const endReading = async (db: Database, id: string, until: Date): Promise<void> => {
  await db.job.updateMany({ where: { id, readUntil: until }, data: { readUntil: null } });
};
