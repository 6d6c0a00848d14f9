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

  it('opens an encrypted digest only with the same pepper and owner', () => {
    const encrypted = vault.encrypt(digest, 'key-1', randomBytes(12));
    expect(vault.decrypt(encrypted, 'key-1')).toBe(digest);
    expect(() => vault.decrypt(encrypted, 'key-2')).toThrow();
    expect(() => other.decrypt(encrypted, 'key-1')).toThrow();
    encrypted[encrypted.length - 1] = (encrypted.at(-1) ?? 0) ^ 1;
    expect(() => vault.decrypt(encrypted, 'key-1')).toThrow();
  });

  it('does not reveal the digest in encrypted bytes', () => {
    const encrypted = Buffer.from(vault.encrypt(digest, 'key-1', randomBytes(12)));
    expect(encrypted.includes(Buffer.from(digest, 'hex'))).toBe(false);
    expect(encrypted.toString('latin1')).not.toContain(digest);
  });
});
