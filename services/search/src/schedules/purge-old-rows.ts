import { onSchedule } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { purgeOld } from '../store/old-rows.ts';

export const purgeOldRows = onSchedule(async ({ db, now }: Deps, { record, signal }) => {
  record.add(await purgeOld(db, now(), { signal }));
});
