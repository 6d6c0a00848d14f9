import { onSchedule } from '@tds/service-kit';
import { readStatus } from '../application/read-status.ts';
import type { Deps } from '../deps.ts';
import { noteImpaired } from '../store/changes.ts';

/** Silence makes no event: somebody has to look. */
export const followIncidents = onSchedule(async ({ db, now }: Pick<Deps, 'db' | 'now'>, { record }) => {
  const at = await now();
  const { impaired } = await readStatus({ db }, at);
  if (await noteImpaired(db, impaired, at)) record.add({ impaired: impaired.join(' ') });
});
