import { defineContract } from '@tds/contracts';
import { z } from 'zod';
import { BENCH } from './bench-name.ts';

/** Work of nobody's, of no service of the system. As long as a quick platform takes. */
export const WORK_MS = 40;
export const CAP = 4;
export const taskContract = defineContract(BENCH, {
  tasks: {
    benchWork: {
      payload: z.object({ n: z.number(), isStuck: z.boolean() }),
      leaseMs: 10_000,
      backoffMs: [1_000],
      concurrency: 16,
      timeLimitMs: null,
      maxInFlightPerPartition: CAP,
    },
  },
});

export type Asked = { readonly count: number; readonly perSecond: number };
export type Line = {
  readonly partitions: number;
  readonly each: number;
  readonly isStuck: boolean;
};
