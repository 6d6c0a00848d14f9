import { describe, expect, it } from '@jest/globals';
import { createCipher } from './key-ring.ts';

const old = { id: '2026-05', secret: 'the-secret-of-may-0123456789abcdefgh' };
const current = { id: '2026-11', secret: 'the-secret-of-november-0123456789abc' };
const cipher = createCipher([current, old], 'tests');

describe('an encrypted text', () => {
  it('opens for its owner and shows nothing before', () => {
    const encrypted = cipher.encrypt('whsec_something', 'me');
    expect(encrypted).not.toContain('something');
    expect(cipher.decrypt(encrypted, 'me')).toBe('whsec_something');
  });

  it('is another one each time', () => {
    expect(cipher.encrypt('same', 'me')).not.toBe(cipher.encrypt('same', 'me'));
  });

  it('opens for no other owner, for no other use and with no other ring', () => {
    const encrypted = cipher.encrypt('secret', 'me');
    expect(() => cipher.decrypt(encrypted, 'you')).toThrow();
    expect(() => createCipher([current], 'other').decrypt(encrypted, 'me')).toThrow();
    expect(() => createCipher([old], 'tests').decrypt(encrypted, 'me')).toThrow('lacks');
  });

  it('does not open if a byte is changed or missing', () => {
    const encrypted = cipher.encrypt('secret', 'me');
    const other = encrypted.at(-2) === 'A' ? 'B' : 'A';
    expect(() => cipher.decrypt(encrypted.slice(0, -2) + other + encrypted.at(-1), 'me')).toThrow();
    expect(() => cipher.decrypt(encrypted.slice(0, 20), 'me')).toThrow();
    expect(() => cipher.decrypt('nothing encrypted', 'me')).toThrow();
  });

  it('of a key that no longer encrypts can still be read, and says that it is an old one', () => {
    const before = createCipher([old], 'tests').encrypt('secret', 'me');
    expect(cipher.decrypt(before, 'me')).toBe('secret');
    expect([cipher.isCurrent(before), cipher.isCurrent(cipher.encrypt('secret', 'me'))]).toEqual([false, true]);
  });
});
