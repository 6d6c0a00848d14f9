import { displayPrefix, identity, type RequestOf } from '@tds/contracts';
import { testContext as context } from '@tds/kit/testing';
import { CLIENT_ADDRESS, newSecrets } from './sign-in-requests.ts';
import type { TestIdentity } from './start-identity.ts';

type Fields = Pick<RequestOf<typeof identity.updateKey>, 'name' | 'dailyCreditCap'>;
type Repeatable = Pick<RequestOf<typeof identity.createKey>, 'idempotency'>;

/** The gateway's calls about the keys of one account, by a session unless `actingKeyId` is given. */
export const createKeyClient = (
  running: TestIdentity,
  accountId: string,
  actingKeyId: string | null = null,
) => {
  const { call } = running;
  const by = { keyId: actingKeyId, clientAddress: CLIENT_ADDRESS };
  const newKey = () => {
    const { key, keyDigest } = newSecrets();
    return { secret: key, keyDigest, keyPrefix: displayPrefix(key) };
  };
  return {
    list: () => call(identity.listKeys, { accountId }, context()),
    create: async ({ name = 'key', dailyCreditCap = null }: Fields = {}, repeatable: Repeatable = {}) => {
      const { secret, ...secrets } = newKey();
      const { key, ...repeated } = await call(
        identity.createKey,
        { accountId, by, name, dailyCreditCap, ...secrets, ...repeatable },
        context(),
      );
      return { ...key, ...repeated, secret, keyDigest: secrets.keyDigest };
    },
    update: async (keyId: string, fields: Fields) =>
      (await call(identity.updateKey, { accountId, by, keyId, ...fields }, context())).key,
    revoke: async (keyId: string, graceHours: 0 | 24 = 0) =>
      (await call(identity.revokeKey, { accountId, by, keyId, graceHours }, context())).key,
    rotate: async (keyId: string, fields: Fields & Repeatable = {}) => {
      const { secret, ...secrets } = newKey();
      const rotated = await call(
        identity.rotateKey,
        { accountId, by, keyId, ...fields, ...secrets },
        context(),
      );
      return { ...rotated, secret, keyDigest: secrets.keyDigest };
    },
  };
};

/** Whether a key authenticates now. */
export const works = async (running: TestIdentity, keyDigest: string): Promise<boolean> => {
  try {
    await running.call(identity.authenticateKey, { keyDigest }, context());
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'invalid_api_key') return false;
    throw error;
  }
};

/** The slot under which a key's work counts. */
export const readSlot = async (running: TestIdentity, keyDigest: string): Promise<string> =>
  String((await running.call(identity.authenticateKey, { keyDigest }, context())).limitId);
