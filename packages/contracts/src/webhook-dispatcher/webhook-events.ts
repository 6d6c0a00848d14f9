import { z } from 'zod';
import { count, monitorId, namedObject, time, uuid } from '../ids.ts';
import { jobCounts, jobCredits, jobLabels, pauseReason } from '../job.ts';
import { jobStatus } from '../job-statuses.ts';
import { monitorMatch } from '../match.ts';
import { MAX_VIDEOS_PER_EVENT, monitorSource, newVideo } from '../monitor.ts';
import type { WebhookKind } from './statuses.ts';

/** The version of the bodies, as `api_version` says it. */
export const WEBHOOK_API_VERSION = '1.0.0';

const jobFacts = namedObject('JobEventData', {
  job_id: uuid,
  monitor_id: monitorId.nullable().describe('The monitor that has begun the job'),
  version: count.describe('Grows with each change of the job: of two events the higher one is the newer one'),
  status: jobStatus,
  pause_reason: pauseReason.nullable(),
  resumes_at: time.nullable().describe('When a paused job goes on by itself; null if that is unknown'),
  name: jobLabels.name.describe('What the customer calls the job'),
  metadata: jobLabels.metadata.describe('As it was sent with the job'),
  counts: jobCounts,
  omitted: count.default(0).describe('Entries of its source that could not be read: videos may be missing'),
  credits: jobCredits,
});

/** The `data` of each kind of event, and when it is sent. */
export const webhookKinds = {
  'job.completed': {
    when: 'A job has ended, with all of its videos that could be delivered.',
    data: jobFacts,
  },
  'job.failed': { when: 'A job has ended without being able to deliver.', data: jobFacts },
  'job.paused': { when: 'A job waits for something, which pause_reason names.', data: jobFacts },
  'job.resumed': { when: 'A job that was paused goes on.', data: jobFacts },
  'credits.low': {
    when: 'What the account can spend has fallen below low_balance_threshold (of the webhook; for a receiver that of the mails of the account); once, until it has reached it again.',
    data: z.object({
      available: count.describe('Free and purchased credits together'),
      threshold: count,
      version: count.describe('Of the balance: of two events the higher one is the newer one'),
    }),
  },
  'channel.new_videos': {
    when: 'A monitor has found videos that it had not seen before; each is reported once, the oldest first.',
    data: z.object({
      monitor_id: monitorId,
      ...monitorSource,
      videos: z.array(newVideo).max(MAX_VIDEOS_PER_EVENT),
    }),
  },
  'monitor.words_found': {
    when: 'Words of a monitor were said in a new video; once for each of its queries.',
    data: z.object({
      monitor_id: monitorId,
      ...monitorSource,
      match_id: uuid.describe('As GET /v1/monitors/{id}/matches lists it'),
      ...monitorMatch.omit({ id: true, found_at: true }).shape,
    }),
  },
  'webhook.test': {
    when: 'A test event was requested: POST /v1/webhooks/test, or of a receiver.',
    data: z.object({}),
  },
} as const satisfies Record<WebhookKind, { when: string; data: z.ZodType }>;

export type WebhookData<Kind extends WebhookKind = WebhookKind> = z.input<(typeof webhookKinds)[Kind]['data']>;

/** A whole body, as it is signed and sent. */
export const webhookBody = <Kind extends WebhookKind>(kind: Kind) =>
  z.object({
    id: uuid.describe('Of the event: the same if the event is sent again'),
    type: z.literal(kind),
    created_at: time,
    api_version: z.literal(WEBHOOK_API_VERSION),
    data: webhookKinds[kind].data as (typeof webhookKinds)[Kind]['data'],
  });

/** The headers of every delivery, and what they are for. */
export const webhookHeaderTexts = {
  'X-Service-Event': 'The kind of the event, as type in the body',
  'X-Service-Delivery':
    'The id of the delivery, the same at each attempt: ignore a delivery that you have processed',
  'X-Service-Timestamp': 'Unix seconds of this attempt: reject a delivery that is older than five minutes',
  'X-Service-Signature':
    'v1= and the hexadecimal HMAC-SHA256, keyed with the secret, over the timestamp, a dot and the raw body',
  'webhook-id': 'As X-Service-Delivery, for libraries of Standard Webhooks',
  'webhook-timestamp': 'As X-Service-Timestamp, for libraries of Standard Webhooks',
  'webhook-signature': 'As Standard Webhooks has it, of the same secret',
} as const;
