import type { Deps } from '../deps.ts';
import { purgeExpiredRows } from '../store/expired-rows.ts';
import type { IdentityHandlers } from '../surface.ts';

export const purgeExpired =
  (deps: Deps): IdentityHandlers['schedules']['purge-expired'] =>
  async ({ record, signal }) => {
    record.add({ ...(await purgeExpiredRows(deps.db, await deps.databaseNow(), { signal })) });
  };
