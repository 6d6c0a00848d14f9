import type { Surface } from '@tds/contracts';
import { retryConflicts } from '../db/retry-conflicts.ts';
import { crashPoint } from '../run/crash-points.ts';
import type { Messaging, Sender, SqlExecutor, Transactional } from '../service.ts';
import { noPlaces, type Places } from '../tasks/places.ts';
import {
  encodePayload,
  mayBeHeld,
  nothingOutgoing,
  type Outgoing,
  type SavedOutgoing,
  saveOutgoing,
  senderInto,
} from './outgoing.ts';
import type { OutboxMessage } from './publish-row.ts';
import { travelling } from './travelling.ts';

const TRANSACTION_LIMITS = { timeout: 10_000, maxWait: 2_000 };

/** Who moves what has been committed. */
export type Movers = {
  wakeRelay(): void;
  /** Publishes at once what was not saved; does nothing while the broker is away. */
  hint(subject: string, body: string): void;
  /** For how long events that are about to be saved are this process's to publish; null where they are the relay's. */
  holdMs(): number | null;
  publish(events: readonly OutboxMessage[]): void;
  /** Places for up to `most` tasks of this name that are about to be saved. */
  reserve(name: string, most: number): Places;
  /** `dueInMs` holds, for each task that was enqueued and not begun in a reserved place, its name and its delay. */
  wakeTasks(dueInMs: readonly (readonly [name: string, delayMs: number])[]): void;
  /** After rows were written past the kit. */
  wakeAll(): void;
};

type Committed<T> = {
  readonly result: T;
  /** Whether it saved events for the relay. */
  readonly isRelayed: boolean;
  readonly saved: SavedOutgoing;
  readonly placesOf: ReadonlyMap<string, Places>;
};

const reservePlaces = (movers: Movers, { tasks }: Outgoing): Map<string, Places> => {
  const dueNow = Object.groupBy(tasks.filter(mayBeHeld), ({ name }) => name);
  return new Map(
    Object.entries(dueNow).map(([name, due = []]) => [name, movers.reserve(name, due.length)] as const),
  );
};

/** One try of a transaction. Where it is undone, or nobody knows whether it is, its places are free again. */
const commit = async <S extends Surface, Tx extends SqlExecutor, T>(
  movers: Movers,
  client: Transactional<Tx>,
  work: (tx: Tx, send: Sender<S>) => Promise<T>,
): Promise<Committed<T>> => {
  let placesOf = new Map<string, Places>();
  try {
    return await client.$transaction(async (tx) => {
      const outgoing = nothingOutgoing();
      const result = await work(tx, senderInto<S>(outgoing));
      placesOf = reservePlaces(movers, outgoing);
      const holdMs = movers.holdMs();
      const saved = await saveOutgoing(tx, outgoing, { placesOf, holdMs });
      return { result, isRelayed: holdMs === null && outgoing.events.length > 0, saved, placesOf };
    }, TRANSACTION_LIMITS);
  } catch (error) {
    for (const places of placesOf.values()) places.giveBack();
    throw error;
  }
};

/** Begins what was born held here, and tells of the rest. */
const move = (movers: Movers, { isRelayed, saved, placesOf }: Committed<unknown>): void => {
  movers.publish(saved.events);
  for (const task of saved.held) placesOf.get(task.name)?.begin(task);
  if (isRelayed) movers.wakeRelay();
  if (saved.left.length > 0) movers.wakeTasks(saved.left);
};

/** Sending from inside transactions: a message is saved with the state that it speaks of, and moved after the commit. */
export const createMessaging = <S extends Surface>(movers: Movers): Messaging<S> => ({
  transaction: async (client, work) => {
    const committed = await retryConflicts(() => commit(movers, client, work));
    crashPoint('transaction-committed');
    move(movers, committed);
    return committed.result;
  },
  statement: async ({ enqueues, most = 1 }, run) => {
    const places = enqueues ? movers.reserve(enqueues.wireName, most) : noPlaces;
    const headers = travelling();
    const holdMs = movers.holdMs();
    const { count, leaseMs } = places;
    const sending = { headers: JSON.stringify(headers), places: count, leaseMs, holdMs };
    try {
      const { result, events = [], held = [], left = 0 } = await retryConflicts(() => run(sending));
      crashPoint('transaction-committed');
      for (const task of held) places.begin({ ...task, headers });
      if (holdMs !== null) movers.publish(events.map((event) => ({ ...event, headers })));
      else if (events.length > 0) movers.wakeRelay();
      if (enqueues && left > 0) movers.wakeTasks(Array.from({ length: left }, () => [enqueues.wireName, 0]));
      return result;
    } finally {
      places.giveBack();
    }
  },
  hint: (event, payload) => movers.hint(event.subject, encodePayload(event, payload)),
  wake: () => movers.wakeAll(),
});
