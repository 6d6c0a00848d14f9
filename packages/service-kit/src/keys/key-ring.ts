import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { deriveKey, type RingKey } from './ring-key.ts';
import { createSeals, type Seals } from './seals.ts';

/** The id of the key and, after a dot, HMAC-SHA256 in base64url. */
export const macPattern = /^([a-z0-9-]{1,16})\.([A-Za-z0-9_-]{43})$/;

/** `unknown-key`: the ring has no key of that id, so nothing can be said. */
type MacCheck = 'right' | 'wrong' | 'unknown-key';

/** Authenticates texts for one use; what was signed for one says nothing for another. */
export type Macs = {
  /** Whether the ring has the key that this was signed with, or says so. */
  knows(mac: string): boolean;
  sign(text: string): string;
  check(text: string, mac: string): MacCheck;
};

/**
 * Secrets that a few services share, to know of a text that one of them wrote it. The first key signs, all verify, so that
 * they can be exchanged one after the other.
 */
export type KeyRing = {
  forUse(use: string): Macs;
  /** Encrypts for one use what only those who share the ring may read. */
  seals(use: string): Seals;
};

const macOf = (key: KeyObject, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');

/** Of at least one key; ids differ. */
export const createKeyRing = (keys: readonly [RingKey, ...RingKey[]]): KeyRing => ({
  seals: (use) => createSeals(keys, use),
  forUse(use) {
    const derived = new Map(keys.map((key) => [key.id, deriveKey(key, use)]));
    const [{ id: signer }] = keys;
    const signing = derived.get(signer) as KeyObject;
    return {
      knows: (mac) => derived.has(macPattern.exec(mac)?.[1] ?? ''),
      sign: (text) => `${signer}.${macOf(signing, text)}`,
      check(text, mac) {
        const [, id = '', given = ''] = macPattern.exec(mac) ?? [];
        const key = derived.get(id);
        if (key === undefined) return 'unknown-key';
        // As texts: several of them stand for the same bytes.
        return timingSafeEqual(Buffer.from(given), Buffer.from(macOf(key, text))) ? 'right' : 'wrong';
      },
    };
  },
});
