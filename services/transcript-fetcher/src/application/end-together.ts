import { setTimeout as pause } from 'node:timers/promises';
import { transcriptFetcher } from '@tds/contracts';
import {
  crashPoint,
  isDatabaseAway,
  type Messaging,
  type NewObject,
  type Objects,
  type Sending,
  type Sent,
  type Sql,
} from '@tds/service-kit';
import DataLoader from 'dataloader';
import { deliverTracks, type EndedIds, type Failing, failFetches } from '../store/end-fetches.ts';
import type { Delivery } from '../store/fetches.ts';
import type { Surface } from '../surface.ts';
import type { OperationWaiters } from './operation-waiters.ts';
import type { Turns } from './turns.ts';

/** How long the end of a fetch that nobody waits for is kept back, so that others are saved with it, while there are others. */
const TOGETHER_MS = 150;
const MOST_TOGETHER = 32;
const AGAIN_AFTER_MS = [200, 1_000, 3_000];

/** A track, and what is to be stored of it before. */
export type Delivered = {
  readonly delivery: Omit<Delivery, 'reportedTo'>;
  readonly objects: readonly NewObject[];
};

/** Ends fetches of batches; those that end at about the same time in one statement. */
export type EndTogether = {
  deliver(delivered: Delivered): Promise<void>;
  fail(failing: Failing): Promise<void>;
};

type Needed = {
  readonly sql: Sql;
  readonly objects: Objects;
  readonly messaging: Messaging<Surface>;
  readonly waiters: OperationWaiters;
  readonly turns: Turns;
};

/** While a database is away, what has been fetched is kept for some seconds. */
async function patiently(work: () => Promise<void>): Promise<void> {
  for (const pauseMs of AGAIN_AFTER_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      await pause(pauseMs);
    }
  }
  await work();
}

/** What is to be done when nothing more is waited for. */
type Collecting = { readonly begin: () => void; readonly timer: NodeJS.Timeout };

/**
 * What comes within some milliseconds is done together, or earlier where nothing more is to come; if that fails, each is done alone,
 * so that only the one at fault fails.
 */
function together<Item>(
  work: (items: readonly Item[]) => Promise<void>,
  isLast: () => boolean,
): (item: Item) => Promise<void> {
  const alone = (item: Item): Promise<undefined | Error> =>
    work([item]).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
    );
  let collecting: Collecting | null = null;
  const stop = (mine: Collecting): void => {
    clearTimeout(mine.timer);
    if (collecting === mine) collecting = null;
    mine.begin();
  };
  const loader = new DataLoader<Item, void>(
    async (items) => {
      try {
        await patiently(() => work(items));
        return items.map(() => undefined);
      } catch (error) {
        if (items.length === 1 || isDatabaseAway(error)) throw error;
        return await Promise.all(items.map(alone));
      }
    },
    {
      cache: false,
      maxBatchSize: MOST_TOGETHER,
      batchScheduleFn: (begin) => {
        const own: Collecting = { begin, timer: setTimeout(() => stop(own), TOGETHER_MS) };
        collecting = own;
      },
    },
  );
  return (item) => {
    const done = loader.load(item);
    if (collecting !== null && isLast()) stop(collecting);
    return done;
  };
}

export function createEndTogether({ sql, objects, messaging, waiters, turns }: Needed): EndTogether {
  const isLast = () => turns.isIdle();
  const end = async (
    statement: (sending: Sending) => Promise<Sent<EndedIds, { operationId: string }>>,
  ): Promise<void> => {
    const operationIds = await messaging.statement(
      { enqueues: transcriptFetcher.settleOperation, most: 0 },
      statement,
    );
    crashPoint('batch-ended');
    if (operationIds.length === 0) return;
    for (const id of operationIds) waiters.wake(id);
    messaging.hint(transcriptFetcher.operationsEnded, { operationIds: [...operationIds] });
  };
  return {
    deliver: together(async (delivered: readonly Delivered[]) => {
      // Two tracks may have the same cues.
      const byKey = new Map(delivered.flatMap((each) => each.objects).map((object) => [object.key, object]));
      await objects.putAll([...byKey.values()]);
      crashPoint('batch-stored');
      const deliveries = delivered.map(({ delivery }) => delivery);
      await end((sending) => deliverTracks(sql, deliveries, sending));
    }, isLast),
    fail: together(
      (failures: readonly Failing[]) => end((sending) => failFetches(sql, failures, sending)),
      isLast,
    ),
  };
}
