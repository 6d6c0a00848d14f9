import { z } from 'zod';
import { LONGEST_WEBHOOK_URL } from '../bulk-orchestrator/job.ts';
import { commands } from '../contract/define-contract.ts';
import { ADDRESS_WAIT_MS, HOPS_MS } from '../deadlines.ts';
import { uuid } from '../ids.ts';

const time = z.iso.datetime();

/** A sealed secret with the id of its key. */
const LONGEST_SEALED = 256;
export const MOST_LOW_BALANCE_THRESHOLD = 1_000_000_000;

const destinationErrors = ['webhook_url_private', 'webhook_dns_failed', 'webhook_dns_empty'] as const;

export const disabledReason = z.enum(['failing', 'secret_lost']);
export type DisabledReason = z.infer<typeof disabledReason>;

/** What its owner has to know of. */
export const webhookChange = z.enum(['created', 'address', 'secret', 'removed', 'disabled', 'secret_lost']);
export type WebhookChange = z.infer<typeof webhookChange>;

/** The webhook of an account, without its secret. */
export const webhook = z.object({
  url: z.string().max(LONGEST_WEBHOOK_URL),
  lowBalanceThreshold: z.number().int().positive().nullable(),
  enabled: z.boolean(),
  disabledReason: disabledReason.nullable(),
  disabledAt: time.nullable(),
  createdAt: time,
  updatedAt: time,
  /** The key that has configured it; null for a session. */
  updatedByKeyId: uuid.nullable(),
});
export type Webhook = z.infer<typeof webhook>;

const ofAccount = z.object({ accountId: uuid });
const byKey = ofAccount.extend({ keyId: uuid.nullable() });

export const webhookCommands = commands({
  getWebhook: { request: ofAccount, reply: z.object({ webhook: webhook.nullable() }) },

  /**
   * Creates or replaces it, and enables it. The caller makes a secret and sends it sealed for the use `webhookSecrets` and for
   * this account; it is taken where the account has none or is to have another one, and the reply says so.
   */
  putWebhook: {
    request: byKey.extend({
      url: z.string().max(LONGEST_WEBHOOK_URL),
      lowBalanceThreshold: z.number().int().min(1).max(MOST_LOW_BALANCE_THRESHOLD).nullable(),
      rotateSecret: z.boolean(),
      sealedSecret: z.string().max(LONGEST_SEALED),
    }),
    reply: z.object({ webhook, isSecretTaken: z.boolean() }),
    errors: ['webhook_url_invalid', ...destinationErrors],
    timeoutMs: ADDRESS_WAIT_MS + HOPS_MS,
  },

  /** Repeating it changes nothing. What waits to be sent keeps the secret that it was made with. */
  deleteWebhook: { request: byKey, reply: z.object({ isDeleted: z.boolean() }) },

  /** Whether events of a job or a monitor may go to this address instead. To be asked before anything is begun. */
  checkWebhookUrl: {
    request: ofAccount.extend({ url: z.string().max(LONGEST_WEBHOOK_URL) }),
    reply: z.object({}),
    errors: ['webhook_not_configured', 'invalid_webhook_url', ...destinationErrors],
    timeoutMs: ADDRESS_WAIT_MS + HOPS_MS,
  },
});
