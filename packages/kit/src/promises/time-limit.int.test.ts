import { afterEach, describe, expect, it } from '@jest/globals';
import { LeaseLost } from '@tds/base';
import { TimeLimitExceeded } from '@tds/base/internals';
import { defineContract, defineSurface } from '@tds/contracts';
import type { TaskContext } from '@tds/messaging';
import { eventually, sharedNatsUrl } from '@tds/test-kit';
import { z } from 'zod';
import { createTestBench, type TestService } from '../testing/test-bench.ts';

const status = defineContract('status', {
  tasks: {
    doWork: {
      payload: z.object({ n: z.number() }),
      ...{ leaseMs: 600, backoffMs: [50], concurrency: 1, timeLimitMs: 300 },
    },
  },
});
const surface = defineSurface(status);
type Service = TestService<typeof surface>;

describe('a task with a time limit', () => {
  const bench = createTestBench();
  afterEach(() => bench.stopAll());

  const startWorker = (handler: (payload: { n: number }, context: TaskContext) => Promise<void>) =>
    bench.start({ surface, handlers: { tasks: { doWork: handler } }, natsUrl: sharedNatsUrl() });
  const enqueue = (service: Service, n: number) =>
    service.kit.messaging.transaction(service.client, (_tx, send) => send.enqueue(status.doWork, { n }));
  const states = (service: Service) => service.sql(`SELECT state, last_error FROM messaging.tasks ORDER BY id`);

  it('gets a signal, and has failed if it ends by that', async () => {
    const reasons: unknown[] = [];
    const service = await startWorker(async (_payload, { signal }) => {
      if (reasons.length === 1) return;
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      reasons.push(signal.reason);
      throw signal.reason;
    });
    await enqueue(service, 1);
    const last_error = 'TimeLimitExceeded: the attempt took longer than 300 ms';
    await eventually(async () => expect(await states(service)).toEqual([{ state: 'done', last_error }]));
    expect(reasons).toEqual([expect.any(TimeLimitExceeded)]);
  });

  it('that never ends gives its slot to others and is tried again; its late end changes nothing', async () => {
    const gate = Promise.withResolvers<void>();
    const late = Promise.withResolvers<unknown>();
    const seen: number[] = [];
    const service: Service = await startWorker(async ({ n }, { complete }) => {
      seen.push(n);
      if (n === 2 || seen.filter((one) => one === n).length > 1) return;
      await gate.promise;
      await service.client.$transaction((tx) => complete(tx)).catch(late.resolve);
    });
    await enqueue(service, 1);
    await enqueue(service, 2);
    const done = { state: 'done' };
    await eventually(async () => expect(await states(service)).toMatchObject([done, done]));
    expect(seen.toSorted()).toEqual([1, 1, 2]);
    gate.resolve();
    expect(await late.promise).toBeInstanceOf(LeaseLost);
  });
});
