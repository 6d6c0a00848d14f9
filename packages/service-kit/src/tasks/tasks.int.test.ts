import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { defineSurface, task } from '@tds/contracts';
import { eventually, startTestNats, type TestNats } from '@tds/test-kit';
import { z } from 'zod';
import { LeaseLost } from '../errors/lease-lost.ts';
import { listDeadLetters, replayDeadLetter } from '../messaging/dead-letters.ts';
import type { TaskContext } from '../service.ts';
import { createTestBench, type TestService } from '../testing/test-services.ts';

const work = task({
  owner: 'status',
  name: 'do-work',
  payload: z.object({ n: z.number() }),
  leaseMs: 1_500,
  backoffMs: [50, 100],
  concurrency: 4,
});
const surface = defineSurface({ name: 'status', does: [work] });
type Handler = (payload: { n: number }, context: TaskContext) => Promise<void>;
type Service = TestService<typeof surface>;

const enqueue = (service: Service, n: number, delayMs = 0) =>
  service.kit.messaging.transaction(service.client, (_tx, send) => send.enqueue(work, { n }, { delayMs }));
const statesOf = async (service: Service) => {
  const rows = await service.sql<{ state: string; count: number }>(
    `SELECT state, count(*)::int AS count FROM messaging.tasks WHERE name = 'do-work' GROUP BY state`,
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
};
const untilAll = (service: Service, state: string, count: number) =>
  eventually(async () => expect(await statesOf(service)).toEqual({ [state]: count }), { withinMs: 10_000 });

describe('tasks', () => {
  const bench = createTestBench();
  let nats: TestNats;
  beforeAll(async () => {
    nats = await startTestNats();
  });
  afterEach(() => bench.stopAll());
  afterAll(() => nats.stop());

  const start = (handler: Handler, databaseUrl?: string): Promise<Service> =>
    bench.start({
      surface,
      handlers: { tasks: { 'do-work': handler } },
      natsUrl: nats.servers,
      ...(databaseUrl === undefined ? {} : { databaseUrl }),
    });

  it('runs what was committed once, with its attempt number', async () => {
    const seen: [number, number, boolean][] = [];
    const service = await start(
      async ({ n }, { attempt, isLastAttempt }) => void seen.push([n, attempt, isLastAttempt]),
    );
    await enqueue(service, 7);
    await untilAll(service, 'done', 1);
    expect(seen).toEqual([[7, 1, false]]);
  });

  it('runs nothing that was rolled back', async () => {
    const seen: number[] = [];
    const service = await start(async ({ n }) => void seen.push(n));
    const failing = service.kit.messaging.transaction(service.client, async (_tx, send) => {
      await send.enqueue(work, { n: 1 });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await enqueue(service, 2);
    await untilAll(service, 'done', 1);
    expect(seen).toEqual([2]);
  });

  it('waits as long as it was told to', async () => {
    const ran = Promise.withResolvers<number>();
    const service = await start(async () => ran.resolve(performance.now()));
    const enqueuedAt = performance.now();
    await enqueue(service, 1, 300);
    const waited = (await ran.promise) - enqueuedAt;
    expect(waited).toBeGreaterThanOrEqual(295);
  });

  it('repeats after each backoff, then keeps a dead letter, and runs again when that is replayed', async () => {
    const at: number[] = [];
    let broken = true;
    const service = await start(async () => {
      at.push(performance.now());
      if (broken) throw new Error('not today');
    });
    await enqueue(service, 3);
    await untilAll(service, 'dead', 1);
    expect(at).toHaveLength(3);
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(50);
    expect((at[2] ?? 0) - (at[1] ?? 0)).toBeGreaterThanOrEqual(100);
    const [letter, ...others] = await listDeadLetters(service.kit.db);
    expect(others).toEqual([]);
    expect(letter).toMatchObject({ kind: 'task', source: 'do-work', attempts: 3, payload: { n: 3 } });
    expect(letter?.reason).toContain('not today');
    broken = false;
    expect(await replayDeadLetter(service.kit.db, letter!.id)).toBe(true);
    expect(await replayDeadLetter(service.kit.db, letter!.id)).toBe(false);
    await untilAll(service, 'done', 1);
    expect(await listDeadLetters(service.kit.db)).toEqual([]);
  });

  it('ends in the transaction of its handler, or not at all', async () => {
    let attempts = 0;
    const service: Service = await start(async (_payload, { complete }) => {
      attempts += 1;
      await service.client.$transaction(async (tx) => {
        await complete(tx);
        if (attempts === 1) throw new Error('rolled back');
      });
    });
    await enqueue(service, 1);
    await untilAll(service, 'done', 1);
    expect(attempts).toBe(2);
  });

  it('keeps the dead letter that a handler buries with its own error state', async () => {
    const service: Service = await start(async (_payload, { bury }) => {
      await service.client.$transaction((tx) => bury(tx, 'hopeless'));
    });
    await enqueue(service, 1);
    await untilAll(service, 'dead', 1);
    expect(await listDeadLetters(service.kit.db)).toMatchObject([{ reason: 'hopeless', attempts: 1 }]);
  });

  it('changes nothing when a worker wakes up after its lease went to another', async () => {
    const losses: unknown[] = [];
    const firstRuns = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    const service: Service = await start(async (_payload, { complete }) => {
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

  it('tells a handler that its lease is lost', async () => {
    const told = Promise.withResolvers<void>();
    let runs = 0;
    const service = await start(async (_payload, { signal }) => {
      runs += 1;
      if (runs > 1) return;
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      told.resolve();
    });
    await enqueue(service, 1);
    await eventually(() => expect(runs).toBe(1));
    await service.sql(`UPDATE messaging.tasks SET lease_epoch = lease_epoch + 1 WHERE name = 'do-work'`);
    await told.promise;
  });

  it('keeps the lease of a handler that needs longer than it', async () => {
    let runs = 0;
    const gate = Promise.withResolvers<void>();
    const service = await start(async () => {
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
    const [one, two] = await Promise.all([start(handler, url), start(handler, url)]);
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
    const busy = await start(async () => {
      by.push('busy');
      await gate.promise;
    }, url);
    await start(async () => {
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

  it('runs a task that nobody was told of', async () => {
    const seen: number[] = [];
    const service = await start(async ({ n }) => void seen.push(n));
    await service.sql(`SELECT messaging.enqueue('do-work', '{"n": 5}')`);
    await untilAll(service, 'done', 1);
    expect(seen).toEqual([5]);
  });

  it('is not disturbed by hints that come twice, or without a task', async () => {
    let runs = 0;
    const service = await start(async () => {
      runs += 1;
    });
    const { connect } = await import('@nats-io/transport-node');
    const other = await connect({ servers: nats.servers });
    for (let n = 0; n < 50; n += 1) other.publish(work.subject);
    await other.flush();
    await enqueue(service, 1);
    await untilAll(service, 'done', 1);
    await other.close();
    expect(runs).toBe(1);
  });

  it('takes a payload that does not parse out of the way', async () => {
    const service = await start(async () => {});
    await service.sql(`SELECT messaging.enqueue('do-work', '{"n": "five"}')`);
    await untilAll(service, 'dead', 1);
    expect(await listDeadLetters(service.kit.db)).toHaveLength(1);
  });

  it('finishes what is in hand when it stops', async () => {
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const { url } = await bench.database();
    const service = await start(async () => {
      begun.resolve();
      await gate.promise;
    }, url);
    await enqueue(service, 1);
    await begun.promise;
    const stopped = service.stop();
    gate.resolve();
    await stopped;
    const next = await start(async () => {}, url);
    expect(await statesOf(next)).toEqual({ done: 1 });
  });

  it('gives back what does not end in time, not counted as an attempt', async () => {
    const { url } = await bench.database();
    const service = await start(() => new Promise(() => {}), url);
    await enqueue(service, 1);
    await eventually(async () =>
      expect(await service.sql('SELECT FROM messaging.tasks WHERE lease_epoch = 1')).toHaveLength(1),
    );
    await service.stop();
    const attempts: number[] = [];
    const next = await start(async (_payload, { attempt }) => void attempts.push(attempt), url);
    await untilAll(next, 'done', 1);
    expect(attempts).toEqual([1]);
  });

  it('does its work while the broker is away, and after it lost its store', async () => {
    const seen: number[] = [];
    const service = await start(async ({ n }) => void seen.push(n));
    await nats.kill();
    await enqueue(service, 1);
    await untilAll(service, 'done', 1);
    await nats.start();
    await nats.wipe();
    await enqueue(service, 2);
    await untilAll(service, 'done', 2);
    expect(seen).toEqual([1, 2]);
  }, 20_000);
});
