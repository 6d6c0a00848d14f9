import { randomUUID } from 'node:crypto';
import type { AccountStatus, Tier } from '@tds/contracts';
import { setAccountStatus, setAccountTier } from '../accounts/accounts.ts';
import { createCoreDeps } from '../create-deps.ts';
import type { CoreDeps } from '../deps.ts';
import { revokeKey } from '../keys/key-changes.ts';
import type { TestIdentity } from './start-identity.ts';

/** One per running service: each listens on its connections. */
const coreDeps = new WeakMap<TestIdentity['kit'], ReturnType<typeof createCoreDeps>>();

/** Dependencies of work outside of commands, with the test's clock. */
export const createTestDeps = ({ kit, environment, clock }: TestIdentity): CoreDeps => {
  const core = coreDeps.get(kit) ?? createCoreDeps(kit(), environment);
  coreDeps.set(kit, core);
  return { ...core, now: clock.now };
};

/** Operators' commands, with the test's clock. */
export const createOperations = (running: TestIdentity) => {
  const deps = createTestDeps(running);
  const by = { actor: 'operator', requestId: randomUUID() } as const;
  return {
    revokeKey: (keyId: string) => revokeKey(deps, { ...by, keyId }),
    setTier: (email: string, tier: Tier) => setAccountTier(deps, { ...by, email, tier }),
    setStatus: (email: string, status: AccountStatus) => setAccountStatus(deps, { ...by, email, status }),
  };
};
