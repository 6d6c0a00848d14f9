import { type PurgeOptions, purgeEach } from '@tds/service-kit';
import { DAY_MS, earlier } from '../domain/time.ts';
import type { Db } from './database.ts';

/** A session's idle end is never after its last. */
const deleteSessions = (db: Db, now: Date) => (limit: number) =>
  db.$executeRaw`
    DELETE FROM sessions WHERE id IN (
      SELECT id FROM sessions WHERE idle_expires_at <= ${now} ORDER BY idle_expires_at LIMIT ${limit} FOR UPDATE)`;

const deleteAddresses = (db: Db, dayAgo: Date) => (limit: number) =>
  db.$executeRaw`
    DELETE FROM sign_in_addresses WHERE email IN (
      SELECT email FROM sign_in_addresses
      WHERE expires_at <= ${dayAgo}
      ORDER BY expires_at LIMIT ${limit} FOR UPDATE)`;

const deleteWindows = (db: Db, dayAgo: Date) => (limit: number) =>
  db.$executeRaw`
    DELETE FROM throttle_windows WHERE (scope, subject) IN (
      SELECT scope, subject FROM throttle_windows WHERE started_at <= ${dayAgo}
      ORDER BY started_at LIMIT ${limit} FOR UPDATE)`;

const deleteReplies = (db: Db, dayAgo: Date) => (limit: number) =>
  db.$executeRaw`
    DELETE FROM kept_replies WHERE (account_id, actor, operation, digest) IN (
      SELECT account_id, actor, operation, digest FROM kept_replies WHERE created_at <= ${dayAgo}
      ORDER BY created_at LIMIT ${limit} FOR UPDATE)`;

/** Deletes what no rule looks at any more: sessions that ended, and sign-in facts and kept replies of more than a day. */
export const purgeExpiredRows = (db: Db, now: Date, options: PurgeOptions) => {
  const dayAgo = earlier(now, DAY_MS);
  return purgeEach(
    {
      sessions: deleteSessions(db, now),
      addresses: deleteAddresses(db, dayAgo),
      throttleWindows: deleteWindows(db, dayAgo),
      keptReplies: deleteReplies(db, dayAgo),
    },
    options,
  );
};
