import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

export type RingKey = { readonly id: string; readonly secret: string };

const KEY_BYTES = 32;

/** Derives the key of one use. A KeyObject, because importing raw bytes each time takes Node longer than signing a short text. */
const deriveKey = ({ secret }: RingKey, use: string): KeyObject =>
  createSecretKey(new Uint8Array(hkdfSync('sha256', secret, '', `key-ring/${use}`, KEY_BYTES)));

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The id of the key and, after a dot, nonce, tag and encrypted text in base64url. */
const encryptedPattern = /^([a-z0-9-]{1,16})\.([A-Za-z0-9_-]+)$/;

/** Encrypts texts for one use with AES-256-GCM, each bound to its owner: it does not open for another one. At least one key; ids must differ. */
export const createCipher = (keys: readonly [RingKey, ...RingKey[]], use: string) => {
  const keysById = new Map(keys.map((key) => [key.id, deriveKey(key, `seal/${use}`)]));
  const [{ id: currentId }] = keys;
  const currentKey = keysById.get(currentId) as KeyObject;
  return {
    /** Whether it was encrypted with the first key, the one that encrypts now. */
    isCurrent: (encrypted: string): boolean => encrypted.startsWith(`${currentId}.`),
    encrypt(text: string, owner: string): string {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', currentKey, nonce).setAAD(Buffer.from(owner));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${currentId}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    /** Throws if nothing was encrypted, for another use or owner, or with a key that the ring lacks. */
    decrypt(encrypted: string, owner: string): string {
      const [, id = '', encoded = ''] = encryptedPattern.exec(encrypted) ?? [];
      const key = keysById.get(id);
      if (key === undefined) throw new Error('encrypted with a key that the ring lacks');
      const bytes = Buffer.from(encoded, 'base64url');
      const [nonce, tag] = [
        bytes.subarray(0, NONCE_BYTES),
        bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES),
      ];
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
      const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
    },
  };
};
export type Cipher = ReturnType<typeof createCipher>;

/** The id of the key and, after a dot, HMAC-SHA256 in base64url. */
export const macPattern = /^([a-z0-9-]{1,16})\.([A-Za-z0-9_-]{43})$/;

/** `unknown-key`: the ring has no key of that id, so nothing can be said. */
type MacCheck = 'right' | 'wrong' | 'unknown-key';

/** Signs texts for one use; a signature for one use is invalid for another. */
export type Macs = {
  /** Whether the ring has the key that this was signed with, or says so. */
  knows(mac: string): boolean;
  sign(text: string): string;
  check(text: string, mac: string): MacCheck;
};

const macOf = (key: KeyObject, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');

/**
 * Secrets that a few services share, to know of a text that one of them wrote it. The first key signs, all verify, so that
 * they can be exchanged one after the other. Of at least one key; ids differ.
 */
export const createKeyRing = (keys: readonly [RingKey, ...RingKey[]]) => ({
  /** Encrypts for one use; only holders of the ring can read it. */
  cipher: (use: string): Cipher => createCipher(keys, use),
  forUse(use: string): Macs {
    const keysById = new Map(keys.map((key) => [key.id, deriveKey(key, use)]));
    const [{ id: signer }] = keys;
    const currentKey = keysById.get(signer) as KeyObject;
    return {
      knows: (mac) => keysById.has(macPattern.exec(mac)?.[1] ?? ''),
      sign: (text) => `${signer}.${macOf(currentKey, text)}`,
      check(text, mac) {
        const [, id = '', digest = ''] = macPattern.exec(mac) ?? [];
        const key = keysById.get(id);
        if (key === undefined) return 'unknown-key';
        // As texts: several of them stand for the same bytes.
        return timingSafeEqual(Buffer.from(digest), Buffer.from(macOf(key, text))) ? 'right' : 'wrong';
      },
    };
  },
});
export type KeyRing = ReturnType<typeof createKeyRing>;
