import { type PurgeOptions, purgeInBatches } from '@tds/service-kit';
import { DAY_MS, earlier } from '../domain/time.ts';
import type { Db } from './database.ts';

export type Purged = {
  readonly sessions: number;
  readonly addresses: number;
  readonly throttleWindows: number;
  readonly keptReplies: number;
};

/** A session's idle end is never after its last. */
const deleteSessions = (db: Db, now: Date) => (limit: number) =>
  db.$executeRaw`
    DELETE FROM sessions WHERE id IN (
      SELECT id FROM sessions WHERE idle_expires_at <= ${now} ORDER BY idle_expires_at LIMIT ${limit} FOR UPDATE)`;

const deleteAddresses = (db: Db, dayAgo: Date) => (limit: number) =>
  db.$executeRaw`
    DELETE FROM sign_in_addresses WHERE email IN (
      SELECT email FROM sign_in_addresses
      WHERE expires_at <= ${dayAgo} AND (day_started_at IS NULL OR day_started_at <= ${dayAgo})
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
export const purgeExpiredRows = async (db: Db, now: Date, options: PurgeOptions): Promise<Purged> => {
  const dayAgo = earlier(now, DAY_MS);
  return {
    sessions: await purgeInBatches(deleteSessions(db, now), options),
    addresses: await purgeInBatches(deleteAddresses(db, dayAgo), options),
    throttleWindows: await purgeInBatches(deleteWindows(db, dayAgo), options),
    keptReplies: await purgeInBatches(deleteReplies(db, dayAgo), options),
  };
};
