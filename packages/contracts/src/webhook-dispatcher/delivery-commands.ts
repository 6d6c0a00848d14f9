import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { count, namedObject, time, uuid } from '../ids.ts';
import { MAX_WEBHOOK_URL_LENGTH } from '../job.ts';
import { deliveryStatus, webhookKind } from './statuses.ts';

export const MAX_DELIVERIES_PER_PAGE = 100;
export const DELIVERIES_BY_DEFAULT = 20;
export const MAX_DELIVERIES_SKIPPED = 10_000;
/** Attempts of one delivery. */
export const MAX_ATTEMPTS = 5;
/** Characters of an answer. */
export const MAX_SHOWN_ANSWER_LENGTH = 1_024;
const MAX_MONITOR_ID_LENGTH = 64;

/** Why an attempt failed. */
export const attemptError = z
  .enum([
    'status',
    'redirect',
    'timeout',
    'connection',
    'tls',
    'dns_failed',
    'dns_empty',
    'private_address',
    'answer_too_large',
    'answer_incomplete',
    'interrupted',
    'key_revoked',
    'refused',
    'gone',
  ])
  .meta({ id: 'AttemptError' });
export type AttemptError = z.infer<typeof attemptError>;

/** A delivery in its public shape. */
export const delivery = namedObject('Delivery', {
  id: uuid.describe('X-Service-Delivery, the same at each attempt'),
  event_id: uuid.describe('id in the body, the same if the event is sent again'),
  event: webhookKind,
  status: deliveryStatus,
  url: z.string().max(MAX_WEBHOOK_URL_LENGTH),
  job_id: uuid.nullable(),
  monitor_id: z.string().max(MAX_MONITOR_ID_LENGTH).nullable(),
  receiver_id: uuid
    .nullable()
    .default(null)
    .describe(
      'The receiver that it goes to; null: the webhook of the account, or the URL of a job or a monitor',
    ),
  resent_from: uuid.nullable().describe('The delivery that this one sends again'),
  replaced_by: uuid
    .nullable()
    .describe('The delivery that was requested before this one had ended: this one is attempted no more'),
  attempt_count: count.max(MAX_ATTEMPTS).describe('Attempts that may have reached the receiver'),
  next_attempt_at: time.nullable(),
  created_at: time,
  ended_at: time.nullable(),
});
export type Delivery = z.infer<typeof delivery>;

/** An attempt in its public shape, which is also how it is stored. */
export const attempt = namedObject('DeliveryAttempt', {
  number: count,
  at: time,
  status: z.number().int().nullable().describe('Of the answer; null without one'),
  milliseconds: count.nullable(),
  error: attemptError.nullable().describe('Null if it was delivered'),
  answer: z.string().max(MAX_SHOWN_ANSWER_LENGTH).nullable().describe('The first KiB of the answer'),
});
export type Attempt = z.infer<typeof attempt>;

const ofAccount = z.object({ accountId: uuid });
const ofDelivery = ofAccount.extend({ deliveryId: uuid });

export const deliveryCommands = commands({
  sendTestEvent: {
    request: ofAccount,
    reply: z.object({ delivery }),
    errors: ['webhook_not_configured', 'webhook_test_cap'],
  },

  /** Newest first. */
  listDeliveries: {
    request: ofAccount.extend({
      limit: z.number().int().min(1).max(MAX_DELIVERIES_PER_PAGE),
      offset: count.max(MAX_DELIVERIES_SKIPPED),
      status: deliveryStatus.optional(),
      event: webhookKind.optional(),
      jobId: uuid.optional(),
      monitorId: z.string().max(MAX_MONITOR_ID_LENGTH).optional(),
      receiverId: uuid.optional(),
    }),
    reply: z.object({ deliveries: z.array(delivery).max(MAX_DELIVERIES_PER_PAGE), total: count }),
  },

  getDelivery: {
    request: ofDelivery,
    reply: z.object({
      delivery,
      attempts: z.array(attempt).max(MAX_ATTEMPTS),
      body: z.string().describe('As it is signed and sent, each time'),
    }),
    errors: ['delivery_not_found'],
  },

  /** Creates a delivery of the same event, to the current URL and with the current secret. A delivery that has not ended is attempted no more. */
  resendDelivery: {
    request: ofDelivery,
    reply: z.object({ delivery }),
    errors: [
      'delivery_not_found',
      'webhook_not_configured',
      'receiver_not_found',
      'receiver_disabled',
      'webhook_test_cap',
    ],
  },
});
