import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { secretDigest } from './principal.ts';
import {
  apiKeyPattern,
  createApiKey,
  createSessionToken,
  digestSecret,
  displayPrefix,
  isWellFormedCredential,
} from './secrets.ts';

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((array) => Buffer.from(array));

describe('API keys', () => {
  it('have the published form for any random bytes and pass their own checksum', () => {
    fc.assert(
      fc.property(bytes, (random) => {
        const key = createApiKey(() => random);
        expect(key).toMatch(/^svc_live_[0-9A-Za-z]{49}$/);
        expect(isWellFormedCredential(key)).toBe(true);
      }),
    );
  });

  it('keep all 256 bits: different bytes never give the same key', () => {
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        fc.pre(!one.equals(other));
        expect(createApiKey(() => one)).not.toBe(createApiKey(() => other));
      }),
    );
  });

  it.each([
    ['all zero bits', 0x00, '0'.repeat(43)],
    ['all one bits', 0xff, /^[0-9A-Za-z]{43}$/],
  ])('%s still fill 43 characters', (_what, byte, secret) => {
    expect(createApiKey(() => Buffer.alloc(32, byte)).slice(9, -6)).toMatch(secret);
  });

  it('are refused offline when any one character is changed', () => {
    const position = fc.integer({ min: 9, max: 57 });
    const replacement = fc.constantFrom(...'0123456789ABCXYZabcxyz');
    fc.assert(
      fc.property(bytes, position, replacement, (random, at, character) => {
        const key = createApiKey(() => random);
        fc.pre(key[at] !== character);
        expect(isWellFormedCredential(key.slice(0, at) + character + key.slice(at + 1))).toBe(false);
      }),
    );
  });

  it.each([
    ['nothing', () => ''],
    ['the bare prefix', () => 'svc_live_'],
    ['a line feed behind the key', () => `${createApiKey()}\n`],
    ['a blank before the key', () => ` ${createApiKey()}`],
    ['one character too many', () => `${createApiKey()}0`],
    ['another prefix', () => createApiKey().replace('svc_live_', 'svc_test_')],
  ])('are refused offline: %s', (_what, make) => {
    expect(isWellFormedCredential(make())).toBe(false);
  });

  it('are found by a secret scanner inside other text', () => {
    const key = createApiKey();
    expect(apiKeyPattern.exec(`{"authorization":"Bearer ${key}"}`)?.[0]).toBe(key);
  });

  it('are labelled by their first 12 characters', () => {
    const key = createApiKey();
    expect(displayPrefix(key)).toHaveLength(12);
    expect(key.startsWith(displayPrefix(key))).toBe(true);
  });

  it('come from the secure random source by default', () => {
    expect(new Set(Array.from({ length: 100 }, () => createApiKey())).size).toBe(100);
  });
});

describe('digests and session tokens', () => {
  it('a digest has the shape that the bus takes and the known value of SHA-256', () => {
    expect(secretDigest.safeParse(digestSecret('x')).success).toBe(true);
    expect(digestSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('a session token carries 256 bits in 43 cookie-safe characters', () => {
    expect(createSessionToken()).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const random = randomBytes(32);
    expect(
      Buffer.from(
        createSessionToken(() => random),
        'base64url',
      ),
    ).toEqual(random);
  });
});
