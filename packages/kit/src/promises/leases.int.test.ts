import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { LeaseLost } from '@tds/base';
import { eventually, startTestNats, type TestNats } from '@tds/test-kit';
import {
  createTaskBench,
  enqueue,
  type Handler,
  type Service,
  untilAll,
  work,
} from '../test-support/task-bench.ts';

describe('leases of tasks', () => {
  let nats: TestNats;
  const bench = createTaskBench(() => nats);
  const { startWorker } = bench;
  beforeAll(async () => {
    nats = await startTestNats();
  });
  afterEach(() => bench.stopAll());
  afterAll(() => nats.stop());

  it('changes nothing when a worker wakes up after its lease went to another', async () => {
    const losses: unknown[] = [];
    const firstRuns = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    const service: Service = await startWorker(async (_payload, { complete }) => {
      runs += 1;
      if (runs > 1) return;
      firstRuns.resolve();
      await gate.promise;
      await service.client.$transaction(async (tx) => {
        await tx.$executeRawUnsafe(`INSERT INTO messaging.inbox VALUES ('zombie', gen_random_uuid())`);
        await complete(tx).catch((error: unknown) => {
          losses.push(error);
          throw error;
        });
      });
    });
    await enqueue(service, 1);
    await firstRuns.promise;
    // What another worker does after a frozen one's lease has run out.
    await service.sql(
      `UPDATE messaging.tasks SET lease_epoch = lease_epoch + 1, lease_until = now() + interval '1 second'`,
    );
    gate.resolve();
    await eventually(() => expect(losses).toHaveLength(1));
    await untilAll(service, 'done', 1);
    expect(losses[0]).toBeInstanceOf(LeaseLost);
    expect(runs).toBe(2);
    expect(await service.sql(`SELECT FROM messaging.inbox WHERE consumer = 'zombie'`)).toEqual([]);
  });

  it('lets a handler know that its lease is lost', async () => {
    const noticed = Promise.withResolvers<void>();
    let runs = 0;
    const service = await startWorker(async (_payload, { signal }) => {
      runs += 1;
      if (runs > 1) return;
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      noticed.resolve();
    });
    await enqueue(service, 1);
    await eventually(() => expect(runs).toBe(1));
    await service.sql(`UPDATE messaging.tasks SET lease_epoch = lease_epoch + 1 WHERE name = 'do-work'`);
    await noticed.promise;
  });

  it.each([
    ['returns', async () => {}],
    ['throws', () => Promise.reject(new Error('cut off'))],
  ])('counts a lost lease, even if the handler %s when it notices', async (_how, end) => {
    let runs = 0;
    const service = await startWorker(async (_payload, { signal }) => {
      runs += 1;
      if (runs > 1) return;
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      await end();
    });
    await enqueue(service, 1);
    await eventually(() => expect(runs).toBe(1));
    await service.sql(`UPDATE messaging.tasks SET lease_epoch = lease_epoch + 1 WHERE name = 'do-work'`);
    const lost = async () => (await service.kit.metrics.leasesLost.get()).values[0]?.value;
    await eventually(async () => expect(await lost()).toBe(1));
  });

  it('keeps the lease of a handler that needs longer than it', async () => {
    let runs = 0;
    const gate = Promise.withResolvers<void>();
    const service = await startWorker(async () => {
      runs += 1;
      await gate.promise;
    });
    await enqueue(service, 1);
    const epochs = () =>
      service.sql<{ ok: boolean }>(
        `SELECT lease_until > created_at + interval '3 seconds' AS ok FROM messaging.tasks WHERE name = 'do-work'`,
      );
    await eventually(async () => expect(await epochs()).toEqual([{ ok: true }]));
    gate.resolve();
    await untilAll(service, 'done', 1);
    expect(runs).toBe(1);
  });

  it('never gives one task to two workers', async () => {
    const { url } = await bench.database();
    const seen: number[] = [];
    let together = 0;
    let most = 0;
    const handler: Handler = async ({ n }) => {
      seen.push(n);
      together += 1;
      most = Math.max(most, together);
      await new Promise((resolve) => setImmediate(resolve));
      together -= 1;
    };
    const [one, two] = await Promise.all([startWorker(handler, url), startWorker(handler, url)]);
    const numbers = Array.from({ length: 200 }, (_, n) => n);
    await Promise.all(numbers.map((n) => enqueue(n % 2 ? one! : two!, n)));
    await untilAll(one!, 'done', 200);
    expect(seen.sort((a, b) => a - b)).toEqual(numbers);
    expect(most).toBeLessThanOrEqual(8);
  });

  it('lets another instance help when one has more than it can do', async () => {
    const { url } = await bench.database();
    const gate = Promise.withResolvers<void>();
    const by: string[] = [];
    const busy = await startWorker(async () => {
      by.push('busy');
      await gate.promise;
    }, url);
    await startWorker(async () => {
      by.push('helper');
      await gate.promise;
    }, url);
    await busy.kit.messaging.transaction(busy.client, async (_tx, send) => {
      for (let n = 0; n < 8; n += 1) await send.enqueue(work, { n });
    });
    await eventually(() =>
      expect(by.toSorted()).toEqual([...Array(4).fill('busy'), ...Array(4).fill('helper')]),
    );
    gate.resolve();
    await untilAll(busy, 'done', 8);
  });

  it('keeps a leased task from others until its lease has run out; then it begins as its next attempt', async () => {
    const attempts: number[] = [];
    const service = await startWorker(async (_payload, { attempt }) => void attempts.push(attempt));
    // What a process leaves that dies between its claim and the handler.
    await service.sql(`
      INSERT INTO messaging.tasks (name, payload, attempts, lease_epoch, lease_until)
      VALUES ('do-work', '{"n": 1}', 1, 1, clock_timestamp() + interval '400 milliseconds')`);
    const bornAt = performance.now();
    service.kit.messaging.wake();
    await eventually(() => expect(attempts).toEqual([2]));
    expect(performance.now() - bornAt).toBeGreaterThanOrEqual(395);
    await untilAll(service, 'done', 1);
  });

  it('leaves a dead letter of a task that was lost in its last attempt, counts it, and runs it no more', async () => {
    let runs = 0;
    const service = await startWorker(async () => {
      runs += 1;
    });
    await service.sql(
      `INSERT INTO messaging.tasks (name, payload, attempts, lease_epoch, lease_until)
       VALUES ('do-work', '{"n": 1}', 3, 3, now())`,
    );
    await untilAll(service, 'dead', 1);
    expect(runs).toBe(0);
    const buried = async () => (await service.kit.metrics.deadLetters.get()).values;
    await eventually(async () =>
      expect(await buried()).toMatchObject([{ value: 1, labels: { source: 'do-work' } }]),
    );
  });
});
