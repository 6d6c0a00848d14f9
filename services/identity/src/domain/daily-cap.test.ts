import { describe, expect, it } from '@jest/globals';
import { refusedCap, refusedCapOfNew, refusedCapOfRotation } from './key-limits.ts';

const key = (id: string, dailyCreditCap: number | null) => ({ id, dailyCreditCap });
const refusal = { code: 'cap_needs_session', status: 403 };

describe('a cap', () => {
  it.each([
    [5, 5],
    [4, 5],
    [1, null],
    [null, null],
  ])('of %s in place of %s may be set by a key', (wanted, held) => {
    expect(refusedCap(key('a', null), wanted, held)).toBeNull();
  });

  it.each([
    [6, 5],
    [null, 5],
  ])('of %s in place of %s needs a session, whatever the cap of the key', (wanted, held) => {
    expect(refusedCap(key('a', null), wanted, held)).toMatchObject(refusal);
    expect(refusedCap(key('a', 1_000), wanted, held)).toMatchObject(refusal);
    expect(refusedCap(null, wanted, held)).toBeNull();
  });

  it('of a new key is no looser than that of its creator', () => {
    expect(refusedCapOfNew(key('a', 5), 5)).toBeNull();
    expect(refusedCapOfNew(key('a', 5), 6)).toMatchObject(refusal);
    expect(refusedCapOfNew(key('a', 5), null)).toMatchObject(refusal);
    expect(refusedCapOfNew(key('a', null), null)).toBeNull();
    expect(refusedCapOfNew(null, null)).toBeNull();
  });

  it('cannot be bypassed with the secret of another key', () => {
    expect(refusedCapOfRotation(key('a', 5), 1, key('b', 5))).toMatchObject(refusal);
    expect(refusedCapOfRotation(key('a', 5), 5, key('a', 5))).toBeNull();
    expect(refusedCapOfRotation(key('a', 5), 6, key('a', 5))).toMatchObject(refusal);
    expect(refusedCapOfRotation(key('a', null), 5, key('b', 5))).toBeNull();
    expect(refusedCapOfRotation(key('a', null), null, key('b', 5))).toMatchObject(refusal);
    expect(refusedCapOfRotation(null, null, key('b', 5))).toBeNull();
  });
});
