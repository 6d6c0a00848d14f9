import { bulkOrchestrator, routes, serviceError } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { answersOf } from './route-answer.ts';
import { type Input, onRoute } from './route-handler.ts';

type JobInput = Input<typeof routes.createJob>;

const answers = answersOf(routes.createJob);

/** The one source that the body names. */
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

/** A job of the key's account. It may hold credits by the time it is answered, so the balance is asked for. */
export const createJob = onRoute(routes.createJob, async ({ call }: Pick<Deps, 'call'>, input) => {
  const { principal, body, idempotencyKey } = input;
  const { accountId, keyId, limitId = null, tier } = principal;
  const { format, language, fallback, name = null, metadata = {}, webhook_url: webhookUrl = null } = body;
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
    },
    input.callContext,
  );
  return answers.json({ job }, isReplayed ? { headers: { 'Idempotency-Replayed': 'true' } } : {});
});
