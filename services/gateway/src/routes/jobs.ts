import { bulkOrchestrator, uuid, videoId } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { routes } from '@tds/http-api';
import type { Deps } from '../deps.ts';
import { answersOf, listPage } from './route-answer.ts';
import { callRoute, type Input, onRoute } from './route-handler.ts';

type WithParams = { readonly params: Readonly<Record<string, string>> };

/** Throws `invalid_job_id`. */
export const jobIdOf = ({ params }: WithParams): string => {
  const id = uuid.safeParse(params.id);
  if (!id.success) throw serviceError('invalid_job_id');
  return id.data;
};

/** Throws `invalid_video_id`. */
export const jobVideoIdOf = ({ params }: WithParams): string => {
  const id = videoId.safeParse(params.videoId);
  if (!id.success) throw serviceError('invalid_video_id');
  return id.data;
};

type JobInput = Input<typeof routes.createJob>;

const answers = answersOf(routes.createJob);

/** The one source in the body. */
const sourceOf = ({ input, video_ids: videoIds, contents, newest }: JobInput['body']) => {
  if (input !== undefined && videoIds !== undefined) {
    throw serviceError('conflicting_query_modes', { message: 'Send input or video_ids, not both.' });
  }
  if (input !== undefined) return { input, contents: contents ?? ('all' as const), newest: newest ?? null };
  if (videoIds === undefined)
    throw serviceError('bulk_input_required', {
      message: 'Send input, which is a channel, a playlist or a list key, or send video_ids.',
    });
  if (contents !== undefined || newest !== undefined) {
    throw serviceError('conflicting_query_modes', { message: 'contents and newest go with input only.' });
  }
  if (videoIds.length === 0) throw serviceError('empty_list', { message: 'video_ids is empty.' });
  return { videoIds };
};

/** Creates a job of the key's account. It may hold credits by the time it is answered, so the balance is read again. */
const createJob = onRoute(routes.createJob, async ({ call }: Pick<Deps, 'call'>, input) => {
  const { principal, body, idempotencyKey } = input;
  const { accountId, keyId, limitId = null, tier } = principal;
  const { format, language, fallback, name = null, metadata = {}, webhook_url: webhookUrl = null } = body;
  const { notify_email: notifyEmail } = body;
  const source = sourceOf(body);
  input.balanceMayHaveMoved();
  const { job, isReplayed } = await call(
    bulkOrchestrator.createJob,
    {
      accountId,
      keyId,
      limitId,
      tier,
      idempotencyKey,
      source,
      format,
      language,
      fallback,
      name,
      metadata,
      webhookUrl,
      monitorId: null,
      notifyEmail,
    },
    input.callContext,
  );
  return answers.json({ job }, isReplayed ? { headers: { 'Idempotency-Replayed': 'true' } } : {});
});

type Owned = Parameters<typeof jobIdOf>[0] & { readonly principal: { readonly accountId: string } };

const owned = (input: Owned) => ({ accountId: input.principal.accountId, jobId: jobIdOf(input) });

const videosOf = (input: Owned) => ({
  ...routes.listJobVideos,
  path: routes.listJobVideos.path.replace('{id}', jobIdOf(input)),
});

export const jobRoutes = {
  createJob,

  listJobs: callRoute(routes.listJobs, {
    request: ({ principal: { accountId }, query: { monitor_id: monitorId, ...page } }) => ({
      accountId,
      monitorId,
      ...page,
    }),
    isCompressible: true,
    body: ({ jobs, total }, { query }) => ({
      jobs,
      ...listPage(routes.listJobs, query, { shown: jobs.length, total }),
    }),
  }),

  getJob: callRoute(routes.getJob, {
    request: owned,
    isCompressible: true,
    body: ({ job }) => ({ job }),
  }),

  cancelJob: callRoute(routes.cancelJob, {
    request: owned,
    movesBalance: true,
    body: ({ job }) => ({ job }),
  }),

  listJobVideos: callRoute(routes.listJobVideos, {
    request: (input) => ({ ...owned(input), ...input.query }),
    isCompressible: true,
    body: ({ videos, total }, input) => ({
      videos,
      ...listPage(videosOf(input), input.query, { shown: videos.length, total }),
    }),
  }),

  retryJob: callRoute(routes.retryJob, {
    request: (input) => {
      const { tier, keyId, limitId = null } = input.principal;
      return { ...owned(input), tier, keyId, limitId };
    },
    body: ({ job, requeued }) => ({ job, requeued }),
  }),

  deleteJob: callRoute(routes.deleteJob, { request: owned }),
};
