import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import { deriveKey, type RingKey } from './ring-key.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The id of the key and, after a dot, nonce, tag and encrypted text in base64url. */
const sealedPattern = /^([a-z0-9-]{1,16})\.([A-Za-z0-9_-]+)$/;

/** Encrypts texts for one use with AES-256-GCM, each bound to its owner: moved to another one, it opens no more. */
export type Seals = {
  seal(text: string, owner: string): string;
  /** Throws if nothing was sealed, for another use or owner, or with a key that the ring lacks. */
  open(sealed: string, owner: string): string;
  /** Whether it was sealed with the first key, the one that seals now. */
  isCurrent(sealed: string): boolean;
};

/** Of at least one key; ids differ. */
export const createSeals = (keys: readonly [RingKey, ...RingKey[]], use: string): Seals => {
  const derived = new Map(keys.map((key) => [key.id, deriveKey(key, `seal/${use}`)]));
  const [{ id: sealer }] = keys;
  const sealing = derived.get(sealer) as KeyObject;
  return {
    isCurrent: (sealed) => sealed.startsWith(`${sealer}.`),
    seal(text, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce).setAAD(Buffer.from(owner));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${sealer}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open(sealed, owner) {
      const [, id = '', encoded = ''] = sealedPattern.exec(sealed) ?? [];
      const key = derived.get(id);
      if (key === undefined) throw new Error('sealed with a key that the ring lacks');
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
