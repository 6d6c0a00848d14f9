import { bulkOrchestrator } from '@tds/contracts';
import type { Sender } from '@tds/service-kit';
import type { Tx } from '../store/database.ts';
import { numbersOfOne } from '../store/job-numbers.ts';
import { type Job, saveTask } from '../store/jobs.ts';
import type { Surface } from '../surface.ts';

type Send = Sender<Surface>;

/** Has the job worked on, by one task at a time: its rows, or first its source. */
export const beginWork = async (tx: Tx, send: Send, job: Job, delayMs = 0): Promise<void> => {
  const { id: jobId } = job;
  const taskId = job.isListed
    ? await send.enqueue(bulkOrchestrator.runJob, { jobId }, { key: jobId, delayMs })
    : await send.enqueue(bulkOrchestrator.enumerateJob, { jobId }, { key: jobId, delayMs });
  await saveTask(tx, jobId, taskId);
};

type Told = 'jobCompleted' | 'jobFailed' | 'jobPaused' | 'jobResumed' | 'jobRetried';

/** Tells others what has become of a job, with what it adds up to in this transaction. */
export const tell = async (tx: Tx, send: Send, event: Told, job: Job): Promise<void> => {
  const { counts, credits } = await numbersOfOne(tx, job.id);
  await send.emit(bulkOrchestrator[event], {
    ...{ jobId: job.id, accountId: job.accountId, monitorId: job.monitorId, status: job.status },
    ...{ pauseReason: job.pauseReason, counts, credits, webhookUrl: null, version: job.version },
  });
};
