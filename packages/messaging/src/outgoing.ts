import type { SqlExecutor } from '@tds/base';
import type { Surface } from '@tds/contracts';
import type { z } from 'zod';
import { currentMessageContext } from './broker/message-headers.ts';
import type { Sender } from './context.ts';
import type { OutboxMessage } from './events/publish.ts';
import type { PreLeasedTask, TaskSlots } from './tasks/slots.ts';
import { enqueueOnce, type NewTask, newTask, newTaskId } from './tasks/task-rows.ts';

/** The broker refuses above 1 MB; send the object key of a large body. */
const MAX_PAYLOAD_BYTES = 512 * 1_024;

type OutgoingEvent = { readonly subject: string; readonly payload: string };
type OutgoingTask = NewTask & { readonly id: string };
type Due = readonly [name: string, delayMs: number];

/** The messages of a transaction: events and tasks are saved in one statement per kind right before it commits. */
export type Outgoing = {
  readonly events: OutgoingEvent[];
  readonly tasks: OutgoingTask[];
  /** Tasks with a key are saved at once, because only the database knows the id of an existing key. */
  readonly keyed: Due[];
};

export const nothingOutgoing = (): Outgoing => ({ events: [], tasks: [], keyed: [] });

/** Parses the payload, so that an unreadable message never leaves. */
export const encodePayload = (
  message: { wireName: string; payload: z.ZodType },
  payload: unknown,
): string => {
  const encoded = JSON.stringify(message.payload.parse(payload));
  const bytes = Buffer.byteLength(encoded);
  if (bytes <= MAX_PAYLOAD_BYTES) return encoded;
  throw new Error(`${message.wireName} has ${bytes} bytes; send the key of an object instead`);
};

/** Parses payloads before sending, so that an invalid one rolls its transaction back instead of becoming a dead letter. */
export const senderInto = <S extends Surface>(tx: SqlExecutor, outgoing: Outgoing): Sender<S> => ({
  emit: async (event, payload) => {
    outgoing.events.push({ subject: event.subject, payload: encodePayload(event, payload) });
  },
  enqueue: async (task, payload, options = {}) => {
    const given = newTask(task, encodePayload(task, payload), options);
    const { key } = options;
    if (key !== undefined) {
      outgoing.keyed.push([given.name, given.delayMs]);
      return enqueueOnce(tx, given, { key, headers: JSON.stringify(currentMessageContext()) });
    }
    const id = newTaskId();
    outgoing.tasks.push({ id, ...given });
    return id;
  },
});

/** Those with a lease are this process's to publish until it ends. */
const INSERT_EVENTS = `
  INSERT INTO messaging.outbox (subject, payload, headers, held_until)
  SELECT subject, payload, $2::jsonb, clock_timestamp() + $3::float8 * interval '1 millisecond'
  FROM jsonb_to_recordset($1::jsonb) AS given (subject text, payload jsonb)
  RETURNING id, subject, payload::text AS payload`;

/** Those with a lease are pre-leased: their first attempt is that of this process. */
const INSERT_TASKS = `
  INSERT INTO messaging.tasks (id, name, payload, headers, due_at, attempts, lease_epoch, lease_until, partition_key,
    max_in_flight)
  SELECT id, name, payload, $2::jsonb, clock_timestamp() + "delayMs" * interval '1 millisecond', held, held,
    clock_timestamp() + "leaseMs" * interval '1 millisecond', partition, "maxInFlight"
  FROM jsonb_to_recordset($1::jsonb) AS given (id uuid, name text, payload jsonb, "delayMs" float8, "leaseMs" float8,
    partition text, "maxInFlight" int)
  CROSS JOIN LATERAL (SELECT CASE WHEN "leaseMs" IS NULL THEN 0 ELSE 1 END) AS as_number (held)
  RETURNING id, name, payload, lease_until IS NOT NULL AS "isPreLeased", partition_key IS NOT NULL AS "isPartitioned"`;

type SavedEvent = Omit<OutboxMessage, 'headers'>;
type SavedTask = {
  readonly id: string;
  readonly name: string;
  readonly payload: unknown;
  readonly isPreLeased: boolean;
  readonly isPartitioned: boolean;
};

/** Rows as one JSON text; payloads are JSON already. */
const rowsAsJson = (rows: readonly { readonly payload: string }[]): string =>
  `[${rows
    .map(({ payload, ...rest }) => `${JSON.stringify(rest).slice(0, -1)},"payload":${payload}}`)
    .join(',')}]`;

export const mayBePreLeased = ({ delayMs }: OutgoingTask): boolean => delayMs === 0;

/** Gives the tasks that are due now to the slots that there are, in their order. */
const withLeases = (tasks: readonly OutgoingTask[], slotsOf: ReadonlyMap<string, TaskSlots>) => {
  const taken = new Map<string, number>();
  return tasks.map((task) => {
    const slots = slotsOf.get(task.name);
    const used = taken.get(task.name) ?? 0;
    if (!mayBePreLeased(task) || !slots || used === slots.count) return { ...task, leaseMs: null };
    taken.set(task.name, used + 1);
    return { ...task, leaseMs: slots.leaseMs };
  });
};

export type SavedOutgoing = {
  /** These are published here as soon as the transaction has committed. */
  readonly events: readonly OutboxMessage[];
  /** These begin here as soon as the transaction has committed. */
  readonly preLeased: readonly (PreLeasedTask & { readonly name: string })[];
  /** Those without a slot: name and delay. */
  readonly left: readonly Due[];
};

/** The part that this process does itself. */
export type Leases = {
  readonly slotsOf: ReadonlyMap<string, TaskSlots>;
  /** For how long the events are leased to this process; null if the relay is to take them. */
  readonly eventLeaseMs: number | null;
};

/** Saves all in the transaction `tx`. */
export const saveOutgoing = async (
  tx: SqlExecutor,
  { events, tasks, keyed }: Outgoing,
  { slotsOf, eventLeaseMs }: Leases,
): Promise<SavedOutgoing> => {
  const given = withLeases(tasks, slotsOf);
  const unleased = given.filter(({ leaseMs }) => leaseMs === null);
  const left = [...unleased.map(({ name, delayMs }) => [name, delayMs] as const), ...keyed];
  if (events.length + tasks.length === 0) return { events: [], preLeased: [], left };
  const carried = currentMessageContext();
  const headers = JSON.stringify(carried);
  const savedEvents =
    events.length === 0
      ? []
      : await tx.$queryRawUnsafe<SavedEvent[]>(INSERT_EVENTS, rowsAsJson(events), headers, eventLeaseMs);
  const mine = eventLeaseMs === null ? [] : savedEvents.map((event) => ({ ...event, headers: carried }));
  if (tasks.length === 0) return { events: mine, preLeased: [], left };
  const saved = await tx.$queryRawUnsafe<SavedTask[]>(INSERT_TASKS, rowsAsJson(given), headers);
  const preLeased = saved
    .filter(({ isPreLeased }) => isPreLeased)
    .map((task) => ({ ...task, headers: carried }));
  return { events: mine, preLeased, left };
};
