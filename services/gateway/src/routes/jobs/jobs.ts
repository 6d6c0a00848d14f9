import { bulkOrchestrator } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { routes } from '@tds/http-api';
import { chooseContents } from '../../domain/channel-tab.ts';
import { callRoute, type Input, type RouteDeps, replayHeaders } from '../serve/index.ts';

type JobInput = Input<typeof routes.createJob>;

/** The one source in the body. */
const readSource = ({ input, video_ids: videoIds, contents, newest }: JobInput['body']) => {
  if (input !== undefined && videoIds !== undefined) {
    throw serviceError('conflicting_query_modes', { message: 'Send input or video_ids, not both.' });
  }
  if (input !== undefined) return { input, contents: chooseContents(input, contents), newest: newest ?? null };
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

/** A job of the key's account. */
const createJob = callRoute(routes.createJob, {
  request: ({ body }) => ({
    source: readSource(body),
    name: body.name ?? null,
    metadata: body.metadata ?? {},
    notifyEmail: body.mail === undefined ? body.notify_email : body.mail === 'now',
    dailyMail: body.mail === 'daily',
    webhookUrl: body.webhook_url ?? null,
    receiverIds: body.receivers ?? [],
    monitorId: null,
  }),
  body: ({ job }, input) => {
    input.exchange.subject = { jobId: job.id };
    input.exchange.isUnderWay = true;
    return { job };
  },
  headers: (_deps, { isReplayed }) => replayHeaders(isReplayed),
});

/** The job of a path, and whose mails it has by default, and which. */
const readMail = async (
  {
    principal: { accountId },
    params,
    callContext,
  }: Pick<Input<typeof routes.getJobMail>, 'principal' | 'params' | 'callContext'>,
  { call }: Pick<RouteDeps, 'call'>,
) => {
  const { job } = await call(bulkOrchestrator.getJobSummary, { accountId, ...params }, callContext);
  return { workId: job.id, madeBy: job.person_id ?? null, default: job.mail ?? 'none' };
};

const getJobMail = callRoute(routes.getJobMail, { request: (input, deps) => readMail(input, deps) });
const chooseJobMail = callRoute(routes.chooseJobMail, { request: (input, deps) => readMail(input, deps) });

export const jobRoutes = { createJob, getJobMail, chooseJobMail };
