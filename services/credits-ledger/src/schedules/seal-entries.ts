import { onSchedule } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { sealEntries as seal } from '../store/seals.ts';

/** About a tenth of a second of sealing. */
const BATCH = 10_000;

/** Extends the chains of hashes to the newest entries; if a run is cut short, the next one continues. */
export const sealEntries = onSchedule(async ({ db }: Pick<Deps, 'db'>, { signal, record }) => {
  let sealed = 0;
  for (let last = BATCH; last >= BATCH && !signal.aborted; sealed += last) last = await seal(db, BATCH);
  record.add({ sealed });
});
