import { onSchedule, purgeEach } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { purgesOf } from '../store/old-rows.ts';

export const purgeOldRows = onSchedule(async ({ db, now }: Pick<Deps, 'db' | 'now'>, { signal, record }) => {
  record.add(await purgeEach(purgesOf(db, await now()), { signal }));
});
