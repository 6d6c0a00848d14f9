import { onSchedule, purgeInBatches } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { forgetUsageBatches as forget } from '../store/usage.ts';

/** A gateway repeats a batch for as long as it lives and the ledger does not answer: far less than this. */
const REMEMBERED_MS = 7 * 86_400_000;

export const forgetUsageBatches = onSchedule(
  async ({ db, now }: Pick<Deps, 'db' | 'now'>, { signal, record }) => {
    const before = new Date(now().getTime() - REMEMBERED_MS);
    record.add({ forgotten: await purgeInBatches((limit) => forget(db, before, limit), { signal }) });
  },
);
