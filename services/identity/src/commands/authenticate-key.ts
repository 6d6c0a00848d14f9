import { identity, serviceError } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { isUseWorthMarking } from '../domain/api-key.ts';
import { entryLifeMs } from '../domain/revocation-bound.ts';
import { toPrincipal } from '../domain/to-principal.ts';
import { findLiveKey, markKeyUsed } from '../store/api-keys.ts';
import type { RedisTime } from '../store/projected-principals.ts';

/** Null if Redis is away: then nothing is projected, and every look-up comes here. */
const redisTime = ({ principals }: Deps): Promise<RedisTime | null> => principals.time().catch(() => null);

/** Answers from the database, and then leaves the answer in Redis for gateways. */
export const authenticateKey = onCommand(identity.authenticateKey, async (deps: Deps, { keyDigest }) => {
  // Asked before the database is read, so that the entry never claims to be younger than its facts.
  const readAfter = await redisTime(deps);
  const now = deps.now();
  const key = await findLiveKey(deps.db, deps.vault.keyedDigest(keyDigest), now);
  if (!key) throw serviceError('invalid_api_key');
  const principal = toPrincipal(key);
  if (readAfter !== null) {
    const lifeMs = entryLifeMs(key.revokeAt, now);
    deps.afterAnswer(() => deps.principals.write([{ keyDigest, principal, lifeMs }], readAfter));
  }
  if (isUseWorthMarking(key.lastUsedAt, now)) {
    deps.afterAnswer(() => markKeyUsed(deps.db, key.keyId, now));
  }
  return principal;
});
