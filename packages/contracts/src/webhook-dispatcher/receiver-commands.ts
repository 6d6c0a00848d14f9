import { z } from 'zod';
import { accountName } from '../account-name.ts';
import { commands } from '../contract/define-contract.ts';
import { ADDRESS_WAIT_MS, HOPS_MS } from '../deadlines.ts';
import { count, namedObject, time, uuid } from '../ids.ts';
import { MAX_WEBHOOK_URL_LENGTH } from '../job.ts';
import { MAX_RECEIVERS, receiverIds } from '../receiver-ids.ts';
import { delivery } from './delivery-commands.ts';
import { webhookKind } from './statuses.ts';
import { destinationErrors, MAX_ENCRYPTED_LENGTH } from './webhook-commands.ts';

/** Of one replay. */
export const MAX_REPLAYED_DELIVERIES = 100;
/** An address of 2,048 characters, in which each may take several bytes. */
const MAX_ENCRYPTED_URL_LENGTH = 16_384;

/** How events are sent: signed JSON, or a message in the form of a chat service. */
export const receiverForm = z.enum(['signed', 'slack', 'discord', 'teams']).meta({ id: 'ReceiverForm' });
export type ReceiverForm = z.infer<typeof receiverForm>;

/** The kinds that a receiver can choose. */
const receiverEvent = webhookKind.exclude(['webhook.test']).meta({ id: 'ReceiverEventType' });
export type ReceiverEvent = z.infer<typeof receiverEvent>;

/** Each kind once. */
export const receiverEvents = z
  .array(receiverEvent)
  .min(1)
  .max(receiverEvent.options.length)
  .refine((kinds) => new Set(kinds).size === kinds.length);

export const receiverName = accountName.meta({ examples: ['Newsroom'] });

export const receiverDisabledReason = z
  .enum(['failing', 'gone', 'secret_lost'])
  .meta({ id: 'ReceiverDisabledReason' });
export type ReceiverDisabledReason = z.infer<typeof receiverDisabledReason>;

/** Changes that the account is notified of. */
export const receiverChange = z.enum(['created', 'address', 'secret', 'removed', 'disabled']);
export type ReceiverChange = z.infer<typeof receiverChange>;

/** A receiver in its public shape, without its secret. The address of a chat service is one. */
export const receiver = namedObject('Receiver', {
  id: uuid,
  name: z.string(),
  form: receiverForm,
  url: z
    .string()
    .max(MAX_WEBHOOK_URL_LENGTH)
    .describe('The whole address of the form signed; of a chat service its host and its last four characters'),
  events: z.array(receiverEvent),
  named_only: z
    .boolean()
    .default(false)
    .describe('It gets events only of the jobs and monitors that name it in receivers'),
  enabled: z.boolean(),
  disabled_reason: receiverDisabledReason
    .nullable()
    .describe(
      'failing: all attempts have failed for days; gone: the chat service says that the address has ended; secret_lost: a restore of our data has lost its secret',
    ),
  disabled_at: time.nullable(),
  failing_since: time.nullable().describe('Since then every attempt has failed; null after a success'),
  created_at: time,
  updated_at: time,
  created_by_key_id: uuid.nullable().describe('The key that created it; null for a session'),
  updated_by_key_id: uuid.nullable().describe('The key that changed it last; null for a session'),
});
export type Receiver = z.input<typeof receiver>;

const ofAccount = z.object({ accountId: uuid });
const ofReceiver = ofAccount.extend({ receiverId: uuid });
const byKey = { keyId: uuid.nullable() };

/** Encrypted for the use `webhookSecrets` and for the account: an address may be a secret, and the bus carries none in the clear. */
const sealedUrl = z.string().max(MAX_ENCRYPTED_URL_LENGTH);
const sealedSecret = z.string().max(MAX_ENCRYPTED_LENGTH);

export const receiverCommands = commands({
  /** The oldest first. */
  listReceivers: {
    request: ofAccount,
    reply: z.object({ receivers: z.array(receiver).max(MAX_RECEIVERS) }),
  },

  /** Throws unless the account has each of these. */
  checkReceivers: {
    request: ofAccount.extend({ receiverIds }),
    reply: z.object({}),
    errors: ['receiver_not_found'],
  },

  getReceiver: { request: ofReceiver, reply: z.object({ receiver }), errors: ['receiver_not_found'] },

  /** The secret is taken if the form is `signed` (`isSecretTaken`). */
  createReceiver: {
    request: ofAccount.extend({
      ...byKey,
      ...{ name: receiverName, form: receiverForm, events: receiverEvents, namedOnly: z.boolean().optional() },
      ...{ sealedUrl, sealedSecret },
    }),
    reply: z.object({ receiver, isSecretTaken: z.boolean() }),
    errors: ['webhook_url_invalid', ...destinationErrors, 'receiver_limit', 'webhook_test_cap'],
    timeoutMs: ADDRESS_WAIT_MS + HOPS_MS,
  },

  /** Changes what is given, and enables the receiver. The secret is taken if the form is `signed` and it is rotated. */
  changeReceiver: {
    request: ofReceiver.extend({
      ...byKey,
      ...{
        name: receiverName.optional(),
        events: receiverEvents.optional(),
        namedOnly: z.boolean().optional(),
      },
      ...{ sealedUrl: sealedUrl.optional(), rotateSecret: z.boolean(), sealedSecret },
    }),
    reply: z.object({ receiver, isSecretTaken: z.boolean() }),
    errors: ['receiver_not_found', 'receiver_without_secret', 'webhook_url_invalid', ...destinationErrors],
    timeoutMs: ADDRESS_WAIT_MS + HOPS_MS,
  },

  /** What waits for it fails. */
  deleteReceiver: {
    request: ofReceiver.extend(byKey),
    reply: z.object({ deleted: z.literal(true) }),
    errors: ['receiver_not_found'],
  },

  testReceiver: {
    request: ofReceiver,
    reply: z.object({ delivery }),
    errors: ['receiver_not_found', 'receiver_disabled', 'webhook_test_cap'],
  },

  /** Sends again, in order, what has failed since then and was not sent again. A repeat finds nothing. */
  replayReceiver: {
    request: ofReceiver.extend({ since: time }),
    reply: z.object({
      replayed: count.max(MAX_REPLAYED_DELIVERIES).describe('Deliveries that are sent again'),
      is_complete: z.boolean().describe('false: more have failed since then, so replay again'),
    }),
    errors: ['receiver_not_found', 'receiver_disabled', 'webhook_test_cap'],
  },
});
