import type { Principal } from '@tds/contracts';

export const toPrincipal = (
  found: Pick<Principal, 'accountId' | 'keyId' | 'status' | 'tier' | 'dailyCreditCap'> & {
    readonly accountCreatedAt: Date;
  },
): Principal => ({
  accountId: found.accountId,
  keyId: found.keyId,
  status: found.status,
  tier: found.tier,
  dailyCreditCap: found.dailyCreditCap,
  accountCreatedAt: found.accountCreatedAt.toISOString(),
});
