import { DAY_MS } from '@tds/contracts';
import { type AgingRows, type PurgeOptions, purgeEach, purgeOlder } from '@tds/service-kit';
import { earlier } from '../domain/time.ts';
import type { Db } from './database.ts';

/** A session's idle end is never after its last. */
const SESSIONS = { table: 'sessions', key: 'id', age: 'idle_expires_at' };
const ADDRESSES = { table: 'sign_in_addresses', key: 'email', age: 'expires_at' };
const WINDOWS = { table: 'throttle_windows', key: 'scope, subject', age: 'started_at' };
const REPLIES = { table: 'kept_replies', key: 'account_id, actor, operation, digest', age: 'created_at' };

/** Deletes what no rule looks at any more: sessions that ended, and sign-in facts and kept replies of more than a day. */
export const purgeExpiredRows = (db: Db, now: Date, options: PurgeOptions) => {
  const purgeAfterADay = (rows: AgingRows) => purgeOlder(db, rows, earlier(now, DAY_MS));
  return purgeEach(
    {
      sessions: purgeOlder(db, SESSIONS, now),
      addresses: purgeAfterADay(ADDRESSES),
      throttleWindows: purgeAfterADay(WINDOWS),
      keptReplies: purgeAfterADay(REPLIES),
    },
    options,
  );
};
