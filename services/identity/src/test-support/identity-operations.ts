import { randomUUID } from 'node:crypto';
import type { AccountStatus, Tier } from '@tds/contracts';
import { setAccountStatus, setAccountTier } from '../application/account-changes.ts';
import { revokeKey } from '../application/end-key.ts';
import { createCoreDeps } from '../deps.ts';
import type { TestIdentity } from './start-identity.ts';

/** One for each running service: every one of them listens on its connections. */
const coreDeps = new WeakMap<TestIdentity['kit'], ReturnType<typeof createCoreDeps>>();

/** What an operator does, at the time of the test's clock. */
export const operationsOf = ({ kit, environment, clock }: TestIdentity) => {
  const core = coreDeps.get(kit) ?? createCoreDeps(kit, environment);
  coreDeps.set(kit, core);
  const deps = { ...core, now: clock.now };
  const by = { actor: 'operator', requestId: randomUUID() } as const;
  return {
    revokeKey: (keyId: string, revokeAt?: Date) =>
      revokeKey(deps, { ...by, keyId, ...(revokeAt && { revokeAt }) }),
    setTier: (email: string, tier: Tier) => setAccountTier(deps, { ...by, email, tier }),
    setStatus: (email: string, status: AccountStatus) => setAccountStatus(deps, { ...by, email, status }),
  };
};
