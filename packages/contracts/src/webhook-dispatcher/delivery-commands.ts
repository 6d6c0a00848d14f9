import { z } from 'zod';
import { LONGEST_WEBHOOK_URL } from '../bulk-orchestrator/job.ts';
import { commands } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';
import { deliveryStatus, webhookKind } from './statuses.ts';

const time = z.iso.datetime();
const count = z.number().int().nonnegative();

export const MOST_DELIVERIES_A_PAGE = 100;
export const DELIVERIES_BY_DEFAULT = 20;
export const MOST_DELIVERIES_SKIPPED = 10_000;
/** Of one event, the first one included. */
export const MOST_ATTEMPTS = 5;
/** Of an answer, in characters. */
export const LONGEST_SHOWN_ANSWER = 1_024;
const LONGEST_MONITOR_ID = 64;

/** Why an attempt has failed. */
export const attemptError = z.enum([
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
]);
export type AttemptError = z.infer<typeof attemptError>;

export const delivery = z.object({
  id: uuid,
  eventId: uuid,
  event: webhookKind,
  status: deliveryStatus,
  url: z.string().max(LONGEST_WEBHOOK_URL),
  jobId: uuid.nullable(),
  monitorId: z.string().max(LONGEST_MONITOR_ID).nullable(),
  resentFrom: uuid.nullable(),
  replacedBy: uuid.nullable(),
  attemptCount: count.max(MOST_ATTEMPTS),
  nextAttemptAt: time.nullable(),
  createdAt: time,
  endedAt: time.nullable(),
});
export type Delivery = z.infer<typeof delivery>;

export const attempt = z.object({
  number: count,
  at: time,
  /** Of the answer; null where none came. */
  status: z.number().int().nullable(),
  milliseconds: count.nullable(),
  error: attemptError.nullable(),
  answer: z.string().max(LONGEST_SHOWN_ANSWER).nullable(),
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
      limit: z.number().int().min(1).max(MOST_DELIVERIES_A_PAGE),
      offset: count.max(MOST_DELIVERIES_SKIPPED),
      status: deliveryStatus.optional(),
      event: webhookKind.optional(),
      jobId: uuid.optional(),
      monitorId: z.string().max(LONGEST_MONITOR_ID).optional(),
    }),
    reply: z.object({
      deliveries: z.array(delivery).max(MOST_DELIVERIES_A_PAGE),
      total: count,
    }),
  },

  getDelivery: {
    request: ofDelivery,
    reply: z.object({ delivery, attempts: z.array(attempt).max(MOST_ATTEMPTS), body: z.string() }),
    errors: ['delivery_not_found'],
  },

  /**
   * A new delivery of the same event, with attempts of its own, to the address of now and signed with the secret of now. One that has not
   * ended is attempted no more.
   */
  resendDelivery: {
    request: ofDelivery,
    reply: z.object({ delivery }),
    errors: ['delivery_not_found', 'webhook_not_configured', 'webhook_test_cap'],
  },
});
