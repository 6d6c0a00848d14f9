import { describe, expect, it } from '@jest/globals';

describe('an expectation', () => {
  it('knows the classes of what a test has made', () => {
    expect({ name: 'n', list: [1], at: new Date() }).toEqual({
      name: expect.any(String),
      list: expect.any(Array),
      at: expect.any(Date),
    });
  });

  it('tells two errors apart', () => {
    expect([new Error('one')]).toEqual([new Error('one')]);
    expect([new Error('one')]).not.toEqual([new Error('other')]);
  });

  it('takes what it makes itself for what a test makes', () => {
    expect({ at: [new Map([[1, new Set([2])]])] }).toStrictEqual({ at: [new Map([[1, new Set([2])]])] });
    expect(new Uint8Array([1])).toStrictEqual(Uint8Array.of(1));
  });
});
