import { randomUUID } from 'node:crypto';
import type { AccountStatus, Tier } from '@tds/contracts';
import { createCoreDeps } from '../deps.ts';
import { revokeKey } from '../operations/revoke-key.ts';
import { setAccountStatus } from '../operations/set-account-status.ts';
import { setAccountTier } from '../operations/set-account-tier.ts';
import type { IdentityUnderTest } from './identity-under-test.ts';

/** What an operator does, at the time of the test's clock. */
export const operationsOf = ({ kit, environment, clock }: IdentityUnderTest) => {
  const deps = { ...createCoreDeps(kit, environment), now: clock.now };
  const by = { actor: 'operator', requestId: randomUUID() } as const;
  return {
    revokeKey: (keyId: string, revokeAt?: Date) =>
      revokeKey(deps, { ...by, keyId, ...(revokeAt && { revokeAt }) }),
    setTier: (email: string, tier: Tier) => setAccountTier(deps, { ...by, email, tier }),
    setStatus: (email: string, status: AccountStatus) => setAccountStatus(deps, { ...by, email, status }),
  };
};
