import { onSchedule, purgeEach } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { later } from '../domain/checkout-rules.ts';
import { deleteWindows } from '../store/checkout-windows.ts';
import { deleteEvents } from '../store/payment-events.ts';
import { deleteUnpaid } from '../store/purchases.ts';

/** Twice as long as the processor tells of anything. */
const DAYS_60_MS = 5_184_000_000;

export const purgeOldRows = onSchedule(async ({ db, now }: Pick<Deps, 'db' | 'now'>, { record, signal }) => {
  const at = await now();
  const before = later(at, -DAYS_60_MS);
  const events = (limit: number) => deleteEvents(db, before, limit);
  const unpaid = (limit: number) => deleteUnpaid(db, before, limit);
  const windows = (limit: number) => deleteWindows(db, at, limit);
  record.add({ purged: await purgeEach({ events, unpaid, windows }, { signal }) });
});
