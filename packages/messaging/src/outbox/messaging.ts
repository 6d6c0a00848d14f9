import type { SqlExecutor, Transactional } from '@tds/base';
import { retryConflicts } from '@tds/base';
import { POOL_WAIT_MS, type Surface, TRANSACTION_MS } from '@tds/contracts';
import type { Messaging, Sender } from '../context.ts';
import { crashPoint } from '../runtime/crash-points.ts';
import { createSender, emptyOutgoing, encodePayload, type Outgoing, saveOutgoing } from './outgoing.ts';

const TRANSACTION_LIMITS = { timeout: TRANSACTION_MS, maxWait: POOL_WAIT_MS };

/** After a commit. */
export type Dispatchers = {
  wakeRelay(): void;
  /** Publishes hints at once; does nothing while the broker is unreachable. */
  hint(subject: string, body: string): void;
  /** The delay of each task that was enqueued. */
  wakeTasks(delaysMs: readonly number[]): void;
  /** After rows were written past the kit. */
  wakeAll(): void;
};

/** One try of a transaction. */
const commit = <S extends Surface, Tx extends SqlExecutor, T>(
  client: Transactional<Tx>,
  work: (tx: Tx, send: Sender<S>) => Promise<T>,
): Promise<{ readonly result: T; readonly outgoing: Outgoing }> =>
  client.$transaction(async (tx) => {
    const outgoing = emptyOutgoing();
    const result = await work(tx, createSender<S>(tx, outgoing));
    await saveOutgoing(tx, outgoing);
    return { result, outgoing };
  }, TRANSACTION_LIMITS);

/** Wakes relay and workers for what was saved. */
const dispatch = (dispatchers: Dispatchers, { events, tasks, keyedDelaysMs }: Outgoing): void => {
  const delaysMs = [...tasks.map(({ delayMs }) => delayMs), ...keyedDelaysMs];
  if (events.length > 0) dispatchers.wakeRelay();
  if (delaysMs.length > 0) dispatchers.wakeTasks(delaysMs);
};

/** Sending from inside transactions: a message is saved with the state that it is about, and dispatched after the commit. */
export const createMessaging = <S extends Surface>(dispatchers: Dispatchers): Messaging<S> => ({
  transaction: async (client, work) => {
    const { result, outgoing } = await retryConflicts(() => commit(client, work));
    crashPoint('transaction-committed');
    dispatch(dispatchers, outgoing);
    return result;
  },
  hint: (event, payload) => dispatchers.hint(event.subject, encodePayload(event, payload)),
  wake: () => dispatchers.wakeAll(),
});
