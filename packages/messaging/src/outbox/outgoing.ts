import type { SqlExecutor } from '@tds/base';
import { newId, type Surface } from '@tds/contracts';
import type { z } from 'zod';
import { currentMessageContext } from '../broker/message-headers.ts';
import type { Sender } from '../context.ts';

/** The broker refuses above 1 MB; send the object key of a large body. */
const MAX_PAYLOAD_BYTES = 512 * 1_024;

type OutgoingEvent = { readonly subject: string; readonly payload: string };
/** The payload is JSON. */
type NewTask = {
  readonly name: string;
  readonly payload: string;
  readonly delayMs: number;
  readonly partition: string | null;
};
type OutgoingTask = NewTask & { readonly id: string };

/** The messages of a transaction: events and tasks are saved in one statement per kind right before it commits. */
export type Outgoing = {
  readonly events: OutgoingEvent[];
  readonly tasks: OutgoingTask[];
  /** The delays of tasks with a key, which are saved at once, because only the database knows the id of an existing key. */
  readonly keyedDelaysMs: number[];
};

export const emptyOutgoing = (): Outgoing => ({ events: [], tasks: [], keyedDelaysMs: [] });

/** Parses the payload, so that an unreadable message never leaves. */
export const encodePayload = (message: { wireName: string; payload: z.ZodType }, payload: unknown): string => {
  const encoded = JSON.stringify(message.payload.parse(payload));
  const bytes = Buffer.byteLength(encoded);
  if (bytes <= MAX_PAYLOAD_BYTES) return encoded;
  throw new Error(`${message.wireName} has ${bytes} bytes; send the key of an object instead`);
};

const ENQUEUE = `SELECT messaging.enqueue_task(
  p_name => $1, p_payload => $2::jsonb, p_headers => $3::jsonb, p_delay_ms => $4::bigint, p_key => $5, p_partition => $6
) AS id`;

const MOVE = `UPDATE messaging.tasks SET due_at = clock_timestamp() + $2::bigint * interval '1 millisecond'
  WHERE id = $1::uuid AND state = 'ready' AND lease_until IS NULL`;

/** Adds the task unless one with its key is open; resolves to the id of whichever it is. */
const enqueueOnce = async (
  tx: SqlExecutor,
  { name, payload, delayMs, partition }: NewTask,
  { key, moves }: { readonly key: string; readonly moves: boolean },
): Promise<string> => {
  const values = [name, payload, JSON.stringify(currentMessageContext()), Math.ceil(delayMs), key, partition];
  const [row] = await tx.$queryRawUnsafe<{ id: string }[]>(ENQUEUE, ...values);
  if (!row) throw new Error(`${name} was not saved`);
  if (moves) await tx.$executeRawUnsafe(MOVE, row.id, Math.ceil(delayMs));
  return row.id;
};

/** Parses payloads before sending, so that an invalid one rolls its transaction back instead of becoming a dead letter. */
export const createSender = <S extends Surface>(tx: SqlExecutor, outgoing: Outgoing): Sender<S> => ({
  emit: async (event, payload) => {
    outgoing.events.push({ subject: event.subject, payload: encodePayload(event, payload) });
  },
  enqueue: async (task, message, { delayMs = 0, partition = null, key, moves = false } = {}) => {
    const entry = { name: task.wireName, payload: encodePayload(task, message), delayMs, partition };
    if (key !== undefined) {
      outgoing.keyedDelaysMs.push(delayMs);
      return enqueueOnce(tx, entry, { key, moves });
    }
    // This process's clock is enough: the purge, which reads the time out of it, looks at the database's times as well.
    const id = newId();
    outgoing.tasks.push({ id, ...entry });
    return id;
  },
});

const INSERT_EVENTS = `
  INSERT INTO messaging.outbox (subject, payload, headers)
  SELECT subject, payload, $2::jsonb FROM jsonb_to_recordset($1::jsonb) AS event (subject text, payload jsonb)`;

const INSERT_TASKS = `
  INSERT INTO messaging.tasks (id, name, payload, headers, due_at, partition_key)
  SELECT id, name, payload, $2::jsonb, clock_timestamp() + "delayMs" * interval '1 millisecond', partition
  FROM jsonb_to_recordset($1::jsonb) AS task (id uuid, name text, payload jsonb, "delayMs" float8, partition text)`;

/** Rows as one JSON text; payloads are JSON already. */
const rowsAsJson = (rows: readonly { readonly payload: string }[]): string =>
  `[${rows
    .map(({ payload, ...columns }) => `${JSON.stringify(columns).slice(0, -1)},"payload":${payload}}`)
    .join(',')}]`;

/** Saves all in the transaction `tx`. */
export const saveOutgoing = async (tx: SqlExecutor, { events, tasks }: Outgoing): Promise<void> => {
  const headers = JSON.stringify(currentMessageContext());
  if (events.length > 0) await tx.$executeRawUnsafe(INSERT_EVENTS, rowsAsJson(events), headers);
  if (tasks.length > 0) await tx.$executeRawUnsafe(INSERT_TASKS, rowsAsJson(tasks), headers);
};
