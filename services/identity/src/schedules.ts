import { type AgingRows, type PurgeOptions, purgeEach, purgeOlder, walk } from '@tds/base';
import { DAY_MS, identity } from '@tds/contracts';
import { onSchedule } from '@tds/kit';
import { endUnused } from './apps/connections.ts';
import { findDeadConnections } from './apps/store/connections.ts';
import type { CoreDeps, Deps } from './deps.ts';
import { entryLifeMs, sweepSince, toPrincipal } from './domain/principal.ts';
import { earlier } from './domain/time.ts';
import { type EndToEmit, findChangedKeys, findEndsToEmit, markEmitted } from './keys/store/api-keys.ts';
import { INVITATION_KEPT_MS } from './people/invitations.ts';
import { lockAccount } from './store/accounts.ts';
import type { Db } from './store/database.ts';
import type { ProjectedPrincipal } from './store/projected-principals.ts';
import { transact } from './store/transact.ts';

/** Deletes rows that no rule needs: ended sessions, and sign-in rows and kept replies older than a day. */
const purgeExpiredRows = (db: Db, now: Date, options: PurgeOptions) => {
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

/** As long as a refresh token works. */
const UNUSED_MS = 90 * DAY_MS;

/** Also ends connections whose tokens have expired, so that their work and their place end, too. */
export const purgeExpired = onSchedule(async (deps: Deps, { requestId, record, signal }) => {
  const { db } = deps;
  const now = await deps.databaseNow();
  record.add({ ...(await purgeExpiredRows(db, now, { signal })) });
  const unused = { unusedSince: earlier(now, UNUSED_MS), now };
  for (const accountId of new Set((await findDeadConnections(db, unused)).map((dead) => dead.accountId)))
    await transact({ ...deps, now: () => now }, { actor: 'service', requestId }, async (transaction) => {
      await lockAccount(transaction.tx, accountId);
      const dead = await findDeadConnections(transaction.tx, { accountId, ...unused });
      await endUnused(transaction, dead);
    });
});

const isLiving = ({ lifeMs }: ProjectedPrincipal): boolean => lifeMs >= 1;

/**
 * Removes the projected principals of ended keys, rewrites those of changed keys, and then renews `principals-fresh` for 15 s from the time
 * before the database was read. If a step fails, it lapses, and gateways call identity instead.
 */
export const refreshPrincipals = onSchedule(
  async (deps: Pick<CoreDeps, 'db' | 'principals' | 'vault' | 'databaseNow'>, { record }) => {
    const sweptAfter = await deps.principals.time();
    const now = await deps.databaseNow();
    const rows = await findChangedKeys(deps.db, sweepSince(now), now);
    const entries = rows.map((key) => ({
      keyDigest: deps.vault.decrypt(key.encryptedDigest, key.keyId),
      principal: toPrincipal(key),
      lifeMs: key.works ? entryLifeMs(key.endsAt, now) : 0,
    }));
    const [living, endedEntries] = [entries.filter(isLiving), entries.filter((entry) => !isLiving(entry))];
    await deps.principals.remove(endedEntries.map(({ keyDigest }) => keyDigest));
    await deps.principals.write(living, sweptAfter);
    await deps.principals.renewFreshness(sweptAfter);
    record.add({ removed: endedEntries.length, refreshed: living.length });
  },
);

/** Emits the end of keys whose grace is over, because no request ends them. */
export const tellEndedKeys = onSchedule(
  async ({ db, messaging, vault, databaseNow }: Deps, { record, signal }) => {
    const now = await databaseNow();
    let emitted = 0;
    const emitEnds = (page: readonly EndToEmit[]) =>
      messaging.transaction(db, async (tx, send) => {
        const ids = page.map(({ id }) => id);
        for (const { id: keyId, accountId, encryptedDigest } of await markEmitted(tx, ids)) {
          const keyDigest = vault.decrypt(encryptedDigest, keyId);
          await send.emit(identity.keyRevoked, { accountId, keyId, keyDigest, atOnce: false });
          emitted += 1;
        }
      });
    await walk<EndToEmit>((after) => findEndsToEmit(db, now, after), emitEnds, signal);
    record.add({ emitted });
  },
);
