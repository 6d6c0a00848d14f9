import type { Deps } from '../deps.ts';
import { purgeColdCounts } from '../store/cold-counts.ts';
import { purgeOperations } from '../store/unresolved.ts';

/** Well beyond the day for which a result can be polled, so that support can look back. */
const KEPT_DAYS = 7;

export const purgeOldOperations =
  ({ db, kit }: Deps) =>
  async (): Promise<void> => {
    await kit.messaging.transaction(db, async (tx) => {
      await purgeOperations(tx, KEPT_DAYS);
      await purgeColdCounts(tx, KEPT_DAYS);
    });
  };
