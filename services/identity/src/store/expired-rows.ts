import { type AgingRows, type PurgeOptions, purgeEach, purgeOlder } from '@tds/base';
import { DAY_MS } from '@tds/contracts';
import { INVITATION_KEPT_MS } from '../domain/invitations.ts';
import { earlier } from '../domain/time.ts';
import type { Db } from './database.ts';

/** The idle expiry is never after the last one. */
const SESSIONS = { table: 'sessions', age: 'idle_expires_at' };
const ADDRESSES = { table: 'sign_in_addresses', age: 'expires_at' };
const WINDOWS = { table: 'throttle_windows', age: 'started_at' };
const GRANT_RECORDS = { table: 'grant_records', age: 'expires_at' };
const DIGEST_ITEMS = { table: 'digest_items', age: 'created_at' };
const INVITATIONS = { table: 'invitations', age: 'expires_at' };
const REPLIES = { table: 'kept_replies', age: 'created_at' };

/** Deletes rows that no rule needs: ended sessions, and sign-in rows and kept replies older than a day. */
export const purgeExpiredRows = (db: Db, now: Date, options: PurgeOptions) => {
  const purgeAfterADay = (rows: AgingRows) => purgeOlder(db, rows, earlier(now, DAY_MS));
  return purgeEach(
    {
      sessions: purgeOlder(db, SESSIONS, now),
      addresses: purgeAfterADay(ADDRESSES),
      throttleWindows: purgeAfterADay(WINDOWS),
      grantRecords: purgeOlder(db, GRANT_RECORDS, now),
      digestItems: purgeOlder(db, DIGEST_ITEMS, earlier(now, 10 * DAY_MS)),
      invitations: purgeOlder(db, INVITATIONS, earlier(now, INVITATION_KEPT_MS)),
      keptReplies: purgeAfterADay(REPLIES),
    },
    options,
  );
};
