import type { Principal } from '@tds/contracts';

/** Every account is free until purchases exist. */
export const toPrincipal = (
  found: Pick<Principal, 'accountId' | 'keyId' | 'status' | 'dailyCreditCap'> & {
    readonly accountCreatedAt: Date;
  },
): Principal => ({
  accountId: found.accountId,
  keyId: found.keyId,
  status: found.status,
  tier: 'free',
  dailyCreditCap: found.dailyCreditCap,
  accountCreatedAt: found.accountCreatedAt.toISOString(),
});
