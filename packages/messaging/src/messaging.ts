import type { SqlExecutor, Transactional } from '@tds/base';
import { retryConflicts } from '@tds/base';
import { POOL_WAIT_MS, type Surface, TRANSACTION_MS } from '@tds/contracts';
import type { Messaging, Sender } from './context.ts';
import type { OutboxMessage } from './events/publish.ts';
import { encodePayload, nothingOutgoing, type SavedOutgoing, saveOutgoing, senderInto } from './outgoing.ts';
import { crashPoint } from './runtime/crash-points.ts';

const TRANSACTION_LIMITS = { timeout: TRANSACTION_MS, maxWait: POOL_WAIT_MS };

/** Publishes committed events and begins committed tasks. */
export type Dispatchers = {
  wakeRelay(): void;
  /** Publishes hints at once; does nothing while the broker is unreachable. */
  hint(subject: string, body: string): void;
  /** For how long events that are about to be saved are leased to this process; null if the relay is to take them. */
  eventLeaseMs(): number | null;
  publish(events: readonly OutboxMessage[]): void;
  /** The delay of each task that was enqueued. */
  wakeTasks(delaysMs: readonly number[]): void;
  /** After rows were written past the kit. */
  wakeAll(): void;
};

type Committed<T> = {
  readonly result: T;
  /** Whether it saved events for the relay. */
  readonly isRelayed: boolean;
  readonly saved: SavedOutgoing;
};

/** One try of a transaction. */
const commit = <S extends Surface, Tx extends SqlExecutor, T>(
  dispatchers: Dispatchers,
  client: Transactional<Tx>,
  work: (tx: Tx, send: Sender<S>) => Promise<T>,
): Promise<Committed<T>> =>
  client.$transaction(async (tx) => {
    const outgoing = nothingOutgoing();
    const result = await work(tx, senderInto<S>(tx, outgoing));
    const eventLeaseMs = dispatchers.eventLeaseMs();
    const saved = await saveOutgoing(tx, outgoing, eventLeaseMs);
    return { result, isRelayed: eventLeaseMs === null && outgoing.events.length > 0, saved };
  }, TRANSACTION_LIMITS);

/** Publishes the events, and wakes the relay and the workers for the rest. */
const dispatch = (dispatchers: Dispatchers, { isRelayed, saved }: Committed<unknown>): void => {
  dispatchers.publish(saved.events);
  if (isRelayed) dispatchers.wakeRelay();
  if (saved.taskDelaysMs.length > 0) dispatchers.wakeTasks(saved.taskDelaysMs);
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
