import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createTestPool } from '@tds/base/testing';
import { claimSuspects, claimTasks, createFloors, renewTasks } from '@tds/messaging/internals';
import { eventually, sharedNatsUrl } from '@tds/test-kit';
import { createTaskBench, enqueue, type Service, untilAll, work } from '../test-support/task-bench.ts';

describe('a task whose workers vanished twice', () => {
  const bench = createTaskBench(() => ({ servers: sharedNatsUrl() }));
  const { startWorker } = bench;
  afterEach(() => bench.stopAll());

  const saveSuspect = (service: Service, n: number) =>
    service.sql(
      `INSERT INTO messaging.tasks (name, payload, attempts, lost_leases, lease_epoch, lease_until)
       VALUES ('do-work', jsonb_build_object('n', $1::int), 1, 1, 2, clock_timestamp())`,
      n,
    );
  it('begins beside a task that never ends, and keeps no other task from beginning', async () => {
    const gate = Promise.withResolvers<void>();
    const seen: number[] = [];
    const service = await startWorker(async ({ n }) => {
      seen.push(n);
      if (n < 3) await gate.promise;
    });
    await enqueue(service, 1);
    await eventually(() => expect(seen).toEqual([1]));
    await saveSuspect(service, 2);
    await eventually(() => expect(seen).toEqual([1, 2]));
    await enqueue(service, 3);
    await eventually(() => expect(seen).toEqual([1, 2, 3]));
    gate.resolve();
    await untilAll(service, 'done', 3);
  });

  it('begins also while all slots are taken', async () => {
    const gate = Promise.withResolvers<void>();
    const seen: number[] = [];
    const service = await startWorker(async ({ n }) => {
      seen.push(n);
      await gate.promise;
    });
    for (let n = 1; n <= work.concurrency; n += 1) await enqueue(service, n);
    await eventually(() => expect(seen).toHaveLength(work.concurrency));
    await saveSuspect(service, 0);
    await eventually(() => expect(seen).toContain(0));
    gate.resolve();
    await untilAll(service, 'done', work.concurrency + 1);
  });

  it('is none any more when it has run for a minute, and two more deaths do not make it one', async () => {
    const { url } = await bench.database();
    const pool = createTestPool(url);
    await pool.query(
      `INSERT INTO messaging.tasks (name, payload, attempts, lost_leases, lease_epoch, lease_until)
       VALUES ('do-work', '{"n": 1}', 1, 1, 2, clock_timestamp())`,
    );
    const served = [{ name: work.wireName, leaseMs: 60_000 }];
    const lose = () => pool.query('UPDATE messaging.tasks SET lease_until = clock_timestamp()');
    const [suspect] = await claimSuspects(pool, served, 1);
    expect(suspect).toMatchObject({ lostLeases: 2 });
    await renewTasks(pool, [{ ...suspect!, isProven: true }], 60_000);
    await lose();
    const claim = () => claimTasks(pool, createFloors(), [{ ...served[0]!, limit: 1 }]);
    expect(await claim()).toMatchObject([{ lostLeases: 0 }]);
    await lose();
    expect(await claim()).toMatchObject([{ lostLeases: 1 }]);
    await lose();
    expect(await claim()).toEqual([]);
    await pool.end();
  });

  it('is proven innocent by its worker when a minute has passed', async () => {
    const gate = Promise.withResolvers<void>();
    const service = await startWorker(() => gate.promise);
    await saveSuspect(service, 1);
    const losses = () => service.sql('SELECT lost_leases FROM messaging.tasks');
    await eventually(async () => expect(await losses()).toEqual([{ lost_leases: 2 }]));
    const now = performance.now.bind(performance);
    const later = jest.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
    try {
      await eventually(async () => expect(await losses()).toEqual([{ lost_leases: -1 }]));
    } finally {
      later.mockRestore();
    }
    gate.resolve();
    await untilAll(service, 'done', 1);
  });

  it('is none if the worker that lost it lives', async () => {
    const begun = Promise.withResolvers<void>();
    let runs = 0;
    const service = await startWorker(async (_payload, { signal }) => {
      runs += 1;
      if (runs > 1) return;
      begun.resolve();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    });
    await enqueue(service, 1);
    await begun.promise;
    // What another worker does after the lease has run out.
    await service.sql(
      `UPDATE messaging.tasks SET lease_epoch = lease_epoch + 1, lost_leases = lost_leases + 1,
         lease_until = now() + interval '1 hour'`,
    );
    const losses = () => service.sql('SELECT lost_leases FROM messaging.tasks');
    await eventually(async () => expect(await losses()).toEqual([{ lost_leases: 0 }]));
  });
});
