import type { KeyState, Principal } from '@tds/contracts';
import { limitIdOf } from './slots.ts';

/** The state of a key that works. */
export const keyStateOf = ({ revokeAt }: { readonly revokeAt: Date | null }): KeyState =>
  revokeAt === null ? 'active' : 'ending';

export const toPrincipal = (
  found: Omit<Principal, 'keyState' | 'accountCreatedAt' | 'limitId'> & {
    /** Null for a session. */
    readonly slot: number | null;
    readonly accountCreatedAt: Date;
    readonly revokeAt: Date | null;
  },
): Principal => ({
  accountId: found.accountId,
  keyId: found.keyId,
  keyState: keyStateOf(found),
  keyVersion: found.keyVersion,
  limitId: found.slot === null ? null : limitIdOf(found, found.slot),
  status: found.status,
  tier: found.tier,
  dailyCreditCap: found.dailyCreditCap,
  accountCreatedAt: found.accountCreatedAt.toISOString(),
});
