import { z } from 'zod';
import { defineContract } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';
import { jobTold } from './job.ts';
import { jobCommands } from './job-commands.ts';
import { manifestCommands } from './manifest-commands.ts';

const ofJob = z.object({ jobId: uuid });

/** Again and again, at last once a minute, until whoever it needs is back. */
const persistently = [200, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, ...Array<number>(10).fill(60_000)];

/** Bulk jobs: up to 500 transcripts for one request, exactly charged. */
export const bulkOrchestrator = defineContract('bulk-orchestrator', {
  commands: { ...jobCommands, ...manifestCommands },
  tasks: {
    /** Lists the source of a job. */
    enumerateJob: { payload: ofJob, leaseMs: 10_000, backoffMs: persistently, concurrency: 16 },
    /** Works on the rows of a job until it has ended, is paused, or has to wait. */
    runJob: {
      payload: ofJob,
      // Renewed while it runs, so this is how soon the job of a killed worker goes on.
      leaseMs: 10_000,
      backoffMs: persistently,
      // It mostly waits for the fetcher. An account has few jobs at once, so none takes all slots.
      concurrency: 200,
    },
    /** Ends what a cancelled job holds: its rows under way, and its reservations. */
    closeJob: { payload: ofJob, leaseMs: 10_000, backoffMs: persistently, concurrency: 16 },
    /** Gives back what was reserved for a job that was never accepted. */
    releaseJob: {
      payload: z.object({ ref: z.string().max(128) }),
      leaseMs: 10_000,
      backoffMs: persistently,
      concurrency: 16,
    },
  },
  events: {
    jobCompleted: { payload: jobTold },
    jobFailed: { payload: jobTold },
    jobPaused: { payload: jobTold },
    jobResumed: { payload: jobTold },
    /** Rows of an ended job are tried again: what was made of it is out of date. */
    jobRetried: { payload: jobTold },
    /** A hint, a few times a second at most: there is something new to read. The end is told at once. */
    jobProgressed: {
      payload: z.object({
        jobId: uuid,
        version: z.number().int().nonnegative(),
        hasEnded: z.boolean().default(false),
      }),
      aggregate: { key: 'jobId', version: 'version' },
    },
  },
});
