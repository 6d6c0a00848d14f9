import { identity } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { toApiKey } from '../domain/api-key.ts';
import { countLiveKeys, keyLimitOf } from '../domain/key-limit.ts';
import { findRevokedKeys, findWorkingKeys } from '../store/account-keys.ts';
import { findAccount } from '../store/accounts.ts';

const REVOKED_SHOWN = 100;

export const listKeys = onCommand(
  identity.listKeys,
  async ({ db, now }: Pick<Deps, 'db' | 'now'>, { accountId }) => {
    const at = now();
    const [{ tier }, working, revoked] = await Promise.all([
      findAccount(db, accountId),
      findWorkingKeys(db, accountId, at),
      findRevokedKeys(db, accountId, { now: at, atMost: REVOKED_SHOWN }),
    ]);
    const keys = [...working, ...revoked].sort(
      (one, other) => other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? -1 : 1),
    );
    return {
      keys: keys.map((key) => toApiKey(key, at)),
      liveKeys: countLiveKeys(working, at),
      keyLimit: keyLimitOf(tier),
    };
  },
);
