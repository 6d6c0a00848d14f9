import type { KnownDevice } from '@tds/contracts';
import type { CoreDeps } from '../deps.ts';
import { isProven } from '../domain/device-proof.ts';

/** Whose hits count apart: the name of a browser that has signed in to this address, or null for all others. */
export const findDevice = (
  { vault }: Pick<CoreDeps, 'vault'>,
  email: string,
  device: KnownDevice | undefined,
  now: Date,
): string | null =>
  device !== undefined && isProven(vault.deviceKey, { ...device, email }, now)
    ? Buffer.from(vault.keyedDigest(device.digest)).toString('hex')
    : null;
