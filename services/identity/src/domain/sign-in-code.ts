import { createHmac, timingSafeEqual } from 'node:crypto';

const DIGITS = 6;
const BYTES = 6;

export const signInCodePattern = /^[0-9]{6}$/;

/**
 * The six digits of a challenge. Derived, so that no code is stored or sent over the bus: without the key it cannot
 * be computed. 48 bits modulo a million favour no code by more than one in 2^28.
 */
export const deriveSignInCode = (key: Buffer, challenge: { challengeId: string; email: string }): string => {
  const mac = createHmac('sha256', key).update(`${challenge.challengeId}|${challenge.email}`).digest();
  return String(mac.readUIntBE(0, BYTES) % 10 ** DIGITS).padStart(DIGITS, '0');
};

/** Compares in constant time. */
export const isSameCode = (given: string, expected: string): boolean =>
  signInCodePattern.test(given) && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
