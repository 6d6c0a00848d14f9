import { z } from 'zod';
import { defineContract } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';
import { accountCommands, buyerCommands } from './account-commands.ts';
import { keyCommands, keyStandingCommands } from './key-commands.ts';
import { notice } from './notice.ts';
import { accountStatus, frozenReason, keyState, principal, secretDigest, tier } from './principal.ts';
import { sessionCommands } from './session-commands.ts';
import { signInCommands } from './sign-in-commands.ts';

/** Accounts, sign-in, sessions and API keys. */
export const identity = defineContract('identity', {
  commands: {
    ...signInCommands,
    ...sessionCommands,
    ...keyCommands,
    ...keyStandingCommands,
    ...accountCommands,
    ...buyerCommands,
  },
  tasks: {
    /** Mails the code of one challenge; the code itself is derived, never stored or sent over the bus. */
    sendCodeMail: {
      payload: z.object({ challengeId: uuid }),
      leaseMs: 30_000,
      backoffMs: [1_000, 5_000, 15_000, 60_000],
      concurrency: 8,
      timeLimitMs: 60_000,
    },
    /** Mails the holder of an account what has happened to it. `mailId` is the same for every attempt at one mail. */
    sendNotice: {
      payload: z.object({ accountId: uuid, mailId: uuid, notice }),
      leaseMs: 30_000,
      backoffMs: [10_000, 60_000, 600_000, 3_600_000, 43_200_000],
      concurrency: 4,
      timeLimitMs: 60_000,
    },
    /** Mails the holder of an account what was changed of its webhook since the last such mail. */
    sendWebhookNotice: {
      payload: z.object({ accountId: uuid }),
      leaseMs: 30_000,
      backoffMs: [10_000, 60_000, 600_000, 3_600_000, 43_200_000],
      concurrency: 4,
      timeLimitMs: 60_000,
    },
  },
  events: {
    accountCreated: {
      payload: z.object({ accountId: uuid, createdAt: z.iso.datetime() }),
    },

    accountStatusChanged: {
      payload: z.object({
        accountId: uuid,
        status: accountStatus,
        /** Of a frozen account only. */
        frozenReason: frozenReason.optional(),
        version: z.number().int(),
      }),
      aggregate: { key: 'accountId', version: 'version' },
    },

    /** The tier of an account was changed; which one it has now, identity says. */
    accountTierChanged: { payload: z.object({ accountId: uuid, tier }) },

    /** Sessions that their holder has ended: for this service itself, which ends them again where its database was put back. */
    sessionsEnded: { payload: z.object({ accountId: uuid, sessionIds: z.array(uuid).min(1) }) },

    /** Whose a new key is, for good: keys never change hands. */
    keyCreated: { payload: z.object({ accountId: uuid, keyId: uuid }) },

    /** The facts of a key that works, as they are from this version on. */
    keyChanged: {
      payload: z.object({
        accountId: uuid,
        keyId: uuid,
        keyDigest: secretDigest,
        keyVersion: z.number().int(),
        keyState,
        /** It ends because the tier allows fewer keys, and goes on if the tier comes back before. */
        overLimit: z.literal(true).optional(),
        dailyCreditCap: z.number().int().positive().nullable(),
      }),
      aggregate: { key: 'keyId', version: 'keyVersion' },
    },

    /** A key does not work any more: cut off at once, with what it began, or at the end of its hours of grace. */
    keyRevoked: {
      payload: z.object({ accountId: uuid, keyId: uuid, keyDigest: secretDigest, atOnce: z.boolean() }),
    },
  },
  projections: {
    /** Who a key stands for, by the SHA-256 of the key. Valid only while `principalsFresh` lives. */
    principal: { keyParts: ['keyDigest'], value: principal, ttlSeconds: 600 },
    /**
     * The dead man's switch of `principal`: identity renews it after every sweep of revocations. When it has lapsed, no projected
     * principal may be trusted, so revocations are honoured within 30 s whatever is down.
     */
    principalsFresh: { keyParts: [], value: z.literal('1'), ttlSeconds: 15 },
  },
});
