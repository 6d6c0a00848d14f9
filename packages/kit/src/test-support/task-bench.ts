import { expect } from '@jest/globals';
import { defineContract, defineSurface } from '@tds/contracts';
import type { TaskContext } from '@tds/messaging';
import { eventually, type TestNats } from '@tds/test-kit';
import { z } from 'zod';
import { createTestBench, type TestService } from '../testing/test-bench.ts';

const status = defineContract('status', {
  tasks: {
    doWork: {
      payload: z.object({ n: z.number() }),
      leaseMs: 1_500,
      backoffMs: [50, 100],
      concurrency: 4,
      timeLimitMs: null,
    },
  },
});
export const work = status.doWork;
export const surface = defineSurface(status);
export type Handler = (payload: { n: number }, context: TaskContext) => Promise<void>;
export type Service = TestService<typeof surface>;

export const enqueue = (service: Service, n: number, delayMs = 0): Promise<string> =>
  service.kit.messaging.transaction(service.client, (_tx, send) => send.enqueue(work, { n }, { delayMs }));

/** How many tasks are in which state. */
export const countStates = async (service: Service): Promise<Record<string, number>> => {
  const rows = await service.sql<{ state: string; count: number }>(
    `SELECT state, count(*)::int AS count FROM messaging.tasks WHERE name = 'do-work' GROUP BY state`,
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
};

export const untilAll = (service: Service, state: string, count: number): Promise<void> =>
  eventually(async () => expect(await countStates(service)).toEqual({ [state]: count }));

/** Services that do the one task, on the given broker. */
export const createTaskBench = (nats: () => Pick<TestNats, 'servers'>) => {
  const bench = createTestBench();
  return {
    ...bench,
    startWorker: (handler: Handler, databaseUrl?: string): Promise<Service> =>
      bench.start({
        surface,
        handlers: { tasks: { doWork: handler } },
        natsUrl: nats().servers,
        ...(databaseUrl === undefined ? {} : { databaseUrl }),
      }),
  };
};
