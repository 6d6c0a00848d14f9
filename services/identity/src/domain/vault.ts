import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

type Encoding = 'hex' | 'utf8';

/** Bytes with their own memory, as the database driver needs them. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** A KeyObject, because Node spends more time on raw key bytes than on the digest itself. */
const derive = (pepper: string, use: string): KeyObject =>
  createSecretKey(new Uint8Array(hkdfSync('sha256', pepper, '', `identity/${use}`, KEY_BYTES)));

/** The uses of the pepper, each with a derived key. */
export const createVault = (pepper: string) => {
  const digestKey = derive(pepper, 'keyed-digest');
  const encryptionKey = derive(pepper, 'sealed-digest');
  return {
    codeKey: derive(pepper, 'sign-in-code'),
    deviceKey: derive(pepper, 'device-proof'),
    /** Signs the links in mails that end them. */
    stopKey: derive(pepper, 'mail-stop'),
    /** The database finds secrets by this digest, which needs the pepper. */
    keyedDigest: (digest: string): Bytes => createHmac('sha256', digestKey).update(digest).digest(),
    /** Encrypts a secret's digest, or an address (utf8), bound to its owner's id. `nonce` is 12 random bytes, never used twice. */
    encrypt: (text: string, ownerId: string, nonce: Bytes, encoding: Encoding = 'hex'): Bytes => {
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, nonce).setAAD(Buffer.from(ownerId));
      const body = Buffer.concat([cipher.update(text, encoding), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    /** Throws if pepper, owner or bytes are not those of `encrypt`. */
    decrypt: (encrypted: Bytes, ownerId: string, encoding: Encoding = 'hex'): string => {
      const bytes = Buffer.from(encrypted);
      const tagEnd = NONCE_BYTES + TAG_BYTES;
      const options = { authTagLength: TAG_BYTES };
      const decipher = createDecipheriv('aes-256-gcm', encryptionKey, bytes.subarray(0, NONCE_BYTES), options);
      decipher.setAAD(Buffer.from(ownerId)).setAuthTag(bytes.subarray(NONCE_BYTES, tagEnd));
      return Buffer.concat([decipher.update(bytes.subarray(tagEnd)), decipher.final()]).toString(encoding);
    },
  };
};
export type Vault = ReturnType<typeof createVault>;
