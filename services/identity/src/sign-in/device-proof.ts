import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { DAY_MS, type KnownDevice, SECOND_MS } from '@tds/contracts';
import { earlier } from '../domain/time.ts';
import type { Vault } from '../domain/vault.ts';

const VERSION = 1;
const TIME_BYTES = 6;
const HEAD_BYTES = 1 + TIME_BYTES;
export const DEVICE_LIFE_MS = 365 * DAY_MS;

/** The digest of a browser's secret (64 hex characters) and the normalised address that it signed in to. */
type Device = { readonly digest: string; readonly email: string };

const computeMac = (key: KeyObject, head: Buffer, { digest, email }: Device): Buffer =>
  createHmac('sha256', key).update(head).update(digest).update(email).digest();

/** Version, time of issue in seconds and MAC, in 52 characters that do not reveal the address. */
export const createDeviceProof = (key: KeyObject, device: Device, now: Date): string => {
  const head = Buffer.alloc(HEAD_BYTES, VERSION);
  head.writeUIntBE(Math.floor(now.getTime() / SECOND_MS), 1, TIME_BYTES);
  return Buffer.concat([head, computeMac(key, head, device)]).toString('base64url');
};

/** Whether the proof was made with this key, for this secret and address, within a year. A wrong proof takes the same time. */
export const verifyDeviceProof = (
  key: KeyObject,
  device: Device & { readonly proof: string },
  now: Date,
): boolean => {
  const bytes = Buffer.from(device.proof, 'base64url');
  const head = bytes.subarray(0, HEAD_BYTES);
  const expected = computeMac(key, head, device);
  const mac = bytes.subarray(HEAD_BYTES);
  if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) return false;
  const issuedAt = head.readUIntBE(1, TIME_BYTES) * SECOND_MS;
  return head[0] === VERSION && issuedAt > earlier(now, DEVICE_LIFE_MS).getTime();
};

/** The name under which the throttles count a browser that has signed in to this address; null for other browsers. */
export const identifyDevice = (
  { deviceKey, keyedDigest }: Pick<Vault, 'deviceKey' | 'keyedDigest'>,
  email: string,
  device: KnownDevice | undefined,
  now: Date,
): string | null =>
  device !== undefined && verifyDeviceProof(deviceKey, { ...device, email }, now)
    ? Buffer.from(keyedDigest(device.digest)).toString('hex')
    : null;
