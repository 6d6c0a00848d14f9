/** What gateways and identity sign with the key ring that they alone share. */
export const keyRingUses = { principals: 'principals', signInCodes: 'sign-in-codes' } as const;

type CodeGuess = {
  readonly email: string;
  readonly code: string;
  readonly sessionDigest: string;
  readonly keyDigest: string;
  readonly newDeviceDigest: string;
};

/**
 * What the proof of a sign-in code is made over: who sees it on the bus learns no code from it, and cannot send it once more
 * with secrets of their own.
 */
export const codeProofText = ({
  email,
  code,
  sessionDigest,
  keyDigest,
  newDeviceDigest,
}: CodeGuess): string =>
  // JSON, so that no two guesses read the same.
  JSON.stringify([email, code, sessionDigest, keyDigest, newDeviceDigest]);
