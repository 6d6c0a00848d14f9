import { z } from 'zod';
import { defineContract } from '../contract/define-contract.ts';
import { count, uuid } from '../ids.ts';
import { jobEvent } from '../job.ts';
import { jobCommands, manifestCommands } from './job-commands.ts';

const ofJob = z.object({ jobId: uuid });
const ofAccount = ofJob.extend({ accountId: uuid });

/** Retries, at last once a minute, until the needed services answer. */
const backoffMs = [200, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, ...Array<number>(10).fill(60_000)];
const persistent = { leaseMs: 30_000, backoffMs, concurrency: 16, timeLimitMs: 60_000 };

/** Bulk jobs: up to 500 transcripts for one request, exactly charged. */
export const bulkOrchestrator = defineContract('bulk-orchestrator', {
  commands: { ...jobCommands, ...manifestCommands },
  tasks: {
    /** Lists the source of a job. */
    enumerateJob: {
      payload: ofJob,
      ...persistent,
      leaseMs: 10_000,
      timeLimitMs: 600_000,
    },
    /** Pauses the batch of a cancelled or waiting job; retried until the fetcher has answered. */
    pauseBatch: { payload: ofJob, ...persistent },
    /** Stops the line of a job that was never accepted, and refunds its charges. */
    waiveJob: { payload: ofAccount, ...persistent },
  },
  events: {
    jobCompleted: { payload: jobEvent },
    jobFailed: { payload: jobEvent },
    jobCancelled: { payload: jobEvent },
    jobPaused: { payload: jobEvent },
    jobResumed: { payload: jobEvent },
    /** Rows of an ended job are tried again, so its archives are out of date. */
    jobRetried: { payload: jobEvent },
    /** Its rows are deleted, by its owner or by age; listeners delete what they made of them. */
    jobErased: { payload: ofAccount },
    /** A restore of this service lost it: its line is stopped and refunded. The service that asked for it may ask again. */
    jobLost: { payload: ofAccount },
    /** A hint that a job has changed, a few times a second at most; at once when it ends. */
    jobProgressed: {
      payload: ofJob.extend({ version: count, hasEnded: z.boolean() }),
      aggregate: { key: 'jobId', version: 'version' },
    },
  },
});
