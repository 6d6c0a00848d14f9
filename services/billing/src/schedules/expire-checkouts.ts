import { onSchedule } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { expireOld } from '../store/purchases.ts';

/** Pages that nobody has paid in time, so that their accounts may open others. */
export const expireCheckouts = onSchedule(async ({ db, now }: Pick<Deps, 'db' | 'now'>, { record }) => {
  record.add({ expired: await expireOld(db, await now()) });
});
