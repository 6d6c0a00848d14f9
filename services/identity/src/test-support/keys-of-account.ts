import {
  authenticateKey,
  createKey,
  displayPrefix,
  listKeys,
  type RequestOf,
  revokeKey,
  rotateKey,
  updateKey,
} from '@tds/contracts';
import { CLIENT_ADDRESS, context, newSecrets } from './gateway-stand-in.ts';
import type { IdentityUnderTest } from './identity-under-test.ts';

type Fields = Pick<RequestOf<typeof updateKey>, 'name' | 'dailyCreditCap'>;
type Repeatable = Pick<RequestOf<typeof createKey>, 'idempotency'>;

/** What the gateway asks for one account, over the bus; by a session unless `actingKeyId` names a key. */
export const keysOf = (identity: IdentityUnderTest, accountId: string, actingKeyId: string | null = null) => {
  const { call } = identity;
  const by = { keyId: actingKeyId, clientAddress: CLIENT_ADDRESS };
  const newKey = () => {
    const { key, keyDigest } = newSecrets();
    return { secret: key, keyDigest, keyPrefix: displayPrefix(key) };
  };
  return {
    list: () => call(listKeys, { accountId }, context()),
    create: async ({ name = 'key', dailyCreditCap = null }: Fields = {}, repeatable: Repeatable = {}) => {
      const { secret, ...sent } = newKey();
      const key = await call(
        createKey,
        { accountId, by, name, dailyCreditCap, ...sent, ...repeatable },
        context(),
      );
      return { ...key, secret, keyDigest: sent.keyDigest };
    },
    update: (keyId: string, fields: Fields) =>
      call(updateKey, { accountId, by, keyId, ...fields }, context()),
    revoke: (keyId: string, graceHours: 0 | 24 = 0) =>
      call(revokeKey, { accountId, by, keyId, graceHours }, context()),
    rotate: async (keyId: string, fields: Fields & Repeatable = {}) => {
      const { secret, ...sent } = newKey();
      const rotated = await call(rotateKey, { accountId, by, keyId, ...fields, ...sent }, context());
      return { ...rotated, secret, keyDigest: sent.keyDigest };
    },
  };
};

/** Whether a key authenticates right now. */
export const works = async (identity: IdentityUnderTest, keyDigest: string): Promise<boolean> => {
  try {
    await identity.call(authenticateKey, { keyDigest }, context());
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'invalid_api_key') return false;
    throw error;
  }
};
