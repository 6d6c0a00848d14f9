import { z } from 'zod';
import { defineContract } from '../contract/define-contract.ts';
import { monitorId, uuid } from '../ids.ts';
import { MAX_LOW_BALANCE_THRESHOLD } from '../limits.ts';
import { deliveryCommands } from './delivery-commands.ts';
import { documentCommands } from './document-commands.ts';
import {
  receiverChange,
  receiverCommands,
  receiverDisabledReason,
  receiverForm,
  receiverName,
} from './receiver-commands.ts';
import { deliveryStatus } from './statuses.ts';
import { webhookChange, webhookCommands } from './webhook-commands.ts';

/** An encrypted webhook or receiver with its encrypted secret, which may be an address. */
const MAX_ENCRYPTED_STATE_LENGTH = 32_768;

/** Database time in microseconds: grows with each change, also after a restore. */
const version = z.number().int().nonnegative();

/** Webhooks of accounts, the deliveries to them, and documents of apps. */
export const webhookDispatcher = defineContract('webhook-dispatcher', {
  commands: { ...webhookCommands, ...receiverCommands, ...deliveryCommands, ...documentCommands },
  events: {
    /** An account has a new or changed webhook, which is enabled. */
    webhookConfigured: {
      payload: z.object({
        accountId: uuid,
        lowBalanceThreshold: z.number().int().min(1).max(MAX_LOW_BALANCE_THRESHOLD).nullable(),
        version,
      }),
      aggregate: { key: 'accountId', version: 'version' },
    },

    /** An account has no webhook any more. */
    webhookRemoved: {
      payload: z.object({ accountId: uuid, version }),
      aggregate: { key: 'accountId', version: 'version' },
    },

    /** A webhook is disabled until its owner configures it again. */
    webhookDisabled: {
      payload: z.object({ accountId: uuid, host: z.string().max(253), version }),
      aggregate: { key: 'accountId', version: 'version' },
    },

    /** A webhook has changed: notifies its owner, and lets the dispatcher reapply the change after a restore. Only the dispatcher opens `state`. */
    webhookChanged: {
      payload: z.object({
        accountId: uuid,
        /** Empty if only the threshold has changed, or nothing. */
        changes: z.array(webhookChange),
        /** Host of the URL, of the new one if that has changed. */
        host: z.string().max(253),
        /** The key that made the change; null for a session and for the service itself. */
        keyId: uuid.nullable(),
        /** The webhook after the change, encrypted for the account; null if it was removed. */
        state: z.string().max(MAX_ENCRYPTED_STATE_LENGTH).nullable(),
        version,
      }),
      aggregate: { key: 'accountId', version: 'version' },
    },

    /** A receiver has changed: notifies the account, and lets the dispatcher reapply the change after a restore. Only the dispatcher opens `state`. */
    receiverChanged: {
      payload: z.object({
        ...{ accountId: uuid, receiverId: uuid, name: receiverName, form: receiverForm },
        /** Empty if neither its address nor its secret has changed. */
        changes: z.array(receiverChange),
        /** Why it is disabled; null if it is not. */
        disabledReason: receiverDisabledReason.nullable(),
        /** Host of its address. */
        host: z.string().max(253),
        /** The key that made the change; null for a session and for the service itself. */
        keyId: uuid.nullable(),
        /** The receiver after the change, encrypted for the account; null if it was removed. */
        state: z.string().max(MAX_ENCRYPTED_STATE_LENGTH).nullable(),
        version,
      }),
      aggregate: { key: 'receiverId', version: 'version' },
    },

    /** A monitor's videos found no enabled webhook, as of this version: the monitor must emit them again. */
    newVideosRefused: {
      payload: z.object({ accountId: uuid, monitorId, after: z.number().int().nonnegative(), version }),
    },

    /** The status of the delivery of a job's newest event. */
    jobDeliveryChanged: {
      payload: z.object({ accountId: uuid, jobId: uuid, status: deliveryStatus, version }),
      aggregate: { key: 'jobId', version: 'version' },
    },
  },
});
