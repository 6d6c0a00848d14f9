import type { SqlExecutor, Transactional } from '@tds/base';
import { retryConflicts } from '@tds/base';
import { POOL_WAIT_MS, type Surface, TRANSACTION_MS } from '@tds/contracts';
import type { Messaging, Sender } from './context.ts';
import type { OutboxMessage } from './events/publish.ts';
import {
  encodePayload,
  mayBePreLeased,
  nothingOutgoing,
  type Outgoing,
  type SavedOutgoing,
  saveOutgoing,
  senderInto,
} from './outgoing.ts';
import { crashPoint } from './runtime/crash-points.ts';
import type { TaskSlots } from './tasks/slots.ts';

const TRANSACTION_LIMITS = { timeout: TRANSACTION_MS, maxWait: POOL_WAIT_MS };

/** Publishes committed events and begins committed tasks. */
export type Dispatchers = {
  wakeRelay(): void;
  /** Publishes hints at once; does nothing while the broker is unreachable. */
  hint(subject: string, body: string): void;
  /** For how long events that are about to be saved are leased to this process; null if the relay is to take them. */
  eventLeaseMs(): number | null;
  publish(events: readonly OutboxMessage[]): void;
  /** Slots for up to `most` tasks of this name that are about to be saved. */
  reserve(name: string, most: number): TaskSlots;
  /** `dueInMs` holds, for each task that was enqueued and not begun in a reserved slot, its name and its delay. */
  wakeTasks(dueInMs: readonly (readonly [name: string, delayMs: number])[]): void;
  /** After rows were written past the kit. */
  wakeAll(): void;
};

type Committed<T> = {
  readonly result: T;
  /** Whether it saved events for the relay. */
  readonly isRelayed: boolean;
  readonly saved: SavedOutgoing;
  readonly slotsOf: ReadonlyMap<string, TaskSlots>;
};

const reserveSlots = (dispatchers: Dispatchers, { tasks }: Outgoing): Map<string, TaskSlots> => {
  const dueNow = Object.groupBy(tasks.filter(mayBePreLeased), ({ name }) => name);
  return new Map(
    Object.entries(dueNow).map(([name, due = []]) => [name, dispatchers.reserve(name, due.length)] as const),
  );
};

/** One try of a transaction. If it is rolled back, or may be, its slots are free again. */
const commit = async <S extends Surface, Tx extends SqlExecutor, T>(
  dispatchers: Dispatchers,
  client: Transactional<Tx>,
  work: (tx: Tx, send: Sender<S>) => Promise<T>,
): Promise<Committed<T>> => {
  let slotsOf = new Map<string, TaskSlots>();
  try {
    return await client.$transaction(async (tx) => {
      const outgoing = nothingOutgoing();
      const result = await work(tx, senderInto<S>(tx, outgoing));
      slotsOf = reserveSlots(dispatchers, outgoing);
      const eventLeaseMs = dispatchers.eventLeaseMs();
      const saved = await saveOutgoing(tx, outgoing, { slotsOf, eventLeaseMs });
      return { result, isRelayed: eventLeaseMs === null && outgoing.events.length > 0, saved, slotsOf };
    }, TRANSACTION_LIMITS);
  } catch (error) {
    for (const slots of slotsOf.values()) slots.giveBack();
    throw error;
  }
};

/** Begins the pre-leased tasks here, and lets the relay and the workers know of the rest. */
const dispatch = (dispatchers: Dispatchers, { isRelayed, saved, slotsOf }: Committed<unknown>): void => {
  dispatchers.publish(saved.events);
  for (const task of saved.preLeased) slotsOf.get(task.name)?.begin(task);
  // Tasks whose partition had no permit left.
  for (const slots of slotsOf.values()) slots.giveBack();
  if (isRelayed) dispatchers.wakeRelay();
  if (saved.left.length > 0) dispatchers.wakeTasks(saved.left);
};

/** Sending from inside transactions: a message is saved with the state that it is about, and dispatched after the commit. */
export const createMessaging = <S extends Surface>(dispatchers: Dispatchers): Messaging<S> => ({
  transaction: async (client, work) => {
    const committed = await retryConflicts(() => commit(dispatchers, client, work));
    crashPoint('transaction-committed');
    dispatch(dispatchers, committed);
    return committed.result;
  },
  hint: (event, payload) => dispatchers.hint(event.subject, encodePayload(event, payload)),
  wake: () => dispatchers.wakeAll(),
});
