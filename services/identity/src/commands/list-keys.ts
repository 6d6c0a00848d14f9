import { identity } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { toApiKey } from '../domain/api-key.ts';
import { countLiveKeys, keyLimitOf } from '../domain/key-limit.ts';
import { findRevokedKeys, findWorkingKeys } from '../store/account-keys.ts';
import { findAccount } from '../store/accounts.ts';

const REVOKED_SHOWN = 100;

export const listKeys = onCommand(identity.listKeys, async (deps: Deps, { accountId }) => {
  const now = deps.now();
  const [{ tier }, working, revoked] = await Promise.all([
    findAccount(deps.db, accountId),
    findWorkingKeys(deps.db, accountId, now),
    findRevokedKeys(deps.db, accountId, { now, atMost: REVOKED_SHOWN }),
  ]);
  const keys = [...working, ...revoked].sort(
    (one, other) => other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? -1 : 1),
  );
  return {
    keys: keys.map((key) => toApiKey(key, now)),
    liveKeys: countLiveKeys(working, now),
    keyLimit: keyLimitOf(tier),
  };
});
