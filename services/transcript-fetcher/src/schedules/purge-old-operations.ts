import type { Deps } from '../deps.ts';
import { purgeOperations } from '../store/unresolved.ts';

/** Well beyond the day for which a result can be polled, so that support can look back. */
const KEPT_DAYS = 7;

export const purgeOldOperations =
  ({ db, kit }: Deps) =>
  async (): Promise<void> => {
    await kit.messaging.transaction(db, (tx) => purgeOperations(tx, KEPT_DAYS));
  };
