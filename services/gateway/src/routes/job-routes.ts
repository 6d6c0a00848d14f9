import { bulkOrchestrator, routes } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { callRoute } from './call-route.ts';
import { createJob } from './create-job.ts';
import { jobIdOf } from './job-ids.ts';
import { listPage } from './list-page.ts';
import { answersOf } from './route-answer.ts';
import { onRoute } from './route-handler.ts';

type Owned = Parameters<typeof jobIdOf>[0] & { readonly principal: { readonly accountId: string } };

const owned = (input: Owned) => ({ accountId: input.principal.accountId, jobId: jobIdOf(input) });

const videosOf = (input: Owned) => ({
  ...routes.listJobVideos,
  path: routes.listJobVideos.path.replace('{id}', jobIdOf(input)),
});

/** Gives credits back, so the balance is the ledger's own word. */
const cancelJob = onRoute(routes.cancelJob, async ({ call }: Pick<Deps, 'call'>, input) => {
  const asked = owned(input);
  input.balanceMayHaveMoved();
  const { job } = await call(bulkOrchestrator.cancelJob, asked, input.callContext);
  return answersOf(routes.cancelJob).json({ job });
});

export const jobRoutes = {
  createJob,
  cancelJob,

  listJobs: callRoute(routes.listJobs, bulkOrchestrator.listJobs, {
    request: ({ principal: { accountId }, query: { limit, offset, status, monitor_id: monitorId } }) => ({
      ...{ accountId, limit, offset },
      ...(status === undefined ? {} : { status }),
      ...(monitorId === undefined ? {} : { monitorId }),
    }),
    isCompressible: true,
    body: ({ jobs, total }, { query }) => ({
      jobs,
      ...listPage(routes.listJobs, query, { shown: jobs.length, total }),
    }),
  }),

  getJob: callRoute(routes.getJob, bulkOrchestrator.getJob, {
    request: owned,
    isCompressible: true,
    body: ({ job }) => ({ job }),
  }),

  listJobVideos: callRoute(routes.listJobVideos, bulkOrchestrator.listJobVideos, {
    request: (input) => ({
      ...owned(input),
      ...{ limit: input.query.limit, offset: input.query.offset },
      ...(input.query.status === undefined ? {} : { status: input.query.status }),
    }),
    isCompressible: true,
    body: ({ videos, total }, input) => ({
      videos,
      ...listPage(videosOf(input), input.query, { shown: videos.length, total }),
    }),
  }),

  retryJob: callRoute(routes.retryJob, bulkOrchestrator.retryJob, {
    request: (input) => {
      const { tier, keyId, limitId = null } = input.principal;
      return { ...owned(input), tier, keyId, limitId };
    },
    body: ({ job, requeued }) => ({ job, requeued }),
  }),

  deleteJob: callRoute(routes.deleteJob, bulkOrchestrator.deleteJob, { request: owned }),
};
