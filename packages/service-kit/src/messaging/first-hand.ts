import { failureFields } from '../errors/failure-fields.ts';
import { crashPoint } from '../run/crash-points.ts';
import type { StoreRuntime } from '../run/runtime.ts';
import { markPublished, type OutboxMessage, type Published, publishRow } from './publish-row.ts';

/** Short: when it is over before the mark is there, the relay publishes the event once more, under the same id. */
const HELD_MS = 1_000;
const MARK_AFTER_MS = 20;
const MARK_AT_ONCE = 200;
/** More are left to the relay, which takes them as fast as the broker does. */
const MOST_IN_FLIGHT = 500;

/**
 * Publishes events in the process that has just committed them, from memory: nothing is claimed, and marks are made for
 * many at once. What does not come about in time, the relay does.
 */
export type FirstHand = {
  /** For how long events that are about to be saved are this process's alone; null where the relay is to take them. */
  holdMs(): number | null;
  /** After the commit; never fails. */
  publish(events: readonly OutboxMessage[]): void;
  /**
   * Before the stream is audited: what has been published and is not marked yet may lie in a store that is lost. Its
   * acknowledgement counts for nothing, and no mark is under way when this ends.
   */
  forget(): Promise<void>;
  /** Takes nothing more; ends when all that was published is marked. */
  stop(): Promise<void>;
};

export const createFirstHand = ({ bus, pool, log, metrics }: StoreRuntime): FirstHand => {
  const inFlight = new Set<Promise<void>>();
  let published: Published[] = [];
  let timer: NodeJS.Timeout | undefined;
  /** Of the stream, as far as it is known to be the same one. */
  let epoch = 0;
  let marking = Promise.resolve();
  let isStopping = false;

  const markAll = async (marked: readonly Published[]): Promise<void> => {
    if (marked.length === 0) return;
    try {
      await markPublished(pool, marked);
      crashPoint('relay-marked');
    } catch (error) {
      log.warn('published events could not be marked; they are published again', failureFields(error));
    }
  };
  /** One after the other, so that whoever waits for the last has waited for all. */
  const mark = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const marked = published;
    published = [];
    marking = marking.then(() => markAll(marked));
    return marking;
  };
  const markSoon = (): void => {
    if (published.length >= MARK_AT_ONCE) void mark();
    else timer ??= setTimeout(() => void mark(), MARK_AFTER_MS);
  };
  const publishOne = async (event: OutboxMessage, committedAt: number): Promise<void> => {
    const before = epoch;
    try {
      const done = await publishRow(bus.jetstream, event);
      metrics.publishLag.observe((performance.now() - committedAt) / 1_000);
      crashPoint('relay-published');
      if (before === epoch) published.push(done);
      markSoon();
    } catch {
      // The relay takes it when it is nobody's any more, and tells why it cannot.
      metrics.publishErrors.inc();
    }
  };
  return {
    holdMs: () => (isStopping || !bus.isConnected() || inFlight.size >= MOST_IN_FLIGHT ? null : HELD_MS),
    publish: (events) => {
      if (events.length > 0) crashPoint('relay-claimed');
      const committedAt = performance.now();
      for (const event of events) {
        const publishing = publishOne(event, committedAt).finally(() => inFlight.delete(publishing));
        inFlight.add(publishing);
      }
    },
    forget: () => {
      epoch += 1;
      published = [];
      return marking;
    },
    stop: async () => {
      isStopping = true;
      await Promise.all(inFlight);
      await mark();
    },
  };
};
