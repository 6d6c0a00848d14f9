import { identity } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { countLiveKeys, keyLimitOf } from '../domain/key-limit.ts';
import { findWorkingKeys } from '../store/account-keys.ts';
import { findAccount } from '../store/accounts.ts';

export const getAccount = onCommand(
  identity.getAccount,
  async ({ db, now }: Pick<Deps, 'db' | 'now'>, { accountId, keyId }) => {
    const at = now();
    const [account, working] = await Promise.all([
      findAccount(db, accountId),
      findWorkingKeys(db, accountId, at),
    ]);
    const { email, status, frozenReason, tier, createdAt } = account;
    const asking = working.find(({ id }) => id === keyId);
    return {
      email,
      status,
      frozenReason,
      tier,
      createdAt: createdAt.toISOString(),
      liveKeys: countLiveKeys(working, at),
      keyLimit: keyLimitOf(tier),
      callingKey: asking ? { id: asking.id, name: asking.name, prefix: asking.prefix } : null,
    };
  },
);
