import { z } from 'zod';
import { uuid } from '../ids.ts';
import { command, event, task } from './define-messages.ts';

const owner = 'identity' as const;

/** SHA-256 of a secret, hex. Secrets themselves never cross the bus. */
export const secretDigest = z.string().regex(/^[0-9a-f]{64}$/);

export const accountStatus = z.enum(['active', 'frozen', 'closed']);
export type AccountStatus = z.infer<typeof accountStatus>;

export const tier = z.enum(['free', 'paid']);
export type Tier = z.infer<typeof tier>;

/** `ending` keys work until their revocation, and change nothing any more. */
export const keyState = z.enum(['active', 'ending']);
export type KeyState = z.infer<typeof keyState>;

/** Who acts: what every admission check needs to know about a credential. */
export const principal = z.object({
  accountId: uuid,
  keyId: uuid.nullable(),
  /** A session is active. Both are absent where a process of the release before said it. */
  keyState: keyState.optional(),
  /** Grows with every change of the key. */
  keyVersion: z.number().int().optional(),
  /** The key under which the limits of a day count, where it is another one: see `limitIdOf`. */
  limitId: uuid.optional(),
  status: accountStatus,
  tier,
  dailyCreditCap: z.number().int().positive().nullable(),
  accountCreatedAt: z.iso.datetime(),
});
export type Principal = z.infer<typeof principal>;

/**
 * Under which key what a key does counts towards the limits of a day. Keys that came out of one another by rotation count
 * as one, the first of them; usage is told of each.
 */
export const limitIdOf = ({ limitId, keyId }: Pick<Principal, 'limitId' | 'keyId'>): string | null =>
  limitId ?? keyId;

/**
 * A browser that has signed in before: the digest of the secret in its cookie, and identity's word that it did. Whoever
 * reads the bus cannot make the cookie of these.
 */
export const knownDevice = z.object({
  digest: secretDigest,
  proof: z.string().regex(/^[A-Za-z0-9_-]{52}$/),
});
export type KnownDevice = z.infer<typeof knownDevice>;

/** Sends a sign-in code by mail. The answer is the same whether the address is known or not. */
export const requestCode = command({
  owner,
  name: 'request-code',
  request: z.object({
    email: z.string(),
    clientAddress: z.string(),
    /** Absent where the browser is not known, or the caller is of the release before. */
    device: knownDevice.optional(),
  }),
  reply: z.object({}),
  errors: ['invalid_email', 'disposable_email', 'code_locked', 'signup_rate_limited'],
});

/** Trades a code for a session and, at sign-up, for the first key. The caller makes both secrets and sends digests. */
export const verifyCode = command({
  owner,
  name: 'verify-code',
  request: z.object({
    email: z.string(),
    code: z.string(),
    acceptTerms: z.boolean(),
    clientAddress: z.string(),
    sessionDigest: secretDigest,
    keyDigest: secretDigest,
    keyPrefix: z.string().length(12),
    /** As in request-code. */
    device: knownDevice.optional(),
    /** Of the secret by which the browser will be known; absent where the caller is of the release before. */
    newDeviceDigest: secretDigest.optional(),
  }),
  reply: z.object({
    accountId: uuid,
    sessionId: uuid,
    sessionExpiresAt: z.iso.datetime(),
    /** null where the account has had its first key already. */
    firstKey: z.object({ id: uuid, name: z.string(), createdAt: z.iso.datetime() }).nullable(),
    /** For `newDeviceDigest` and this address. */
    deviceProof: knownDevice.shape.proof.optional(),
  }),
  errors: [
    'invalid_email',
    'invalid_code',
    'code_expired',
    'code_used',
    'code_locked',
    'terms_required',
    'verify_rate_limited',
    'signup_rate_limited',
    'account_closed',
  ],
});

export const endSession = command({
  owner,
  name: 'end-session',
  request: z.object({ sessionDigest: secretDigest }),
  reply: z.object({}),
});

export const authenticateKey = command({
  owner,
  name: 'authenticate-key',
  request: z.object({ keyDigest: secretDigest }),
  reply: principal,
  errors: ['invalid_api_key'],
});

export const authenticateSession = command({
  owner,
  name: 'authenticate-session',
  request: z.object({ sessionDigest: secretDigest }),
  reply: principal,
  errors: ['session_required'],
});

/** Mails the code of one challenge; the code itself is derived, never stored or sent over the bus. */
export const sendCodeMail = task({
  owner,
  name: 'send-code-mail',
  payload: z.object({ challengeId: uuid }),
  leaseMs: 30_000,
  backoffMs: [1_000, 5_000, 15_000, 60_000],
  concurrency: 8,
});

export const accountCreated = event({
  owner,
  name: 'account-created',
  payload: z.object({ accountId: uuid, createdAt: z.iso.datetime() }),
});

export const accountStatusChanged = event({
  owner,
  name: 'account-status-changed',
  payload: z.object({ accountId: uuid, status: accountStatus, version: z.number().int() }),
});

/** What a principal says of a key that works, as it is from this version on. */
export const keyChanged = event({
  owner,
  name: 'key-changed',
  payload: z.object({
    accountId: uuid,
    keyId: uuid,
    keyDigest: secretDigest,
    keyVersion: z.number().int(),
    keyState,
    dailyCreditCap: z.number().int().positive().nullable(),
  }),
});

export const keyRevoked = event({
  owner,
  name: 'key-revoked',
  payload: z.object({ accountId: uuid, keyId: uuid, keyDigest: secretDigest }),
});
