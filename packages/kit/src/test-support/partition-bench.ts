import { expect } from '@jest/globals';
import { defineContract, defineSurface } from '@tds/contracts';
import type { EnqueueOptions, TaskContext } from '@tds/messaging';
import { eventually, sharedNatsUrl } from '@tds/test-kit';
import { z } from 'zod';
import { createTestBench, type TestService } from '../testing/test-bench.ts';

const status = defineContract('status', {
  tasks: {
    doWork: {
      payload: z.object({ n: z.number(), partition: z.string().optional() }),
      leaseMs: 1_500,
      backoffMs: [50],
      concurrency: 6,
      timeLimitMs: null,
    },
  },
});
const surface = defineSurface(status);

type PartitionService = TestService<typeof surface>;
export type PartitionHandler = (
  payload: { n: number; partition?: string | undefined },
  context: TaskContext,
) => Promise<void>;

export const enqueueIn = (service: PartitionService, n: number, options: EnqueueOptions): Promise<string> =>
  service.kit.messaging.transaction(service.client, (_tx, send) =>
    send.enqueue(status.doWork, { n, partition: options.partition }, options),
  );

/** Many at once, past the kit. */
export const fill = (service: PartitionService, partition: string, count: number) =>
  service.sql(
    `SELECT messaging.enqueue_task('do-work', jsonb_build_object('n', n, 'partition', $1::text), p_partition => $1)
     FROM generate_series(1, $2) AS n`,
    ...[partition, count],
  );

export const untilNothingIsOpen = (service: PartitionService): Promise<void> =>
  eventually(async () => {
    expect(await service.sql(`SELECT FROM messaging.tasks WHERE state = 'ready'`)).toEqual([]);
  });

export const createPartitionBench = () => {
  const bench = createTestBench();
  return {
    ...bench,
    startWorker: (handler: PartitionHandler, databaseUrl?: string): Promise<PartitionService> =>
      bench.start({
        surface,
        handlers: { tasks: { doWork: handler } },
        natsUrl: sharedNatsUrl(),
        ...(databaseUrl === undefined ? {} : { databaseUrl }),
      }),
  };
};
