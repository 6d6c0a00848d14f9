import { setTimeout as delay } from 'node:timers/promises';
import { poolClient } from '@tds/base/testing';
import { defineSurface } from '@tds/contracts';
import { type Handlers, type Kit, startService } from '@tds/kit';
import type { EnqueueOptions } from '@tds/messaging';
import { taskContract, WORK_MS } from '../support/bench-service.ts';
import { type PaceOptions, pace } from '../support/drive.ts';
import { serveHelper } from '../support/helper.ts';

/** A service on the kit that does one kind of task and measures its time. */

/** Tasks that wait in line in partitions. */
export type TaskLine = { readonly partitions: number; readonly each: number; readonly isStuck: boolean };

const surface = defineSurface(taskContract);
type BenchKit = Kit<typeof surface>;
type Watched = { readonly begun: (at: number) => void; readonly ended: (at: number) => void };

const watched = new Map<number, Watched>();
const provided = Promise.withResolvers<BenchKit>();
await startService(
  {
    surface,
    start: async (kit: BenchKit): Promise<Handlers<typeof surface>> => {
      provided.resolve(kit);
      return {
        commands: {},
        tasks: {
          benchWork: async ({ n, isStuck }, { signal }) => {
            const known = watched.get(n);
            known?.begun(performance.now());
            // A cancelled one ends by its signal, which is no failure.
            await delay(isStuck ? 2 ** 30 : WORK_MS, undefined, { signal }).catch(() => {});
            known?.ended(performance.now());
            watched.delete(n);
          },
        },
        subscriptions: {},
        broadcasts: {},
        schedules: {},
      };
    },
  },
  process.env,
);
const { messaging, db } = await provided.promise;
const client = poolClient(db);
let last = 0;

/** Enqueues one task, and returns the milliseconds until its begin and its end. */
const save = async (options: EnqueueOptions) => {
  last += 1;
  const n = last;
  const [begun, ended] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
  watched.set(n, { begun: begun.resolve, ended: ended.resolve });
  const requestedAt = performance.now();
  await messaging.transaction(client, (_tx, send) =>
    send.enqueue(taskContract.benchWork, { n, isStuck: false }, options),
  );
  const savedAt = performance.now();
  return { untilEnd: (await ended.promise) - requestedAt, untilBegin: (await begun.promise) - savedAt };
};

/** Milliseconds from the request to the end of each task, each of an account of its own. */
const interactive = async (options: PaceOptions): Promise<Float64Array> => {
  const took = new Float64Array(options.count);
  await pace(options, async (n) => {
    took[n] = (await save({ partition: `account ${n}` })).untilEnd;
  });
  return took;
};

/** Milliseconds from commit to begin, one task after the other. */
const claimed = async (count: number): Promise<Float64Array> => {
  const took = new Float64Array(count);
  for (let n = 0; n < count; n += 1) took[n] = Math.max(0, (await save({ key: `claim ${n}` })).untilBegin);
  return took;
};

const line = async ({ partitions, each, isStuck }: TaskLine): Promise<void> => {
  await db.query(
    `SELECT messaging.enqueue_task('bench-work', jsonb_build_object('n', -n, 'isStuck', $3::boolean),
       p_partition => 'job ' || n % $1)
     FROM generate_series(1, $1::int * $2::int) AS n`,
    [partitions, each, isStuck],
  );
  messaging.wake();
};

/** Deletes the rest of the line, and returns its length. */
const clear = async (): Promise<number> => {
  let cleared = 0;
  for (;;) {
    const { rowCount } = await db.query(
      `DELETE FROM messaging.tasks WHERE id IN (
         SELECT id FROM messaging.tasks WHERE state = 'ready' AND partition_key LIKE 'job %' LIMIT 1000)`,
    );
    if (!rowCount) return cleared;
    cleared += rowCount;
  }
};

serveHelper({ interactive, claimed, line, clear });
