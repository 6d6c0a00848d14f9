import { onSchedule } from '@tds/service-kit';
import type { CoreDeps } from '../deps.ts';
import { entryLifeMs, sweepSince } from '../domain/revocation-bound.ts';
import { toPrincipal } from '../domain/to-principal.ts';
import { findChangedKeys } from '../store/api-keys.ts';
import type { ProjectedPrincipal } from '../store/projected-principals.ts';

const isLiving = ({ lifeMs }: ProjectedPrincipal): boolean => lifeMs >= 1;

/**
 * Removes the projected principals of keys that have ended, rewrites those of keys that have changed, and only then renews
 * `principals-fresh`: for 15 s from the moment before the database was read. If any step fails it lapses, and gateways ask
 * identity itself.
 */
export const refreshPrincipals = onSchedule(
  async (deps: Pick<CoreDeps, 'db' | 'principals' | 'vault' | 'databaseNow'>, { record }) => {
    const sweptAfter = await deps.principals.time();
    const now = await deps.databaseNow();
    const changed = await findChangedKeys(deps.db, sweepSince(now), now);
    const entries = changed.map((key) => ({
      keyDigest: deps.vault.unseal(key.sealedDigest, key.keyId),
      principal: toPrincipal(key),
      lifeMs: key.works ? entryLifeMs(key.revokeAt, now) : 0,
    }));
    const [living, ended] = [entries.filter(isLiving), entries.filter((entry) => !isLiving(entry))];
    await deps.principals.remove(ended.map(({ keyDigest }) => keyDigest));
    await deps.principals.write(living, sweptAfter);
    await deps.principals.renewFreshness(sweptAfter);
    record.add({ removed: ended.length, refreshed: living.length });
  },
);
