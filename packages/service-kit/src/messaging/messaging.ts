import type { Surface } from '@tds/contracts';
import { retryConflicts } from '../db/retry-conflicts.ts';
import { crashPoint } from '../run/crash-points.ts';
import type { Messaging } from '../service.ts';
import { nothingOutgoing, saveOutgoing, senderInto } from './outgoing.ts';

const TRANSACTION_LIMITS = { timeout: 10_000, maxWait: 2_000 };

/** Who moves what has been committed. */
export type Movers = {
  wakeRelay(): void;
  /** `dueInMs` holds, for each task that was enqueued, its name and its delay. */
  wakeTasks(dueInMs: readonly (readonly [name: string, delayMs: number])[]): void;
  /** After rows were written past the kit. */
  wakeAll(): void;
};

/** Sending from inside transactions: a message is saved with the state that it speaks of, and moved after the commit. */
export const createMessaging = <S extends Surface>(movers: Movers): Messaging<S> => ({
  transaction: async (client, work) => {
    const { result, outgoing } = await retryConflicts(() =>
      client.$transaction(async (tx) => {
        const attempt = nothingOutgoing();
        const answer = await work(tx, senderInto<S>(attempt));
        await saveOutgoing(tx, attempt);
        return { result: answer, outgoing: attempt };
      }, TRANSACTION_LIMITS),
    );
    crashPoint('transaction-committed');
    if (outgoing.events.length > 0) movers.wakeRelay();
    if (outgoing.tasks.length > 0) movers.wakeTasks(outgoing.tasks.map((task) => [task.name, task.delayMs]));
    return result;
  },
  wake: () => movers.wakeAll(),
});
