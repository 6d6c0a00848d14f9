import { expecting, isServiceAway } from '@tds/base';
import { bulkOrchestrator } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import { pauseBatch } from '../application/apply-changes.ts';
import { cancelLockedJob, changeJob, requireJob, requireOwnJob } from '../application/change-job.ts';
import type { Deps } from '../deps.ts';
import {
  findJobPage,
  findManifestRow,
  findManifestRows,
  findRowPage,
  readBody,
  readSummary,
} from '../store/job-views.ts';
import { lockJob } from '../store/jobs.ts';
import { eraseJob } from '../store/save-job.ts';

export const getJob = onCommand(bulkOrchestrator.getJob, async ({ db }: Deps, request) => {
  const job = await requireJob(db, request);
  return { job: await readBody(db, job), version: job.version };
});

export const listJobs = onCommand(
  bulkOrchestrator.listJobs,
  async ({ db }: Deps, { limit, offset, ...filter }) => findJobPage(db, filter, { limit, offset }),
);

export const listJobVideos = onCommand(
  bulkOrchestrator.listJobVideos,
  async ({ db }: Deps, { status, limit, offset, ...jobRef }) =>
    findRowPage(db, await requireJob(db, jobRef), status, { limit, offset }),
);

export const getJobSummary = onCommand(bulkOrchestrator.getJobSummary, async ({ db }: Deps, request) => {
  const job = await requireJob(db, request);
  return { job: await readSummary(db, job), version: job.version };
});

/** The rows may be newer than `version`, never older, so a cache of them is refreshed too often rather than too rarely. */
export const getJobManifest = onCommand(bulkOrchestrator.getJobManifest, async ({ db }: Deps, request) => {
  const job = await requireJob(db, request);
  const rows = await findManifestRows(db, job);
  return { job: await readSummary(db, job), version: job.version, rows };
});

export const getJobFile = onCommand(
  bulkOrchestrator.getJobFile,
  async ({ db }: Deps, { videoId, ...jobRef }) => {
    const job = await requireJob(db, jobRef);
    const row = await findManifestRow(db, job, videoId);
    if (row === null) throw serviceError('job_video_not_found');
    return { job: await readSummary(db, job), version: job.version, row };
  },
);

/** A task pauses the batch in any case; trying it here too makes the answer show what is still held. */
export const cancelJob = onCommand(bulkOrchestrator.cancelJob, async (deps: Deps, request, context) => {
  const { id } = await requireOwnJob(deps, request, context);
  if (await changeJob(deps, id, cancelLockedJob))
    await pauseBatch(deps, id, context).catch(expecting(isServiceAway));
  const job = await requireJob(deps.db, request);
  return { job: await readBody(deps.db, job), version: job.version };
});

/** The head stays, so that its Idempotency-Key and its batch keep their job. */
export const deleteJob = onCommand(bulkOrchestrator.deleteJob, async (deps: Deps, request, context) => {
  const { id } = await requireOwnJob(deps, request, context);
  const { db, messaging } = deps;
  await messaging.transaction(db, async (tx, send) => {
    const job = await lockJob(tx, id);
    if (job === null || job.erasedAt !== null) throw serviceError('job_not_found');
    if (job.finishedAt === null) throw serviceError('job_not_ended');
    await eraseJob(tx, job);
    await send.emit(bulkOrchestrator.jobErased, { jobId: id, accountId: job.accountId });
  });
  return {};
});
