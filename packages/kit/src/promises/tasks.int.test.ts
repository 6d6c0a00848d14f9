import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { listDeadLetters, replayDeadLetter } from '@tds/messaging/admin';
import { workSubject } from '@tds/messaging/internals';
import { startTestNats, type TestNats } from '@tds/test-kit';
import { createTaskBench, enqueue, type Service, untilAll, work } from '../test-support/task-bench.ts';

describe('tasks', () => {
  let nats: TestNats;
  const bench = createTaskBench(() => nats);
  const { startWorker } = bench;
  beforeAll(async () => {
    nats = await startTestNats();
  });
  afterEach(() => bench.stopAll());
  afterAll(() => nats.stop());

  it('runs what was committed once, with its attempt number', async () => {
    const seen: [number, number, boolean][] = [];
    const service = await startWorker(
      async ({ n }, { attempt, isLastAttempt }) => void seen.push([n, attempt, isLastAttempt]),
    );
    await enqueue(service, 7);
    await untilAll(service, 'done', 1);
    expect(seen).toEqual([[7, 1, false]]);
  });

  it('runs nothing that was rolled back', async () => {
    const seen: number[] = [];
    const service = await startWorker(async ({ n }) => void seen.push(n));
    const failing = service.kit.messaging.transaction(service.client, async (_tx, send) => {
      await send.enqueue(work, { n: 1 });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await enqueue(service, 2);
    await untilAll(service, 'done', 1);
    expect(seen).toEqual([2]);
  });

  it('waits for its delay', async () => {
    const ran = Promise.withResolvers<number>();
    const service = await startWorker(async () => ran.resolve(performance.now()));
    const enqueuedAt = performance.now();
    await enqueue(service, 1, 300);
    const waited = (await ran.promise) - enqueuedAt;
    expect(waited).toBeGreaterThanOrEqual(295);
  });

  it('repeats after each backoff, then keeps a dead letter, and runs again when that is replayed', async () => {
    const at: number[] = [];
    let broken = true;
    const service = await startWorker(async () => {
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
    const service: Service = await startWorker(async (_payload, { complete }) => {
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

  it('runs a task without a wake or a hint', async () => {
    const seen: number[] = [];
    const service = await startWorker(async ({ n }) => void seen.push(n));
    await service.sql(`SELECT messaging.enqueue_task('do-work', '{"n": 5}')`);
    await untilAll(service, 'done', 1);
    expect(seen).toEqual([5]);
  });

  it('is not disturbed by hints that come twice, or without a task', async () => {
    let runs = 0;
    const service = await startWorker(async () => {
      runs += 1;
    });
    const { connect } = await import('@nats-io/transport-node');
    const other = await connect({ servers: nats.servers });
    for (let n = 0; n < 50; n += 1) other.publish(workSubject('status'));
    await other.flush();
    await enqueue(service, 1);
    await untilAll(service, 'done', 1);
    await other.close();
    expect(runs).toBe(1);
  });

  it('takes a payload that does not parse out of the way', async () => {
    const service = await startWorker(async () => {});
    await service.sql(`SELECT messaging.enqueue_task('do-work', '{"n": "five"}')`);
    await untilAll(service, 'dead', 1);
    expect(await listDeadLetters(service.kit.db)).toHaveLength(1);
  });

  it('does its work while the broker is away, and after it lost its store', async () => {
    const seen: number[] = [];
    const service = await startWorker(async ({ n }) => void seen.push(n));
    await nats.kill();
    await enqueue(service, 1);
    await untilAll(service, 'done', 1);
    await nats.start();
    await nats.wipe();
    await enqueue(service, 2);
    await untilAll(service, 'done', 2);
    expect(seen).toEqual([1, 2]);
  });
});
