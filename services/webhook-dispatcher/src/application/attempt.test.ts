import { describe, expect, it, jest } from '@jest/globals';
import { createSigningKeys } from './attempt.ts';

const secretOf: Readonly<Record<string, string>> = { encrypted: 'whsec_AAAA', other: 'whsec_BBBB' };

describe('the keys of an encrypted secret', () => {
  it('are decrypted once', () => {
    const decrypt = jest.fn((encrypted: string) => secretOf[encrypted] ?? '');
    const keysOf = createSigningKeys({ decrypt });
    expect(keysOf('encrypted', 'one')).toBe(keysOf('encrypted', 'one'));
    expect(keysOf('other', 'one').ours.equals(keysOf('encrypted', 'one').ours)).toBe(false);
    expect(decrypt).toHaveBeenCalledTimes(2);
  });

  it('are not shared with another account, which has to decrypt the secret itself', () => {
    const decrypt = jest.fn((encrypted: string, accountId: string) => {
      if (accountId !== 'one') throw new Error('encrypted for another account');
      return secretOf[encrypted] ?? '';
    });
    const keysOf = createSigningKeys({ decrypt });
    keysOf('encrypted', 'one');
    expect(() => keysOf('encrypted', 'two')).toThrow('encrypted for another account');
  });
});
