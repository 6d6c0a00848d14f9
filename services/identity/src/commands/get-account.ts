import type { Deps } from '../deps.ts';
import { countLiveKeys, keyLimitOf } from '../domain/key-limit.ts';
import { findWorkingKeys } from '../store/account-keys.ts';
import { findAccount } from '../store/accounts.ts';
import type { IdentityHandlers } from '../surface.ts';

export const getAccount =
  ({ db, now: clock }: Deps): IdentityHandlers['commands']['get-account'] =>
  async ({ accountId, keyId }) => {
    const now = clock();
    const [account, working] = await Promise.all([
      findAccount(db, accountId),
      findWorkingKeys(db, accountId, now),
    ]);
    const { email, status, tier, createdAt } = account;
    const asking = working.find(({ id }) => id === keyId);
    return {
      ...{ email, status, tier },
      createdAt: createdAt.toISOString(),
      liveKeys: countLiveKeys(working, now),
      keyLimit: keyLimitOf(tier),
      callingKey: asking ? { id: asking.id, name: asking.name, prefix: asking.prefix } : null,
    };
  };
