import {
  type AccessScope,
  accessScope,
  identity,
  type KeyState,
  MINUTE_MS,
  type Principal,
  type Role,
  SECOND_MS,
} from '@tds/contracts';
import { limitIdOf } from './key-limits.ts';
import { earlier } from './time.ts';

/** The state of a working key. */
export const keyStateOf = ({ revokeAt }: { readonly revokeAt: Date | null }): KeyState =>
  revokeAt === null ? 'active' : 'ending';

/** Scopes as they are stored, and as they are read. */
export const scopesOf = (text: string): AccessScope[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((scope) => accessScope.parse(scope));
/** `read` alone costs no credits, so what an app has begun that costs some ends with its other scopes. */
export const maySpend = (text: string): boolean => scopesOf(text).some((scope) => scope !== 'read');
export const scopeText = (scopes: readonly AccessScope[]): string => scopes.join(' ');

/** A principal as the database has it. */
export type PrincipalRow = Pick<
  Principal,
  'accountId' | 'keyId' | 'keyVersion' | 'status' | 'tier' | 'dailyCreditCap'
> & {
  readonly personId: string;
  readonly role: Role;
  readonly isPersonCapped: boolean;
  readonly isOfSession: boolean;
  /** Null for a session. */
  readonly slot: number | null;
  readonly accountCreatedAt: Date;
  readonly revokeAt: Date | null;
  /** What a connected app may do; null for every other key. */
  readonly scope: string | null;
};

export const toPrincipal = (row: PrincipalRow): Principal => ({
  accountId: row.accountId,
  keyId: row.keyId,
  keyState: keyStateOf(row),
  keyVersion: row.keyVersion,
  limitId: row.slot === null ? null : limitIdOf(row, row.slot),
  status: row.status,
  tier: row.tier,
  dailyCreditCap: row.dailyCreditCap,
  accountCreatedAt: row.accountCreatedAt.toISOString(),
  ...(row.scope !== null && { scopes: scopesOf(row.scope) }),
  personId: row.personId,
  role: row.role,
  ...(row.isPersonCapped && { isPersonCapped: true }),
  ...(row.isOfSession && { isOfSession: true }),
});

/**
 * The longest time between a database read and the write of its projection, by Redis's clock. With the 15 s of `principals-fresh` and the
 * 10 s of a gateway's memory, a revocation takes less than 30 s.
 */
export const PROJECT_WITHIN_MS = 2 * SECOND_MS;

/** Longer than an entry lives, with room for clocks that differ and transactions that commit late. */
const SWEEP_BACK_MS = 15 * MINUTE_MS;

/** Projected entries may be older than changes since this time. */
export const sweepSince = (now: Date): Date => earlier(now, SWEEP_BACK_MS);

/** The life of an entry, at most until the key ends. An entry of zero or less must not be written. */
export const entryLifeMs = (endsAt: Date | null, now: Date): number => {
  const longest = identity.principal.ttlSeconds * SECOND_MS;
  return endsAt === null ? longest : Math.min(longest, endsAt.getTime() - now.getTime());
};
