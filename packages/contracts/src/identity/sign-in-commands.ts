import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';
import { knownDevice, principal, secretDigest } from '../principal.ts';
import { mailChoices } from './mail-commands.ts';

/** MAC of `codeProofText` by the key ring. */
export const codeProof = z.string().regex(/^[a-z0-9-]{1,16}\.[A-Za-z0-9_-]{43}$/);

/** What every guess of a code sends. */
export const codeGuess = {
  codeProof,
  clientAddress: z.string(),
  sessionDigest: secretDigest,
  /** Digest of the secret that identifies the browser later. */
  newDeviceDigest: secretDigest,
};
export const codeErrors = [
  'invalid_code',
  'code_expired',
  'code_used',
  'code_locked',
  'verify_rate_limited',
] as const;

export const newSession = { accountId: uuid, sessionId: uuid, sessionExpiresAt: z.iso.datetime() };
/** The proof is of `newDeviceDigest` and the address. */
export const openedSession = { ...newSession, deviceProof: knownDevice.shape.proof };

export const signInCommands = commands({
  /** Sends a sign-in code by mail. The answer is the same whether the address is known or not. */
  requestCode: {
    request: z.object({
      email: z.string(),
      clientAddress: z.string(),
      /** Absent if the browser is not known. */
      device: knownDevice.optional(),
    }),
    reply: z.object({}),
    errors: ['invalid_email', 'disposable_email', 'code_locked', 'signup_rate_limited'],
  },

  /**
   * Trades a code for a session and, at sign-up, for the first key. The caller creates both secrets, and sends their digests and a
   * proof of the code.
   */
  verifyCode: {
    request: z.object({
      email: z.string(),
      ...codeGuess,
      acceptTerms: z.boolean(),
      keyDigest: secretDigest,
      keyPrefix: z.string().length(12),
      /** Of the browser, kept for a new account if the database knows it. */
      timeZone: mailChoices.time_zone.optional(),
      /** As in `requestCode`. */
      device: knownDevice.optional(),
    }),
    reply: z.object({
      ...openedSession,
      /** Null if the account has had its first key already. */
      firstKey: z.object({ id: uuid, name: z.string(), createdAt: z.iso.datetime() }).nullable(),
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
      'account_frozen',
      'account_closed',
    ],
  },

  endSession: {
    request: z.object({ sessionDigest: secretDigest }),
    reply: z.object({}),
  },

  authenticateKey: {
    request: z.object({ keyDigest: secretDigest }),
    reply: principal,
    errors: ['invalid_api_key'],
  },

  authenticateSession: {
    request: z.object({ sessionDigest: secretDigest }),
    reply: principal,
    errors: ['session_required'],
  },
});

/** Uses of the key ring that only gateways and identity share. */
export const keyRingUses = { principals: 'principals', signInCodes: 'sign-in-codes' } as const;

type CodeGuess = {
  /** Of an invitation, its id. */
  readonly email: string;
  readonly code: string;
  readonly sessionDigest: string;
  /** An invitation makes no key. */
  readonly keyDigest?: string;
  readonly newDeviceDigest: string;
};

/**
 * The text under the proof of a sign-in code. A reader of the bus gets no code from the proof, and cannot reuse it with other
 * secrets.
 */
export const codeProofText = (guess: CodeGuess): string =>
  // JSON, so that no two guesses read the same.
  JSON.stringify([guess.email, guess.code, guess.sessionDigest, guess.keyDigest, guess.newDeviceDigest]);
