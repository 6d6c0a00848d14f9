import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually, sharedNatsUrl } from '@tds/test-kit';
import {
  countStates,
  createTaskBench,
  enqueue,
  type Service,
  untilAll,
  work,
} from '../test-support/task-bench.ts';

describe('a task with a key', () => {
  const bench = createTaskBench(() => ({ servers: sharedNatsUrl() }));
  const { startWorker } = bench;
  afterEach(() => bench.stopAll());

  const enqueueOnce = (service: Service, key: string, n = 1) =>
    service.kit.messaging.transaction(service.client, (_tx, send) => send.enqueue(work, { n }, { key }));
  const enqueueInSql = async (service: Service, key: string): Promise<string | undefined> => {
    const text = `SELECT messaging.enqueue_task('do-work', '{"n": 1}', p_key => $1) AS id`;
    return (await service.sql<{ id: string }>(text, key))[0]?.id;
  };

  it('is known to its sender by the id that its handler gets', async () => {
    const seen: string[] = [];
    const service = await startWorker(async (_payload, { taskId }) => void seen.push(taskId));
    const ids = [await enqueue(service, 1), await enqueue(service, 2, 50)];
    await untilAll(service, 'done', 2);
    expect(seen).toEqual(ids);
  });

  it('is added once while it is open, waiting, running or to be repeated, and again when it has ended', async () => {
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    const service = await startWorker(async () => {
      runs += 1;
      await gate.promise;
      if (runs === 1) throw new Error('not yet');
    });
    await enqueueOnce(service, 'a');
    await enqueueOnce(service, 'b');
    await eventually(() => expect(runs).toBe(2));
    for (let again = 0; again < 5; again += 1) await enqueueOnce(service, 'a');
    expect(await countStates(service)).toEqual({ ready: 2 });
    gate.resolve();
    await untilAll(service, 'done', 2);
    await enqueueOnce(service, 'a');
    await untilAll(service, 'done', 3);
  });

  it('is added once by many at the same time, who all get its id in SQL', async () => {
    const gate = Promise.withResolvers<void>();
    const service = await startWorker(() => gate.promise);
    const ids = await Promise.all(Array.from({ length: 20 }, () => enqueueInSql(service, 'a')));
    expect(new Set(ids).size).toBe(1);
    await Promise.all(Array.from({ length: 20 }, () => enqueueOnce(service, 'a')));
    expect(await countStates(service)).toEqual({ ready: 1 });
    gate.resolve();
    await untilAll(service, 'done', 1);
  });

  it('is saved beside others of its transaction, which need no key, and leaves no slot of the worker pool taken', async () => {
    const seen: number[] = [];
    const service = await startWorker(async ({ n }) => void seen.push(n));
    const enqueueFour = () =>
      service.kit.messaging.transaction(service.client, async (_tx, send) => {
        await send.enqueue(work, { n: 1 }, { key: 'a', delayMs: 60_000 });
        await send.enqueue(work, { n: 2 });
        await send.enqueue(work, { n: 3 }, { key: 'a' });
        await send.enqueue(work, { n: 4 });
      });
    for (let times = 0; times < 4; times += 1) await enqueueFour();
    await eventually(async () => expect(await countStates(service)).toEqual({ ready: 1, done: 8 }));
    expect(seen.toSorted()).toEqual([2, 2, 2, 2, 4, 4, 4, 4]);
  });
});
