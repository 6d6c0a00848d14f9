import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { LeaseLost } from '@tds/base';
import { eventually, sharedNatsUrl } from '@tds/test-kit';
import {
  createTaskBench,
  enqueue,
  type Handler,
  type Service,
  statesOf,
  untilAll,
  work,
} from '../test-support/task-bench.ts';

describe('a task', () => {
  const bench = createTaskBench(() => ({ servers: sharedNatsUrl() }));
  const { startWorker } = bench;
  afterEach(() => bench.stopAll());

  const cancel = (service: Service, id: string): Promise<boolean> =>
    service.kit.messaging.transaction(service.client, (_tx, send) => send.cancel(id));
  const enqueueKeyed = (service: Service, key: string, delayMs = 0): Promise<string> =>
    service.kit.messaging.transaction(service.client, (_tx, send) =>
      send.enqueue(work, { n: 1 }, { key, delayMs }),
    );
  /** A handler that runs until its signal fires, and what it then sees. */
  const untilAborted = () => {
    const begun = Promise.withResolvers<void>();
    const reason = Promise.withResolvers<unknown>();
    const handler: Handler = async (_payload, { signal }) => {
      begun.resolve();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      reason.resolve(signal.reason);
    };
    return { begun: begun.promise, reason: reason.promise, handler };
  };

  it('is known to its sender by the id that its handler gets', async () => {
    const seen: string[] = [];
    const service = await startWorker(async (_payload, { taskId }) => void seen.push(taskId));
    const ids = [await enqueue(service, 1), await enqueue(service, 2, 50)];
    await untilAll(service, 'done', 2);
    expect(seen).toEqual(ids);
  });

  it('with a key has one id for all who enqueue it while it is open', async () => {
    const service = await startWorker(async () => {});
    const ids = await Promise.all([1, 2, 3].map(() => enqueueKeyed(service, 'a', 60_000)));
    expect(new Set(ids).size).toBe(1);
    expect(await enqueueKeyed(service, 'b', 60_000)).not.toBe(ids[0]);
  });

  it('that waits is gone when it is cancelled, and its key is free', async () => {
    const service = await startWorker(async () => {});
    const id = await enqueueKeyed(service, 'a', 60_000);
    expect(await cancel(service, id)).toBe(true);
    expect(await statesOf(service)).toEqual({});
    expect(await enqueueKeyed(service, 'a', 60_000)).not.toBe(id);
  });

  it('is not cancelled by a transaction that is rolled back', async () => {
    const service = await startWorker(async () => {});
    const id = await enqueue(service, 1, 60_000);
    const failing = service.kit.messaging.transaction(service.client, async (_tx, send) => {
      await send.cancel(id);
      throw new Error('no commit');
    });
    await expect(failing).rejects.toThrow('no commit');
    expect(await statesOf(service)).toEqual({ ready: 1 });
  });

  it('is never saved if its own transaction cancels it', async () => {
    const service = await startWorker(async () => {});
    await service.kit.messaging.transaction(service.client, async (_tx, send) => {
      expect(await send.cancel(await send.enqueue(work, { n: 1 }))).toBe(true);
    });
    expect(await statesOf(service)).toEqual({});
  });

  it('that runs learns at once that it was cancelled, and commits nothing through its lease', async () => {
    const { begun, reason, handler } = untilAborted();
    const losses = Promise.withResolvers<unknown>();
    const service: Service = await startWorker(async (payload, context) => {
      await handler(payload, context);
      await service.client.$transaction((tx) => context.complete(tx)).catch(losses.resolve);
    });
    const id = await enqueue(service, 1);
    await begun;
    expect(await cancel(service, id)).toBe(true);
    expect(await reason).toBeInstanceOf(LeaseLost);
    expect(await losses.promise).toBeInstanceOf(LeaseLost);
    expect(await statesOf(service)).toEqual({});
  });

  it('that runs elsewhere learns it from its lease', async () => {
    const { url } = await bench.database();
    const { begun, reason, handler } = untilAborted();
    const worker = await startWorker(handler, url);
    await enqueue(worker, 1);
    await begun;
    const [row] = await worker.sql<{ id: string }>(`SELECT id FROM messaging.tasks WHERE name = 'do-work'`);
    expect(await worker.sql('SELECT messaging.cancel_task($1) AS done', row?.id)).toEqual([{ done: true }]);
    expect(await reason).toBeInstanceOf(Error);
    expect(await statesOf(worker)).toEqual({});
  });

  it('that has ended, or that never was, is not cancelled', async () => {
    const service = await startWorker(async () => {});
    const id = await enqueue(service, 1);
    await untilAll(service, 'done', 1);
    expect(await cancel(service, id)).toBe(false);
    expect(await cancel(service, randomUUID())).toBe(false);
    await eventually(async () => expect(await statesOf(service)).toEqual({ done: 1 }));
  });
});
