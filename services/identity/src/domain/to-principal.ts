import type { KeyState, Principal } from '@tds/contracts';

/** The state of a key that works. */
export const keyStateOf = ({ revokeAt }: { readonly revokeAt: Date | null }): KeyState =>
  revokeAt === null ? 'active' : 'ending';

export const toPrincipal = (
  found: Pick<Principal, 'accountId' | 'keyId' | 'keyVersion' | 'status' | 'tier' | 'dailyCreditCap'> & {
    readonly accountCreatedAt: Date;
    readonly revokeAt: Date | null;
    readonly limitId: string | null;
  },
): Principal => ({
  accountId: found.accountId,
  keyId: found.keyId,
  keyState: keyStateOf(found),
  keyVersion: found.keyVersion,
  ...(found.limitId !== null && { limitId: found.limitId }),
  status: found.status,
  tier: found.tier,
  dailyCreditCap: found.dailyCreditCap,
  accountCreatedAt: found.accountCreatedAt.toISOString(),
});
