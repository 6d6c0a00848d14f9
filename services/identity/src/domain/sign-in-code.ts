import { createHmac, timingSafeEqual } from 'node:crypto';
import { codeProofText, type identity, type RequestOf } from '@tds/contracts';

const DIGITS = 6;
const BYTES = 6;

const signInCodePattern = /^[0-9]{6}$/;

/**
 * The six digits of a challenge. Derived, so that no code is stored or sent over the bus: without the key it cannot
 * be computed. 48 bits modulo a million favour no code by more than one in 2^28.
 */
export const deriveSignInCode = (key: Buffer, challenge: { challengeId: string; email: string }): string => {
  const mac = createHmac('sha256', key).update(`${challenge.challengeId}|${challenge.email}`).digest();
  return String(mac.readUIntBE(0, BYTES) % 10 ** DIGITS).padStart(DIGITS, '0');
};

/** Compares in constant time. */
const isSameCode = (given: string, expected: string): boolean =>
  signInCodePattern.test(given) && timingSafeEqual(Buffer.from(given), Buffer.from(expected));

/** What callers prove codes with. */
type CodeMacs = { knows(mac: string): boolean; check(text: string, mac: string): string };

type Guessed = Pick<
  RequestOf<typeof identity.verifyCode>,
  'email' | 'code' | 'codeProof' | 'sessionDigest' | 'keyDigest' | 'newDeviceDigest'
>;

/** `unreadable`: it cannot be told whether it is right, so it must not count as wrong; `none`: it cannot be right. */
export type GuessKind = 'guess' | 'none' | 'unreadable';

export const kindOfGuess = (macs: CodeMacs, { code, codeProof }: Guessed): GuessKind => {
  if (codeProof !== undefined) return macs.knows(codeProof) ? 'guess' : 'unreadable';
  return signInCodePattern.test(code ?? '') ? 'guess' : 'none';
};

/** Whether `expected` is the code that was meant, which its proof says without naming it. */
export const isRightGuess = (macs: CodeMacs, guessed: Guessed, expected: string): boolean =>
  guessed.codeProof === undefined
    ? isSameCode(guessed.code ?? '', expected)
    : macs.check(codeProofText({ ...guessed, code: expected }), guessed.codeProof) === 'right';
