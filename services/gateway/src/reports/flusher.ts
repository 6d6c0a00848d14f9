import { randomUUID } from 'node:crypto';
import { isServiceAway } from '@tds/base';
import type { Kit } from '@tds/kit';
import type { Surface } from '../surface.ts';

export type Batch<Item> = { readonly id: string; readonly items: Item[] };

/** A batch that the service refuses this often is dropped, so that it does not block the others. */
const MAX_REFUSALS = 10;

/** What a gateway gathers for another service, and how it is sent. */
type Report<Item> = {
  /** Removes and returns up to `limit` items, oldest first. */
  take(limit: number): Item[];
  /** Whether so much room is in use that all has to be sent. */
  isFilling(): boolean;
  /** Items of a batch. */
  readonly batchSize: number;
  send(batch: Batch<Item>): Promise<unknown>;
  /** Reports items that will never arrive. */
  onRefused(items: readonly Item[], cause: unknown): void;
};

/** Gets the number of requests that will never be reported. */
export type OnLoss = (requests: number, cause: unknown) => void;

/**
 * Sends the next batch; false if there is none or it failed. A batch without an answer is sent again under its own id
 * before newer ones, so it is added once.
 */
const createSendNext = <Item>({ take, batchSize, send, onRefused }: Report<Item>) => {
  let pending: Batch<Item> | null = null;
  let refusals = 0;
  const next = (): Batch<Item> | null => {
    if (pending !== null) return pending;
    const items = take(batchSize);
    return items.length === 0 ? null : { id: randomUUID(), items };
  };
  const forget = (): void => {
    pending = null;
    refusals = 0;
  };
  const countRefusal = ({ items }: Batch<Item>, error: unknown): void => {
    if (isServiceAway(error)) return;
    refusals += 1;
    if (refusals < MAX_REFUSALS) return;
    onRefused(items, error);
    forget();
  };
  return async (): Promise<boolean> => {
    pending = next();
    if (pending === null) return false;
    try {
      await send(pending);
    } catch (error) {
      // The next flush retries.
      countRefusal(pending, error);
      return false;
    }
    forget();
    return true;
  };
};

/** Sends what is gathered, one batch at a time; never rejects. */
export const createFlusher = <Item>(report: Report<Item>) => {
  const sendNext = createSendNext(report);
  let running: Promise<void> | null = null;
  let isAllWanted = false;

  const flush = async (): Promise<void> => {
    isAllWanted ||= report.isFilling();
    while ((await sendNext()) && isAllWanted);
    isAllWanted = false;
  };
  /** Sends one batch, oldest first; all if room runs out. */
  const flushSome = (): Promise<void> => {
    running ??= flush().finally(() => {
      running = null;
    });
    return running;
  };
  return {
    flushSome,
    /** Sends all gathered before this call, unless the service refuses it. */
    async flushAll(): Promise<void> {
      isAllWanted = true;
      // A running flush may have taken its last batch before this call.
      if (running) await running;
      isAllWanted = true;
      await flushSome();
    },
  };
};

const FLUSH_EVERY_MS = 1_000;
const TIMEOUT_MS = 2_000;

/** The context of a call that belongs to no request. */
export const ownContext = () => ({
  requestId: randomUUID(),
  accountId: null,
  signal: AbortSignal.timeout(TIMEOUT_MS),
});

/** Sends a batch every second or `everyMs`, and everything at the end. */
export const startReport = <Item>(
  { onStop }: Pick<Kit<Surface>, 'onStop'>,
  name: string,
  report: Report<Item>,
  everyMs = FLUSH_EVERY_MS,
) => {
  const flusher = createFlusher(report);
  const timer = setInterval(() => void flusher.flushSome(), everyMs);
  onStop(name, async () => {
    clearInterval(timer);
    await flusher.flushAll();
  });
  return flusher;
};
