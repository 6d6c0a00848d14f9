import { afterEach, describe, expect, it } from '@jest/globals';
import { RetryLater } from '@tds/base';
import { createTestPool } from '@tds/base/testing';
import { listDeadLetters, replayDeadLetter } from '@tds/messaging/admin';
import { admitParked } from '@tds/messaging/internals';
import { eventually } from '@tds/test-kit';
import {
  CAP,
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

  it('run as many at a time as its cap says, over all instances, and all of them in the end', async () => {
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
    expect([...most.values()]).toEqual([CAP, CAP, CAP]);
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
    const claimable = await service.sql(
      `SELECT FROM messaging.tasks WHERE state = 'ready' AND due_at <= now() AND partition_key = 'stuck'`,
    );
    expect(claimable).toHaveLength(CAP);
    gate.resolve();
  });

  it('begin in the process that commits them while the partition has a permit, and leave the slot if it has none', async () => {
    const gate = Promise.withResolvers<void>();
    const service = await startWorker(() => gate.promise);
    for (let n = 0; n < 10; n += 1) await enqueueIn(service, n, { partition: 'a' });
    const running = `SELECT FROM messaging.tasks WHERE state = 'ready' AND lease_until IS NOT NULL AND lease_epoch = 1`;
    await eventually(async () => expect(await service.sql(running)).toHaveLength(CAP));
    // Their slots are free for others.
    for (let n = 10; n < 10 + 6 - CAP; n += 1) await enqueueIn(service, n, {});
    await eventually(async () => expect(await service.sql(running)).toHaveLength(6));
    gate.resolve();
    await untilNothingIsOpen(service);
  });

  it('give up their permit while they wait for another attempt, and get one again when that is due', async () => {
    const seen: number[] = [];
    const service = await startWorker(async ({ n }) => {
      seen.push(n);
      if (n <= CAP && seen.filter((one) => one === n).length === 1) throw new RetryLater(1_500, 'come back');
    });
    await fill(service, 'a', CAP + 1);
    await untilNothingIsOpen(service);
    expect(seen).toHaveLength(CAP * 2 + 1);
    expect(seen.indexOf(CAP + 1)).toBe(CAP);
  });

  it('wait for their delay, and run after it', async () => {
    const ran = Promise.withResolvers<number>();
    const service = await startWorker(async () => ran.resolve(performance.now()));
    const enqueuedAt = performance.now();
    await enqueueIn(service, 1, { partition: 'a', delayMs: 300 });
    expect((await ran.promise) - enqueuedAt).toBeGreaterThanOrEqual(295);
    await untilNothingIsOpen(service);
  });

  it('hand their permit on when they are cancelled, ended past the kit, or dead', async () => {
    const seen: number[] = [];
    const service = await startWorker(async ({ n }, { signal }) => {
      seen.push(n);
      if (n === 3) throw new Error('hopeless');
      if (n < 3) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    });
    await fill(service, 'a', 2 + 2);
    await eventually(() => expect(seen.toSorted()).toEqual([1, 2]));
    const raw = `UPDATE messaging.tasks SET state = 'done', lease_until = NULL WHERE payload ->> 'n' = '1'`;
    await service.sql(raw);
    await eventually(() => expect(seen.toSorted()).toEqual([1, 2, 3, 4]));
    await service.sql(`DELETE FROM messaging.tasks WHERE payload ->> 'n' = '2'`);
    await untilNothingIsOpen(service);
    const [letter] = await listDeadLetters(service.kit.db);
    await replayDeadLetter(service.kit.db, letter!.id);
    await eventually(() => expect(seen.filter((n) => n === 3)).toHaveLength(2));
    await untilNothingIsOpen(service);
  });

  it('take one permit for a key, however often it is enqueued', async () => {
    const gate = Promise.withResolvers<void>();
    const service = await startWorker(() => gate.promise);
    const options = { partition: 'a', key: 'k' };
    const ids = await Promise.all(Array.from({ length: 8 }, (_, n) => enqueueIn(service, n, options)));
    expect(new Set(ids).size).toBe(1);
    const permits = await service.sql('SELECT in_flight FROM messaging.task_partitions');
    expect(permits).toEqual([{ in_flight: 1 }]);
    gate.resolve();
    await untilNothingIsOpen(service);
  });

  it('cost a look nothing while they wait for their time, however many there are', async () => {
    const database = await bench.database();
    const pool = createTestPool(database.adminUrl, 1);
    await pool.query(
      `INSERT INTO messaging.tasks (name, payload, due_at, partition_key, max_in_flight)
       SELECT 'do-work', '{"n": 1}', now() + interval '1 hour', n::text, 1 FROM generate_series(1, 20000) AS n`,
    );
    await pool.query('ANALYZE messaging.tasks');
    const read = async () => {
      await pool.query('SELECT pg_stat_force_next_flush()');
      const { rows } = await pool.query<{ read: number }>(
        `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS read FROM pg_stat_user_tables
         WHERE relname IN ('tasks', 'task_partitions')`,
      );
      return rows[0]?.read ?? Number.NaN;
    };
    const before = await read();
    expect(await admitParked(pool, ['do-work'])).toEqual([]);
    expect(await read()).toBe(before);
    await pool.query(`UPDATE messaging.tasks SET wanted_at = now() WHERE partition_key = '7'`);
    const unread = await read();
    expect(await admitParked(pool, ['do-work'])).toEqual(['do-work']);
    expect((await read()) - unread).toBeLessThan(10);
    await pool.end();
  });

  it('stand in line behind those that run when their time has come, and run when these have ended', async () => {
    const gate = Promise.withResolvers<void>();
    const seen: number[] = [];
    const service = await startWorker(async ({ n }) => {
      seen.push(n);
      if (n <= CAP) await gate.promise;
    });
    await fill(service, 'a', CAP);
    await eventually(() => expect(seen).toHaveLength(CAP));
    await enqueueIn(service, CAP + 1, { partition: 'a', delayMs: 10 });
    const inLine = 'SELECT FROM messaging.tasks WHERE in_line';
    await eventually(async () => expect(await service.sql(inLine)).toHaveLength(1));
    expect(seen).toHaveLength(CAP);
    gate.resolve();
    await untilNothingIsOpen(service);
    expect(seen).toHaveLength(CAP + 1);
  });
});
