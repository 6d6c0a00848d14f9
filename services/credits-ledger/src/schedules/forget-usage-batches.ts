import { onSchedule, purgeInBatches } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { deleteUsageBatches } from '../store/usage.ts';

/** A gateway repeats a batch while it lives and the ledger does not answer: far shorter than this. */
const KEPT_MS = 7 * 86_400_000;

export const forgetUsageBatches = onSchedule(
  async ({ db, now }: Pick<Deps, 'db' | 'now'>, { signal, record }) => {
    const before = new Date(now().getTime() - KEPT_MS);
    record.add({
      forgotten: await purgeInBatches((limit) => deleteUsageBatches(db, before, limit), { signal }),
    });
  },
);
