import { keyRing } from '@tds/base';
import {
  codeProofText,
  createApiKey,
  createSessionToken,
  digestSecret,
  displayPrefix,
  type identity,
  keyRingUses,
  type RequestOf,
} from '@tds/contracts';
import { KEY_RING } from '@tds/test-kit';

export const CLIENT_ADDRESS = '203.0.113.9';
export const codeMacs = keyRing().parse(KEY_RING).forUse(keyRingUses.signInCodes);

export type Secrets = {
  readonly key: string;
  readonly session: string;
  readonly keyDigest: string;
  readonly sessionDigest: string;
};

/** New secrets, made like a gateway's. */
export const newSecrets = (): Secrets => {
  const key = createApiKey();
  const session = createSessionToken();
  return { key, session, keyDigest: digestSecret(key), sessionDigest: digestSecret(session) };
};

type VerifyRequest = RequestOf<typeof identity.verifyCode>;

/** A request as a gateway sends it, with a proof of the code. */
export const verifyRequest = (
  email: string,
  code: string,
  secrets: Secrets,
  fields: Partial<VerifyRequest> = {},
): VerifyRequest => {
  const { key, keyDigest, sessionDigest } = secrets;
  const { newDeviceDigest = digestSecret(createSessionToken()) } = fields;
  return {
    email,
    codeProof: codeMacs.sign(codeProofText({ email, code, sessionDigest, keyDigest, newDeviceDigest })),
    acceptTerms: true,
    clientAddress: CLIENT_ADDRESS,
    sessionDigest,
    keyDigest,
    keyPrefix: displayPrefix(key),
    newDeviceDigest,
    ...fields,
  };
};
