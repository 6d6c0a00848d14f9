import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { type Authenticator, nkeys } from '@nats-io/nats-core';

/** The only user that may create streams. */
export const PROVISIONER = 'provisioner';
/** May do everything: for people, tests and measures of a system that they run. */
export const OPERATOR = 'operator';

/** The subject on which a user of the broker receives answers: from one callee, or from the broker itself. */
export const inboxOf = (user: string, callee?: string): string =>
  callee === undefined ? `_INBOX_${user}` : `_INBOX_${user}.${callee}`;

/** Of RFC 4648, without padding: how nkeys are written. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const PUBLIC_USER = 20 << 3; // the letter U
const SEED_BYTES = { from: 2, to: 34 };
/** The prefix of the 32 bytes of a private Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

const numbers = (bits: string, width: number): number[] =>
  bits.match(new RegExp(`.{${width}}`, 'g'))?.map((part) => Number.parseInt(part, 2)) ?? [];
const toBits = (all: readonly number[], width: number): string =>
  all.map((number) => number.toString(2).padStart(width, '0')).join('');

const fromBase32 = (text: string): Buffer => {
  const letters = [...text].map((letter) => ALPHABET.indexOf(letter));
  return Buffer.from(numbers(toBits(letters, 5), 8));
};
const toBase32 = (bytes: Buffer): string => {
  const bits = toBits([...bytes], 8);
  const whole = bits.padEnd(Math.ceil(bits.length / 5) * 5, '0');
  return numbers(whole, 5)
    .map((number) => ALPHABET[number])
    .join('');
};

/** CRC-16/XMODEM, lowest byte first. */
const checksum = (bytes: Buffer): Buffer => {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0);
  }
  return Buffer.from([crc & 0xff, (crc >> 8) & 0xff]);
};

/** Throws the library's error for a malformed seed. */
const privateKeyOf = (seed: string): KeyObject => {
  nkeys.fromSeed(new TextEncoder().encode(seed));
  const raw = fromBase32(seed).subarray(SEED_BYTES.from, SEED_BYTES.to);
  return createPrivateKey({ key: Buffer.concat([PKCS8, raw]), format: 'der', type: 'pkcs8' });
};

const nkeyOf = (privateKey: KeyObject): string => {
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const key = Buffer.concat([Buffer.from([PUBLIC_USER]), Buffer.from(x, 'base64url')]);
  return toBase32(Buffer.concat([key, checksum(key)]));
};

/** The public key under which the broker knows the user with this seed. */
export const publicNkeyOf = (seed: string): string => nkeyOf(privateKeyOf(seed));

/**
 * Proves to the broker who connects, as the library's authenticator of this name does. That one computes Ed25519 in JavaScript, which
 * holds up the process at each connection; Node signs in a hundredth of the time. Throws if the seed is none.
 */
export const nkeyAuthenticator = (seed: string): Authenticator => {
  const privateKey = privateKeyOf(seed);
  const nkey = nkeyOf(privateKey);
  return (nonce = '') => ({ nkey, sig: sign(null, Buffer.from(nonce), privateKey).toString('base64') });
};
