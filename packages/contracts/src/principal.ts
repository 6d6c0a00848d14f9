import { z } from 'zod';
import { uuid } from './ids.ts';

/** SHA-256 of a secret, hex. Secrets themselves never cross the bus. */
export const secretDigest = z.string().regex(/^[0-9a-f]{64}$/);

export const accountStatus = z.enum(['active', 'frozen', 'closed']).meta({ id: 'AccountStatus' });
export type AccountStatus = z.infer<typeof accountStatus>;

/** Why an account is frozen: a bank holds or keeps money of one of its purchases, or an operator has frozen it. */
export const frozenReason = z.enum(['payment_disputed', 'operator']).meta({ id: 'FrozenReason' });
export type FrozenReason = z.infer<typeof frozenReason>;

export const tier = z.enum(['free', 'paid']).meta({ id: 'Tier' });
export type Tier = z.infer<typeof tier>;

/** `ending` keys read and deliver until their revocation, and change nothing. */
export const keyState = z.enum(['active', 'ending']);
export type KeyState = z.infer<typeof keyState>;

export const personCap = z.number().int().positive().nullable();
/** A daily credit cap that may be chosen. */
export const chosenCap = z.number().int().min(1).max(1_000_000);

/**
 * What a connected app may do. `read`: cached transcripts, and all else that costs no credits; `fetch`: new transcripts and searches; `jobs`
 * and `monitors`: what their names say.
 */
export const accessScope = z.enum(['read', 'fetch', 'jobs', 'monitors']).meta({ id: 'AccessScope' });
export type AccessScope = z.infer<typeof accessScope>;

/** An owner may do everything, a member all but people and money, `billing` reads and pays. */
export const role = z.enum(['owner', 'member', 'billing']).meta({ id: 'Role' });
export type Role = z.infer<typeof role>;
/** Who moves the money of an account, and hears what concerns it. */
export const payers: readonly Role[] = ['owner', 'billing'];

/** What a key belongs to: its holder's programs, a session of the dashboard, or a connected app. */
export const keyKind = z.enum(['key', 'dashboard', 'app']);
export type KeyKind = z.infer<typeof keyKind>;

/** The caller behind a credential, with the facts for admission. */
export const principal = z.object({
  accountId: uuid,
  keyId: uuid.nullable(),
  /** A session is active. */
  keyState,
  /** Grows with every change of the key; 0 of a session. */
  keyVersion: z.number().int(),
  /**
   * The slot for the daily limits of the key; null for a session. A later key takes over a slot with its use, so a new key brings no
   * new day. Usage is reported per key.
   */
  limitId: uuid.nullable(),
  status: accountStatus,
  tier,
  dailyCreditCap: z.number().int().positive().nullable(),
  accountCreatedAt: z.iso.datetime(),
  /** Of a connected app. A key or a session has none, and may do all that its route takes it for. */
  scopes: z.array(accessScope).optional(),
  /** The person of the credential and its role. Absent from an identity of the release before: the first person, an owner. */
  personId: uuid.optional(),
  role: role.optional(),
  /** The person has a daily cap, which the ledger counts. */
  isPersonCapped: z.boolean().optional(),
  /** It is the key of a session: those of an account count as one. */
  isOfSession: z.boolean().optional(),
});
export type Principal = z.infer<typeof principal>;

/** Identities of the release before know the first person only. */
export const personOf = ({ personId, accountId }: Pick<Principal, 'personId' | 'accountId'>): string =>
  personId ?? accountId;

/** Whether a cap, of the key or of its person, or what an app was allowed bounds the credential. A session is its person. */
export const isBounded = ({ keyId, dailyCreditCap, isPersonCapped, scopes }: Principal): boolean =>
  keyId !== null && (dailyCreditCap !== null || isPersonCapped === true || scopes !== undefined);

/**
 * A browser that has signed in before: the digest of the secret in its cookie, and identity's proof that it did. The cookie
 * cannot be made from these, so reading the bus does not yield it.
 */
export const knownDevice = z.object({
  digest: secretDigest,
  proof: z.string().regex(/^[A-Za-z0-9_-]{52}$/),
});
export type KnownDevice = z.infer<typeof knownDevice>;
