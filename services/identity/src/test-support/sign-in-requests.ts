import {
  createApiKey,
  createSessionToken,
  digestSecret,
  displayPrefix,
  type identity,
  type RequestOf,
} from '@tds/contracts';

export const CLIENT_ADDRESS = '203.0.113.9';

export type Secrets = {
  readonly key: string;
  readonly session: string;
  readonly keyDigest: string;
  readonly sessionDigest: string;
};

/** New secrets as a gateway makes them. */
export const newSecrets = (): Secrets => {
  const key = createApiKey();
  const session = createSessionToken();
  return { key, session, keyDigest: digestSecret(key), sessionDigest: digestSecret(session) };
};

export const verifyRequest = (
  email: string,
  code: string,
  secrets: Secrets,
): RequestOf<typeof identity.verifyCode> => ({
  email,
  code,
  acceptTerms: true,
  clientAddress: CLIENT_ADDRESS,
  sessionDigest: secrets.sessionDigest,
  keyDigest: secrets.keyDigest,
  keyPrefix: displayPrefix(secrets.key),
});
