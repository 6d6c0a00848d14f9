import { type PurgeOptions, purgeEach, purgeOlder } from '@tds/base';
import { DAY_MS, HOUR_MS } from '@tds/contracts';
import { later } from '../domain/checkout.ts';
import type { Database } from './database.ts';

/** Twice as long as the processor lists its events. */
const RETENTION_MS = 60 * DAY_MS;

const EVENTS = { table: 'payment_events', age: 'received_at' };
const UNPAID = { table: 'purchases', age: 'changed_at', where: "row.state = 'expired'" };
const WINDOWS = { table: 'checkout_windows', age: 'started_at' };

/** Deletes old events, purchases that expired unpaid, and windows whose hour is over. */
export const purgeOldRows = (db: Database, now: Date, options: PurgeOptions) =>
  purgeEach(
    {
      events: purgeOlder(db, EVENTS, later(now, -RETENTION_MS)),
      unpaid: purgeOlder(db, UNPAID, later(now, -RETENTION_MS)),
      windows: purgeOlder(db, WINDOWS, later(now, -HOUR_MS)),
    },
    options,
  );
