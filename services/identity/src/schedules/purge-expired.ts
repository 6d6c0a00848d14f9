import { onSchedule } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { purgeExpiredRows } from '../store/expired-rows.ts';

export const purgeExpired = onSchedule(async (deps: Deps, { record, signal }) => {
  record.add({ ...(await purgeExpiredRows(deps.db, await deps.databaseNow(), { signal })) });
});
