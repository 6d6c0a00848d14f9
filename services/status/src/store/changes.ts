import type { Impairment } from '@tds/contracts';
import type { Change } from '../domain/incidents.ts';
import type { Db } from './database.ts';

/** Longer than any day that is shown, so that what began before is known. */
const DAYS = 120;

/** Notes from when on these impairments are there; where nothing has changed, nothing. */
export const noteImpaired = async (tx: Db, impaired: readonly Impairment[], now: Date): Promise<boolean> => {
  const noted = await tx.$executeRaw`
    INSERT INTO changes (changed_at, impaired)
    SELECT ${now}, ${[...impaired]}::text[]
    WHERE coalesce((SELECT impaired FROM changes ORDER BY changed_at DESC LIMIT 1), '{}') <> ${[...impaired]}::text[]
    ON CONFLICT DO NOTHING`;
  return noted > 0;
};

export const readChanges = async (db: Db, now: Date): Promise<Change[]> => db.$queryRaw<Change[]>`
  SELECT changed_at AS "changedAt", impaired FROM changes
  WHERE changed_at > ${now}::timestamptz - ${DAYS}::int * interval '1 day' ORDER BY changed_at`;
