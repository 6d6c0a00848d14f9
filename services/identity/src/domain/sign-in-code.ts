import { createHmac, type KeyObject } from 'node:crypto';
import { codeProofText, type identity, type RequestOf } from '@tds/contracts';

const DIGITS = 6;
const BYTES = 6;

/**
 * The six digits of a challenge. Derived, so that no code is stored or sent over the bus: without the key it cannot
 * be computed. 48 bits modulo a million favour no code by more than one in 2^28.
 */
export const deriveSignInCode = (
  key: KeyObject,
  challenge: { challengeId: string; email: string },
): string => {
  const mac = createHmac('sha256', key).update(`${challenge.challengeId}|${challenge.email}`).digest();
  return String(mac.readUIntBE(0, BYTES) % 10 ** DIGITS).padStart(DIGITS, '0');
};

/** What callers prove codes with. */
type CodeMacs = { check(text: string, mac: string): string };

type Guessed = Pick<
  RequestOf<typeof identity.verifyCode>,
  'email' | 'codeProof' | 'sessionDigest' | 'keyDigest' | 'newDeviceDigest'
>;

/** Whether `expected` is the code that was meant, which its proof says without naming it. */
export const isRightGuess = (macs: CodeMacs, guessed: Guessed, expected: string): boolean =>
  macs.check(codeProofText({ ...guessed, code: expected }), guessed.codeProof) === 'right';
