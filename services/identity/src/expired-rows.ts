import { type AgingRows, type PurgeOptions, purgeEach, purgeOlder } from '@tds/base';
import { DAY_MS } from '@tds/contracts';
import { earlier } from './domain/time.ts';
import { INVITATION_KEPT_MS } from './people/invitations.ts';
import type { Db } from './store/database.ts';

/** Deletes rows that no rule needs: ended sessions, and sign-in rows and kept replies older than a day. */
export const purgeExpiredRows = (db: Db, now: Date, options: PurgeOptions) => {
  const purge = (rows: AgingRows, keptMs = 0) => purgeOlder(db, rows, earlier(now, keptMs));
  return purgeEach(
    {
      // The idle expiry is never after the last one.
      sessions: purge({ table: 'sessions', age: 'idle_expires_at' }),
      addresses: purge({ table: 'sign_in_addresses', age: 'expires_at' }, DAY_MS),
      throttleWindows: purge({ table: 'throttle_windows', age: 'started_at' }, DAY_MS),
      grantRecords: purge({ table: 'grant_records', age: 'expires_at' }),
      mailsOfJobs: purge(
        // The id of a monitor has no hyphens.
        { table: 'mails_of_work', age: 'changed_at', where: "work_id LIKE '%-%'" },
        400 * DAY_MS,
      ),
      digestItems: purge({ table: 'digest_items', age: 'created_at' }, 10 * DAY_MS),
      invitations: purge({ table: 'invitations', age: 'expires_at' }, INVITATION_KEPT_MS),
      keptReplies: purge({ table: 'kept_replies', age: 'created_at' }, DAY_MS),
    },
    options,
  );
};
