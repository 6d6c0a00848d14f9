import { onSchedule, purgeEach } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { purgesOf } from '../store/old-rows.ts';

export const purgeFeeds = onSchedule(async ({ db }: Pick<Deps, 'db'>, { signal, record }) => {
  record.add(await purgeEach(purgesOf(db), { signal }));
});
