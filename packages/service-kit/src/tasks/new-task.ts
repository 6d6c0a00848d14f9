import type { Task } from '@tds/contracts';
import type { EnqueueOptions, SqlExecutor } from '../runtime/service.ts';

/** Somebody waits for it. */
export const INTERACTIVE = 0;
export const BACKGROUND = 1;
export type Priority = typeof INTERACTIVE | typeof BACKGROUND;

/** A task that is about to be saved; the payload is JSON. */
export type NewTask = {
  readonly name: string;
  readonly payload: string;
  readonly delayMs: number;
  readonly priority: Priority;
  readonly partition: string | null;
  readonly maxInFlight: number | null;
};

/** Throws if the task is to have what its contract says nothing about. */
export const newTask = (
  { wireName, maxInFlightPerPartition, backgroundConcurrency }: Task,
  payload: string,
  { delayMs = 0, partition, isBackground = false }: EnqueueOptions,
): NewTask => {
  if (partition !== undefined && maxInFlightPerPartition === undefined)
    throw new Error(`${wireName} has no maxInFlightPerPartition: it cannot be put into a partition`);
  if (isBackground && backgroundConcurrency === undefined)
    throw new Error(`${wireName} has no backgroundConcurrency: it cannot be background work`);
  return {
    ...{ name: wireName, payload, delayMs, partition: partition ?? null },
    priority: isBackground ? BACKGROUND : INTERACTIVE,
    maxInFlight: partition === undefined ? null : (maxInFlightPerPartition ?? null),
  };
};

const ENQUEUE =
  'SELECT messaging.enqueue_task($1, $2::jsonb, $3::jsonb, $4::bigint, $5, $6, $7::int, $8::int) AS id';

/** Adds the task unless one with its key is open; resolves to the id of whichever it is. */
export const enqueueOnce = async (
  tx: SqlExecutor,
  { name, payload, delayMs, partition, maxInFlight, priority }: NewTask,
  { key, headers }: { readonly key: string; readonly headers: string },
): Promise<string> => {
  const values = [name, payload, headers, Math.ceil(delayMs), key, partition, maxInFlight, priority];
  const [row] = await tx.$queryRawUnsafe<{ id: string }[]>(ENQUEUE, ...values);
  if (!row) throw new Error(`${name} was not saved`);
  return row.id;
};

const CANCEL = 'SELECT messaging.cancel_task($1::uuid) AS done';

/** False if it has ended, or if there is none with this id. */
export const cancelTask = async (tx: SqlExecutor, id: string): Promise<boolean> => {
  const [row] = await tx.$queryRawUnsafe<{ done: boolean }[]>(CANCEL, id);
  return row?.done === true;
};
