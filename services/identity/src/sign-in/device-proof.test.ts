import { describe, expect, it } from '@jest/globals';
import { digestSecret } from '@tds/contracts';
import { later } from '../domain/time.ts';
import { createVault } from '../domain/vault.ts';
import { createDeviceProof, DEVICE_LIFE_MS, verifyDeviceProof } from './device-proof.ts';

const { deviceKey } = createVault('a pepper of at least thirty-two characters');
const now = new Date('2026-01-15T12:00:00.000Z');
const device = { digest: digestSecret('one browser'), email: 'a@ex.com' };
const proof = createDeviceProof(deviceKey, device, now);
const replaced = (at: number) => {
  const character = proof[at] === 'A' ? 'B' : 'A';
  return proof.slice(0, at) + character + proof.slice(at + 1);
};

describe('the proof of a device', () => {
  it('is valid for its browser and address for a year, and does not contain the address', () => {
    expect(proof).toMatch(/^[A-Za-z0-9_-]{52}$/);
    expect(verifyDeviceProof(deviceKey, { ...device, proof }, now)).toBe(true);
    expect(verifyDeviceProof(deviceKey, { ...device, proof }, later(now, DEVICE_LIFE_MS - 1))).toBe(true);
    expect(verifyDeviceProof(deviceKey, { ...device, proof }, later(now, DEVICE_LIFE_MS))).toBe(false);
    expect(Buffer.from(proof, 'base64url').toString('latin1')).not.toContain('ex.com');
  });

  it('is invalid for another browser, address or pepper', () => {
    const { deviceKey: other } = createVault('another pepper of thirty-two characters');
    expect(verifyDeviceProof(deviceKey, { ...device, digest: digestSecret('another'), proof }, now)).toBe(
      false,
    );
    expect(verifyDeviceProof(deviceKey, { ...device, email: 'b@ex.com', proof }, now)).toBe(false);
    expect(verifyDeviceProof(other, { ...device, proof }, now)).toBe(false);
  });

  it('is invalid with any character changed, cut or empty', () => {
    for (let at = 0; at < proof.length; at += 1)
      expect(verifyDeviceProof(deviceKey, { ...device, proof: replaced(at) }, now)).toBe(false);
    for (const cut of ['', proof.slice(0, 8), proof.slice(0, -4), `${proof}AAAA`, 'A'.repeat(52)])
      expect(verifyDeviceProof(deviceKey, { ...device, proof: cut }, now)).toBe(false);
  });
});
