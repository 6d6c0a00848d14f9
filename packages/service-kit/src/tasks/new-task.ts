import type { Task } from '@tds/contracts';
import type { EnqueueOptions, SqlExecutor } from '../runtime/service.ts';

/** A task that is about to be saved; the payload is JSON. */
export type NewTask = {
  readonly name: string;
  readonly payload: string;
  readonly delayMs: number;
  readonly partition: string | null;
  readonly maxInFlight: number | null;
};

type TaskKey = Pick<EnqueueOptions, 'unlessDead'> & { readonly key: string };

/** Throws if the task is to have what its contract says nothing about. */
export const newTask = (
  { wireName, maxInFlightPerPartition }: Task,
  payload: string,
  { delayMs = 0, partition }: EnqueueOptions,
): NewTask => {
  if (partition !== undefined && maxInFlightPerPartition === undefined)
    throw new Error(`${wireName} has no maxInFlightPerPartition: it cannot be put into a partition`);
  return {
    name: wireName,
    payload,
    delayMs,
    partition: partition ?? null,
    maxInFlight: partition === undefined ? null : (maxInFlightPerPartition ?? null),
  };
};

const ENQUEUE =
  'SELECT messaging.enqueue_task($1, $2::jsonb, $3::jsonb, $4::bigint, $5, $6, $7::int, $8) AS id';

/** Adds the task unless one with its key is open, or a dead letter if that counts; resolves to the id of whichever it is. */
export const enqueueOnce = async (
  tx: SqlExecutor,
  { name, payload, delayMs, partition, maxInFlight }: NewTask,
  { key, unlessDead = false, headers }: TaskKey & { readonly headers: string },
): Promise<string> => {
  const values = [name, payload, headers, Math.ceil(delayMs), key, partition, maxInFlight, unlessDead];
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
