import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, startTestNats, type TestNats } from '@tds/test-kit';
import { createTaskBench, enqueue, type Service, untilAll } from '../test-support/task-bench.ts';

const SLOTS = 4;

describe('a task that begins in the process that commits it', () => {
  let nats: TestNats;
  const bench = createTaskBench(() => nats);
  const { startWorker } = bench;
  beforeAll(async () => {
    nats = await startTestNats();
  });
  afterEach(() => bench.stopAll());
  afterAll(() => nats.stop());

  it('runs there once, as its first attempt, with the payload that was saved', async () => {
    const seen: [number, number][] = [];
    const service = await startWorker(async ({ n }, { attempt }) => void seen.push([n, attempt]));
    for (const n of [1, 2]) await enqueue(service, n);
    await untilAll(service, 'done', 2);
    expect(seen.toSorted()).toEqual([
      [1, 1],
      [2, 1],
    ]);
    expect(await service.sql('SELECT FROM messaging.tasks WHERE lease_epoch <> 1')).toEqual([]);
  });

  /** As many as there are slots. */
  const gated = async () => {
    const gate = Promise.withResolvers<void>();
    const order: number[] = [];
    const service: Service = await startWorker(async ({ n }) => {
      order.push(n);
      await gate.promise;
    });
    return { gate, order, service };
  };

  it('is not begun beyond the slots that there are, and not before others that wait', async () => {
    const { gate, order, service } = await gated();
    for (let n = 0; n < SLOTS + 3; n += 1) await enqueue(service, n);
    await eventually(() => expect(order).toHaveLength(SLOTS));
    gate.resolve();
    await untilAll(service, 'done', SLOTS + 3);
    expect(order).toEqual(Array.from({ length: SLOTS + 3 }, (_, n) => n));
  });
});
