import { describe, expect, it } from '@jest/globals';
import { nkeys, nkeyAuthenticator as ofTheLibrary } from '@nats-io/nats-core';
import { nkeyAuthenticator, publicNkeyOf } from './users.ts';

const text = new TextDecoder();
const bytes = (words: string) => new TextEncoder().encode(words);
/** Not the last letter: two bits of it mean nothing. */
const changed = (seed: string) =>
  seed.replace(/^(.{20})(.)/, (_all, before, one) => `${before}${one === 'A' ? 'B' : 'A'}`);
const newSeed = () => text.decode(nkeys.createUser().getSeed());

describe('a proof of who connects', () => {
  it('is what the library makes of the same seed, for any seed and any nonce', () => {
    for (let round = 0; round < 3; round += 1) {
      const [seed, nonce] = [newSeed(), `nonce ${round}`];
      expect(nkeyAuthenticator(seed)(nonce)).toEqual(ofTheLibrary(bytes(seed))(nonce));
      expect(publicNkeyOf(seed)).toBe(nkeys.fromSeed(bytes(seed)).getPublicKey());
    }
  });

  it.each([
    ['nothing', ''],
    ['a word', 'hunter2'],
    ['a public key', nkeys.createUser().getPublicKey()],
    ['a seed with a changed letter', changed(newSeed())],
  ])('is not made of %s', (_name, seed) => {
    expect(() => nkeyAuthenticator(seed)).toThrow(/seed|encod|checksum|prefix/i);
  });
});
