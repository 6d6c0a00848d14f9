import { afterEach, describe, expect, it } from '@jest/globals';
import { dropDeadLetter, listDeadLetters, replayDeadLetter } from '@tds/messaging/admin';
import { eventually, sharedNatsUrl } from '@tds/test-kit';
import { createTaskBench, type Service, statesOf, untilAll, work } from '../test-support/task-bench.ts';

describe('a task with a key', () => {
  const bench = createTaskBench(() => ({ servers: sharedNatsUrl() }));
  const { startWorker } = bench;
  afterEach(() => bench.stopAll());

  const enqueueOnce = (service: Service, key: string, n = 1) =>
    service.kit.messaging.transaction(service.client, (_tx, send) => send.enqueue(work, { n }, { key }));
  const enqueueInSql = async (service: Service, key: string): Promise<string | undefined> => {
    const text = `SELECT messaging.enqueue_once('do-work', $1, '{"n": 1}') AS id`;
    return (await service.sql<{ id: string }>(text, key))[0]?.id;
  };

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
    expect(await statesOf(service)).toEqual({ ready: 2 });
    gate.resolve();
    await untilAll(service, 'done', 2);
    await enqueueOnce(service, 'a');
    await untilAll(service, 'done', 3);
  });

  it('is added once by many at the same time, who all learn its id in SQL', async () => {
    const gate = Promise.withResolvers<void>();
    const service = await startWorker(() => gate.promise);
    const ids = await Promise.all(Array.from({ length: 20 }, () => enqueueInSql(service, 'a')));
    expect(new Set(ids).size).toBe(1);
    await Promise.all(Array.from({ length: 20 }, () => enqueueOnce(service, 'a')));
    expect(await statesOf(service)).toEqual({ ready: 1 });
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
    await eventually(async () => expect(await statesOf(service)).toEqual({ ready: 1, done: 8 }));
    expect(seen.toSorted()).toEqual([2, 2, 2, 2, 4, 4, 4, 4]);
  });

  it('that is a dead letter is added anew, and its replay then adds no second one', async () => {
    const service = await startWorker(async (_payload, { bury }) => {
      await service.client.$transaction((tx) => bury(tx, 'hopeless'));
    });
    await enqueueOnce(service, 'a');
    await untilAll(service, 'dead', 1);
    const [letter] = await listDeadLetters(service.kit.db);
    await service.kit.messaging.transaction(service.client, (_tx, send) =>
      send.enqueue(work, { n: 1 }, { key: 'a', delayMs: 60_000 }),
    );
    expect(await replayDeadLetter(service.kit.db, letter!.id)).toBe(true);
    expect(await statesOf(service)).toEqual({ dead: 1, ready: 1 });
  });

  it('that is a dead letter is found by a sweep until an operator replays or drops it', async () => {
    const service = await startWorker(async (_payload, { bury }) => {
      await service.client.$transaction((tx) => bury(tx, 'hopeless'));
    });
    const sweep = () =>
      service.kit.messaging.transaction(service.client, (_tx, send) =>
        send.enqueue(work, { n: 1 }, { key: 'a', unlessDead: true }),
      );
    const id = await sweep();
    await untilAll(service, 'dead', 1);
    expect([await sweep(), await sweep()]).toEqual([id, id]);
    expect(await statesOf(service)).toEqual({ dead: 1 });
    const [letter] = await listDeadLetters(service.kit.db);
    expect(await dropDeadLetter(service.kit.db, letter!.id)).toBe(true);
    expect(await sweep()).not.toBe(id);
    await untilAll(service, 'dead', 2);
  });
});
