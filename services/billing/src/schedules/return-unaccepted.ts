import { onSchedule, purgeEach } from '@tds/service-kit';
import { giveBack } from '../application/give-back.ts';
import type { Deps } from '../deps.ts';
import { findUnaccepted } from '../store/limited-purchases.ts';

/** Gives the money of purchases back that nobody has accepted in time. */
export const returnUnaccepted = onSchedule(
  async (deps: Pick<Deps, 'db' | 'messaging' | 'now'>, { record, signal }) => {
    const now = await deps.now();
    const returned = async (limit: number): Promise<number> => {
      const ids = await findUnaccepted(deps.db, now, limit);
      for (const id of ids) await giveBack(deps, id, 'Nobody has accepted it.');
      return ids.length;
    };
    record.add({ returned: await purgeEach({ returned }, { signal }) });
  },
);
