import { randomBytes } from 'node:crypto';

const TIME_BYTES = 6;
const VERSION_BYTE = 6;
const VARIANT_BYTE = 8;

/**
 * A UUID of version 7, as `messaging.id_at` makes them. This process's clock is enough: nothing but the purge reads the time
 * out of it, and that looks at the database's times as well.
 */
export const newTaskId = (now = Date.now()): string => {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, TIME_BYTES);
  bytes[VERSION_BYTE] = 0x70 | ((bytes[VERSION_BYTE] ?? 0) & 0x0f);
  bytes[VARIANT_BYTE] = 0x80 | ((bytes[VARIANT_BYTE] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};
