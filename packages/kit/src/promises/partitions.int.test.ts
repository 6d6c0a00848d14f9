import { afterEach, describe, expect, it } from '@jest/globals';
import { RetryLater } from '@tds/base';
import { listDeadLetters, replayDeadLetter } from '@tds/messaging/admin';
import { eventually } from '@tds/test-kit';
import {
  createPartitionBench,
  enqueueIn,
  fill,
  type PartitionHandler,
  untilNothingIsOpen,
} from '../test-support/partition-bench.ts';

describe('tasks of a partition', () => {
  const bench = createPartitionBench();
  const { startWorker } = bench;
  afterEach(() => bench.stopAll());

  /** A handler that counts how many of each partition run at once. */
  const counting = () => {
    const together = new Map<string, number>();
    const most = new Map<string, number>();
    const handler: PartitionHandler = async ({ partition = '' }) => {
      together.set(partition, (together.get(partition) ?? 0) + 1);
      most.set(partition, Math.max(most.get(partition) ?? 0, together.get(partition) ?? 0));
      await new Promise((resolve) => setTimeout(resolve, 5));
      together.set(partition, (together.get(partition) ?? 0) - 1);
    };
    return { most, handler };
  };

  it('run one at a time, over all instances, and all of them in the end', async () => {
    const { url } = await bench.database();
    const { most, handler } = counting();
    const [one, two] = [await startWorker(handler, url), await startWorker(handler, url)];
    const partitions = ['a', 'b', 'c'];
    const enqueued = Array.from({ length: 60 }, (_, n) =>
      enqueueIn(n % 2 ? one : two, n, { partition: partitions[n % 3] ?? '' }),
    );
    await Promise.all(enqueued);
    await untilNothingIsOpen(one);
    expect(await one.sql(`SELECT FROM messaging.tasks WHERE state = 'done'`)).toHaveLength(60);
    expect([...most.values()]).toEqual([1, 1, 1]);
  });

  it('do not keep others from running, however many of them wait', async () => {
    const gate = Promise.withResolvers<void>();
    const seen: number[] = [];
    const service = await startWorker(async ({ n, partition }) => {
      if (partition === 'stuck') await gate.promise;
      else seen.push(n);
    });
    await fill(service, 'stuck', 10_000);
    for (let n = 0; n < 5; n += 1) await enqueueIn(service, n, { partition: `other${n}` });
    await enqueueIn(service, 5, {});
    await eventually(() => expect(seen.toSorted()).toEqual([0, 1, 2, 3, 4, 5]));
    const running = await service.sql(
      `SELECT FROM messaging.tasks WHERE state = 'ready' AND lease_until > now() AND partition_key = 'stuck'`,
    );
    expect(running).toHaveLength(1);
    gate.resolve();
  });

  it('let the next one begin while they wait for another attempt', async () => {
    const seen: number[] = [];
    const service = await startWorker(async ({ n }) => {
      seen.push(n);
      if (n === 1 && seen.length === 1) throw new RetryLater(1_500, 'come back');
    });
    await fill(service, 'a', 2);
    await untilNothingIsOpen(service);
    expect(seen).toEqual([1, 2, 1]);
  });

  it('wait for their delay, and run after it', async () => {
    const ran = Promise.withResolvers<number>();
    const service = await startWorker(async () => ran.resolve(performance.now()));
    const enqueuedAt = performance.now();
    await enqueueIn(service, 1, { partition: 'a', delayMs: 300 });
    expect((await ran.promise) - enqueuedAt).toBeGreaterThanOrEqual(295);
    await untilNothingIsOpen(service);
  });

  it('go on when the one that runs is deleted, ended past the kit, or dead', async () => {
    const seen: number[] = [];
    const service = await startWorker(async ({ n }, { signal }) => {
      seen.push(n);
      if (n === 3) throw new Error('hopeless');
      if (n < 3) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    });
    await fill(service, 'a', 4);
    await eventually(() => expect(seen).toEqual([1]));
    await service.sql(
      `UPDATE messaging.tasks SET state = 'done', lease_until = NULL WHERE payload ->> 'n' = '1'`,
    );
    await eventually(() => expect(seen).toEqual([1, 2]));
    await service.sql(`DELETE FROM messaging.tasks WHERE payload ->> 'n' = '2'`);
    await untilNothingIsOpen(service);
    const [letter] = await listDeadLetters(service.kit.db);
    await replayDeadLetter(service.kit.db, letter!.id);
    await eventually(() => expect(seen.filter((n) => n === 3).length).toBeGreaterThan(2));
    await untilNothingIsOpen(service);
  });

  it('are one for a key, however often it is enqueued', async () => {
    const gate = Promise.withResolvers<void>();
    const service = await startWorker(() => gate.promise);
    const options = { partition: 'a', key: 'k' };
    const ids = await Promise.all(Array.from({ length: 8 }, (_, n) => enqueueIn(service, n, options)));
    expect(new Set(ids).size).toBe(1);
    gate.resolve();
    await untilNothingIsOpen(service);
  });

  it('wait for the one that runs when their time has come, and run when it has ended', async () => {
    const gate = Promise.withResolvers<void>();
    const seen: number[] = [];
    const service = await startWorker(async ({ n }) => {
      seen.push(n);
      if (n === 1) await gate.promise;
    });
    await enqueueIn(service, 1, { partition: 'a' });
    await eventually(() => expect(seen).toEqual([1]));
    await enqueueIn(service, 2, { partition: 'a', delayMs: 10 });
    // Polls have seen it due: this one was enqueued later and ran.
    await enqueueIn(service, 3, { partition: 'b', delayMs: 600 });
    await eventually(() => expect(seen).toEqual([1, 3]));
    gate.resolve();
    await untilNothingIsOpen(service);
    expect(seen).toEqual([1, 3, 2]);
  });
});
