import { onSchedule } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { purgeExpiredRows } from '../store/expired-rows.ts';

export const purgeExpired = onSchedule(
  async ({ db, databaseNow }: Pick<Deps, 'db' | 'databaseNow'>, { record, signal }) => {
    record.add({ ...(await purgeExpiredRows(db, await databaseNow(), { signal })) });
  },
);
