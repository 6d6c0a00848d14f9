import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { ADDRESS_WAIT_MS, HOPS_MS } from '../deadlines.ts';
import { namedObject, time, uuid } from '../ids.ts';
import { MAX_WEBHOOK_URL_LENGTH } from '../job.ts';
import { MAX_LOW_BALANCE_THRESHOLD } from '../limits.ts';

/** An encrypted secret with the id of its key. */
export const MAX_ENCRYPTED_LENGTH = 256;

export const destinationErrors = ['webhook_url_private', 'webhook_dns_failed', 'webhook_dns_empty'] as const;

export const disabledReason = z.enum(['failing', 'secret_lost']).meta({ id: 'DisabledReason' });
export type DisabledReason = z.infer<typeof disabledReason>;

/** Changes that its owner is notified of. */
export const webhookChange = z.enum(['created', 'address', 'secret', 'removed', 'disabled', 'secret_lost']);
export type WebhookChange = z.infer<typeof webhookChange>;

/** The webhook of an account in its public shape, without its secret. */
export const webhook = namedObject('Webhook', {
  url: z.string().max(MAX_WEBHOOK_URL_LENGTH),
  low_balance_threshold: z.number().int().positive().nullable(),
  enabled: z.boolean(),
  disabled_reason: disabledReason
    .nullable()
    .describe(
      'failing: all attempts have failed for days; secret_lost: a restore of our data has lost its secret',
    ),
  disabled_at: time.nullable(),
  created_at: time,
  updated_at: time,
  updated_by_key_id: uuid.nullable().describe('The key that configured it, at updated_at; null for a session'),
});
export type Webhook = z.infer<typeof webhook>;

const ofAccount = z.object({ accountId: uuid });
const byKey = ofAccount.extend({ keyId: uuid.nullable() });

export const webhookCommands = commands({
  getWebhook: { request: ofAccount, reply: z.object({ webhook: webhook.nullable() }) },

  /**
   * Creates or replaces the webhook, and enables it. The caller sends a secret, encrypted for the use `webhookSecrets` and for this account; it is
   * taken if the account has none or rotates it (`isSecretTaken`).
   */
  putWebhook: {
    request: byKey.extend({
      url: z.string().max(MAX_WEBHOOK_URL_LENGTH),
      lowBalanceThreshold: z.number().int().min(1).max(MAX_LOW_BALANCE_THRESHOLD).nullable(),
      rotateSecret: z.boolean(),
      sealedSecret: z.string().max(MAX_ENCRYPTED_LENGTH),
    }),
    reply: z.object({ webhook, isSecretTaken: z.boolean() }),
    errors: ['webhook_url_invalid', ...destinationErrors],
    timeoutMs: ADDRESS_WAIT_MS + HOPS_MS,
  },

  /** Idempotent. Waiting deliveries keep their secret. */
  deleteWebhook: { request: byKey, reply: z.object({ isDeleted: z.boolean() }) },

  /** Checks whether events of a job or a monitor may go to this URL. Called before the job or monitor is created. */
  checkWebhookUrl: {
    request: ofAccount.extend({ url: z.string().max(MAX_WEBHOOK_URL_LENGTH) }),
    reply: z.object({}),
    errors: ['webhook_not_configured', 'invalid_webhook_url', ...destinationErrors],
    timeoutMs: ADDRESS_WAIT_MS + HOPS_MS,
    isIdempotent: true,
  },
});
