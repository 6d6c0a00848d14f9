import type { Principal } from '@tds/contracts';

export const toPrincipal = (
  found: Pick<Principal, 'accountId' | 'keyId' | 'status' | 'tier' | 'dailyCreditCap'> & {
    readonly accountCreatedAt: Date;
    readonly revokeAt: Date | null;
  },
): Principal => ({
  accountId: found.accountId,
  keyId: found.keyId,
  keyState: found.revokeAt === null ? 'active' : 'ending',
  status: found.status,
  tier: found.tier,
  dailyCreditCap: found.dailyCreditCap,
  accountCreatedAt: found.accountCreatedAt.toISOString(),
});
