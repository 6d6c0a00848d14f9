import { createPrivateKey, sign } from 'node:crypto';
import { type Authenticator, nkeys } from '@nats-io/nats-core';

/** The only user that may create streams. */
export const PROVISIONER = 'provisioner';
/** May do everything: for people, tests and measures of a system that they run. */
export const OPERATOR = 'operator';

/** The subject on which a user of the broker receives answers: from one callee, or from the broker itself. */
export const inboxOf = (user: string, callee?: string): string =>
  callee === undefined ? `_INBOX_${user}` : `_INBOX_${user}.${callee}`;

/** The prefix of the 32 bytes of a private Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The library's keys have the bytes of their seed, which their interface leaves out. Throws for a malformed seed. */
const keysOf = (seed: string) =>
  nkeys.fromSeed(Buffer.from(seed)) as ReturnType<typeof nkeys.fromSeed> & { getRawSeed(): Uint8Array };

/** The public key under which the broker knows the user with this seed. */
export const publicNkeyOf = (seed: string): string => keysOf(seed).getPublicKey();

/**
 * Proves to the broker who connects, as the library's authenticator of this name does. That one signs in JavaScript, which holds up the
 * process at each connection; Node signs in a hundredth of the time. Throws if the seed is none.
 */
export const nkeyAuthenticator = (seed: string): Authenticator => {
  const keys = keysOf(seed);
  const nkey = keys.getPublicKey();
  const der = Buffer.concat([PKCS8, keys.getRawSeed()]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return (nonce = '') => ({ nkey, sig: sign(null, Buffer.from(nonce), privateKey).toString('base64') });
};
