import { z } from 'zod';
import { defineContract } from '../contract/define-contract.ts';
import { monitorId, uuid } from '../ids.ts';
import { deliveryCommands } from './delivery-commands.ts';
import { deliveryStatus } from './statuses.ts';
import { MOST_LOW_BALANCE_THRESHOLD, webhookChange, webhookCommands } from './webhook-commands.ts';

/** A sealed address and a sealed secret, with what else a webhook is. */
const LONGEST_SEALED_STATE = 8_192;

/** The database's microseconds: it grows from change to change, also where the database was put back. */
const version = z.number().int().nonnegative();

/** Webhooks of accounts, and the deliveries to them. */
export const webhookDispatcher = defineContract('webhook-dispatcher', {
  commands: { ...webhookCommands, ...deliveryCommands },
  events: {
    /** An account has a webhook, or another one; it is enabled. */
    webhookConfigured: {
      payload: z.object({
        accountId: uuid,
        lowBalanceThreshold: z.number().int().min(1).max(MOST_LOW_BALANCE_THRESHOLD).nullable(),
        version,
      }),
      aggregate: { key: 'accountId', version: 'version' },
    },

    /** It has none any more. */
    webhookRemoved: {
      payload: z.object({ accountId: uuid, version }),
      aggregate: { key: 'accountId', version: 'version' },
    },

    /** Nothing is sent to it any more, until its owner configures it anew. */
    webhookDisabled: {
      payload: z.object({ accountId: uuid, host: z.string().max(253), version }),
      aggregate: { key: 'accountId', version: 'version' },
    },

    /**
     * What has become of a webhook, and who has done it: for its owner, and for the dispatcher itself, which takes it over again where its
     * database was put back. Nobody else opens `state`.
     */
    webhookChanged: {
      payload: z.object({
        accountId: uuid,
        /** None where only the threshold has changed, or nothing. */
        changes: z.array(webhookChange),
        /** Of the address: of the new one where that has changed. */
        host: z.string().max(253),
        /** The key that has done it; null for a session and for the service itself. */
        keyId: uuid.nullable(),
        /** The webhook as it is now, sealed for the account; null where there is none any more. */
        state: z.string().max(LONGEST_SEALED_STATE).nullable(),
        version,
      }),
      aggregate: { key: 'accountId', version: 'version' },
    },

    /** A monitor has told of videos when its account had no webhook that is enabled, as of this version: it is to tell them again. */
    newVideosRefused: {
      payload: z.object({ accountId: uuid, monitorId, after: z.number().int().nonnegative(), version }),
    },

    /** How far the delivery of a job's newest event is. */
    jobDeliveryChanged: {
      payload: z.object({ accountId: uuid, jobId: uuid, status: deliveryStatus, version }),
      aggregate: { key: 'jobId', version: 'version' },
    },
  },
});
