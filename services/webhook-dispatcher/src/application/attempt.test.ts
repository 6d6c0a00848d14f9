import { describe, expect, it, jest } from '@jest/globals';
import { createSigningKeys } from './attempt.ts';

const secretOf: Readonly<Record<string, string>> = { sealed: 'whsec_AAAA', other: 'whsec_BBBB' };

describe('the keys of a sealed secret', () => {
  it('are opened once', () => {
    const open = jest.fn((sealed: string) => secretOf[sealed] ?? '');
    const keysOf = createSigningKeys({ open });
    expect(keysOf('sealed', 'one')).toBe(keysOf('sealed', 'one'));
    expect(keysOf('other', 'one').ours.equals(keysOf('sealed', 'one').ours)).toBe(false);
    expect(open).toHaveBeenCalledTimes(2);
  });

  it('are not shared with another account, which has to open the secret itself', () => {
    const open = jest.fn((sealed: string, accountId: string) => {
      if (accountId !== 'one') throw new Error('sealed for another account');
      return secretOf[sealed] ?? '';
    });
    const keysOf = createSigningKeys({ open });
    keysOf('sealed', 'one');
    expect(() => keysOf('sealed', 'two')).toThrow('sealed for another account');
  });
});
