import type { Deps } from '../deps.ts';
import { sweepSince } from '../domain/revocation-bound.ts';
import { findChangedKeys } from '../store/api-keys.ts';
import type { IdentityHandlers } from '../surface.ts';

/**
 * Removes every projected principal that may be wrong, and only then vouches for the others for 15 s from the moment
 * before the database was read. Whatever fails on the way, nobody vouches, and consumers ask identity itself.
 */
export const refreshPrincipals =
  (deps: Deps): IdentityHandlers['schedules']['refresh-principals'] =>
  async ({ record }) => {
    const sweptAfter = await deps.principals.time();
    const now = deps.now();
    const changed = await findChangedKeys(deps.db, sweepSince(now), now);
    await deps.principals.remove(changed.map(({ id, sealedDigest }) => deps.vault.unseal(sealedDigest, id)));
    await deps.principals.renewFreshness(sweptAfter);
    record.add({ removed: changed.length });
  };
