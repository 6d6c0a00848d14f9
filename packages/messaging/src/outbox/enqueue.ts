import { randomBytes } from 'node:crypto';
import type { SqlExecutor } from '@tds/base';
import type { Task } from '@tds/contracts';
import type { EnqueueOptions } from '../context.ts';

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

/** A task that is about to be saved; the payload is JSON. */
export type NewTask = {
  readonly name: string;
  readonly payload: string;
  readonly delayMs: number;
  readonly partition: string | null;
};

export const newTask = (
  { wireName }: Task,
  payload: string,
  { delayMs = 0, partition }: EnqueueOptions,
): NewTask => ({ name: wireName, payload, delayMs, partition: partition ?? null });

const ENQUEUE = 'SELECT messaging.enqueue_task($1, $2::jsonb, $3::jsonb, $4::bigint, $5, $6) AS id';

/** Adds the task unless one with its key is open; resolves to the id of whichever it is. */
export const enqueueOnce = async (
  tx: SqlExecutor,
  { name, payload, delayMs, partition }: NewTask,
  { key, headers }: { readonly key: string; readonly headers: string },
): Promise<string> => {
  const values = [name, payload, headers, Math.ceil(delayMs), key, partition];
  const [row] = await tx.$queryRawUnsafe<{ id: string }[]>(ENQUEUE, ...values);
  if (!row) throw new Error(`${name} was not saved`);
  return row.id;
};
