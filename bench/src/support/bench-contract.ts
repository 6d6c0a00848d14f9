import { defineContract, defineSurface, type ServiceName } from '@tds/contracts';
import { z } from 'zod';

/** The service that all helpers are to the broker. Only they have its streams and its user. */
const BENCH = 'bench' as ServiceName;

/** The time that a quick platform takes. */
export const WORK_MS = 40;
export const CAP = 4;
/** Makes an event as long as most events of the system. */
export const FILLING = 'x'.repeat(200);

export const benchContract = defineContract(BENCH, {
  events: { benchHappened: { payload: z.object({ n: z.number(), filling: z.string() }) } },
});

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

export const benchSurface = defineSurface({ ...taskContract, events: benchContract.events });

export type PaceOptions = { readonly count: number; readonly perSecond: number };
/** Tasks that wait in line in partitions. */
export type TaskLine = { readonly partitions: number; readonly each: number; readonly isStuck: boolean };

/** Milliseconds on the clock that all processes of the machine share. */
export const machineMs = (): number => Number(process.hrtime.bigint()) / 1_000_000;
