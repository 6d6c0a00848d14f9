import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

export type RingKey = { readonly id: string; readonly secret: string };

const KEY_BYTES = 32;

/** The key of one use. An object, because Node takes longer over bytes each time than over the text that they sign or seal. */
export const deriveKey = ({ secret }: RingKey, use: string): KeyObject =>
  createSecretKey(new Uint8Array(hkdfSync('sha256', secret, '', `key-ring/${use}`, KEY_BYTES)));
