import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createVault } from './vault.ts';

const vault = createVault('a pepper of at least thirty-two characters');
const other = createVault('another pepper of thirty-two characters');
const digest = createHash('sha256').update('svc_live_x').digest('hex');

describe('the vault', () => {
  it('keys digests with the pepper, the same each time', () => {
    expect(vault.keyedDigest(digest)).toEqual(vault.keyedDigest(digest));
    expect(vault.keyedDigest(digest)).toHaveLength(32);
    expect(vault.keyedDigest(digest)).not.toEqual(other.keyedDigest(digest));
    expect(Buffer.from(vault.keyedDigest(digest)).toString('hex')).not.toBe(digest);
  });

  it('opens a sealed digest only with the same pepper and owner', () => {
    const sealed = vault.seal(digest, 'key-1', randomBytes(12));
    expect(vault.unseal(sealed, 'key-1')).toBe(digest);
    expect(() => vault.unseal(sealed, 'key-2')).toThrow();
    expect(() => other.unseal(sealed, 'key-1')).toThrow();
    sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
    expect(() => vault.unseal(sealed, 'key-1')).toThrow();
  });

  it('does not reveal the digest in sealed bytes', () => {
    const sealed = Buffer.from(vault.seal(digest, 'key-1', randomBytes(12)));
    expect(sealed.includes(Buffer.from(digest, 'hex'))).toBe(false);
    expect(sealed.toString('latin1')).not.toContain(digest);
  });
});
