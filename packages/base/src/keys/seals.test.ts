import { describe, expect, it } from '@jest/globals';
import { createSeals } from './key-ring.ts';

const old = { id: '2026-05', secret: 'the-secret-of-may-0123456789abcdefgh' };
const current = { id: '2026-11', secret: 'the-secret-of-november-0123456789abc' };
const seals = createSeals([current, old], 'tests');

describe('a sealed text', () => {
  it('opens for its owner and shows nothing before', () => {
    const sealed = seals.seal('whsec_something', 'me');
    expect(sealed).not.toContain('something');
    expect(seals.open(sealed, 'me')).toBe('whsec_something');
  });

  it('is another one each time', () => {
    expect(seals.seal('same', 'me')).not.toBe(seals.seal('same', 'me'));
  });

  it('opens for no other owner, for no other use and with no other ring', () => {
    const sealed = seals.seal('secret', 'me');
    expect(() => seals.open(sealed, 'you')).toThrow();
    expect(() => createSeals([current], 'other').open(sealed, 'me')).toThrow();
    expect(() => createSeals([old], 'tests').open(sealed, 'me')).toThrow('lacks');
  });

  it('does not open if a byte is changed or missing', () => {
    const sealed = seals.seal('secret', 'me');
    const other = sealed.at(-2) === 'A' ? 'B' : 'A';
    expect(() => seals.open(sealed.slice(0, -2) + other + sealed.at(-1), 'me')).toThrow();
    expect(() => seals.open(sealed.slice(0, 20), 'me')).toThrow();
    expect(() => seals.open('no seal at all', 'me')).toThrow();
  });

  it('of a key that no longer seals still opens, and says that it is an old one', () => {
    const before = createSeals([old], 'tests').seal('secret', 'me');
    expect(seals.open(before, 'me')).toBe('secret');
    expect([seals.isCurrent(before), seals.isCurrent(seals.seal('secret', 'me'))]).toEqual([false, true]);
  });
});
