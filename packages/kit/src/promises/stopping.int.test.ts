import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually, sharedNatsUrl } from '@tds/test-kit';
import { countStates, createTaskBench, enqueue, untilAll } from '../test-support/task-bench.ts';

describe('a worker that stops', () => {
  const bench = createTaskBench(() => ({ servers: sharedNatsUrl() }));
  const { startWorker } = bench;
  afterEach(() => bench.stopAll());

  it('finishes what is in hand', async () => {
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const { url } = await bench.database();
    const service = await startWorker(async () => {
      begun.resolve();
      await gate.promise;
    }, url);
    await enqueue(service, 1);
    await begun.promise;
    const stopped = service.stop();
    gate.resolve();
    await stopped;
    const next = await startWorker(async () => {}, url);
    expect(await countStates(next)).toEqual({ done: 1 });
  });

  it('releases what does not end in time, not counted as an attempt', async () => {
    const { url } = await bench.database();
    const service = await startWorker(() => new Promise(() => {}), url);
    await enqueue(service, 1);
    await eventually(async () =>
      expect(await service.sql('SELECT FROM messaging.tasks WHERE lease_epoch = 1')).toHaveLength(1),
    );
    await service.stop();
    const attempts: number[] = [];
    const next = await startWorker(async (_payload, { attempt }) => void attempts.push(attempt), url);
    await untilAll(next, 'done', 1);
    expect(attempts).toEqual([1]);
  });

  it('hands back what throws when the process cuts it off, uncounted, also in its last attempt', async () => {
    const { url } = await bench.database();
    const begun = Promise.withResolvers<void>();
    const service = await startWorker(async (_payload, { attempt, signal }) => {
      if (attempt < 3) throw new Error('not yet');
      begun.resolve();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      throw new Error('cut off', { cause: signal.reason });
    }, url);
    await enqueue(service, 1);
    await begun.promise;
    await service.stop();
    const attempts: number[] = [];
    const next = await startWorker(async (_payload, { attempt }) => void attempts.push(attempt), url);
    await untilAll(next, 'done', 1);
    expect(attempts).toEqual([3]);
  });
});
