import { z } from 'zod';
import { accountName } from '../account-name.ts';
import { defineContract } from '../contract/define-contract.ts';
import { count, uuid } from '../ids.ts';
import {
  accessScope,
  accountStatus,
  frozenReason,
  keyKind,
  keyState,
  personCap,
  principal,
  role,
  secretDigest,
  tier,
} from '../principal.ts';
import { accountCommands, buyerCommands, sessionCommands } from './account-commands.ts';
import { connectionCommands, grantRecordCommands } from './connection-commands.ts';
import { keyCommands, keyPhaseCommands } from './key-commands.ts';
import { mailCommands, versionedChoiceOfWork, versionedChoices } from './mail-commands.ts';
import { notice } from './notices.ts';
import { peopleCommands } from './people-commands.ts';
import { signInCommands } from './sign-in-commands.ts';

/** Mails are sent a few at once, and again for a day; those with `mailId` are the same mail at every attempt. */
const backoffMs = [10_000, 60_000, 600_000, 3_600_000, 43_200_000, 43_200_000];
const mailing = { leaseMs: 30_000, backoffMs, concurrency: 4, timeLimitMs: 60_000 };
const mailOfAccount = { payload: z.object({ accountId: uuid }), ...mailing };
/** Without a person, from the release before, it is the oldest owner's. */
const mailOfPerson = { payload: z.object({ accountId: uuid, personId: uuid.optional() }), ...mailing };

/** Accounts, sign-in, sessions and API keys. */
export const identity = defineContract('identity', {
  commands: {
    ...signInCommands,
    ...sessionCommands,
    ...keyCommands,
    ...keyPhaseCommands,
    ...connectionCommands,
    ...grantRecordCommands,
    ...accountCommands,
    ...buyerCommands,
    ...mailCommands,
    ...peopleCommands,
  },
  tasks: {
    /** Mails the code of one challenge; the code itself is derived, never stored or sent over the bus. */
    sendCodeMail: {
      payload: z.object({ challengeId: uuid }),
      ...mailing,
      // As long as the code is valid: ten minutes.
      backoffMs: [1_000, 5_000, 15_000, 60_000, 120_000, 120_000, 120_000, 120_000],
      concurrency: 8,
    },
    /** Mails a notice to a person, or to the oldest owner of an account. */
    sendNotice: {
      payload: z.object({ accountId: uuid, mailId: uuid, notice, personId: uuid.optional() }),
      ...mailing,
    },
    /** Mails an invitation for as long as it is valid. */
    sendInvitation: {
      payload: z.object({ invitationId: uuid, mailId: uuid }),
      ...mailing,
      backoffMs: [...backoffMs, ...Array<number>(11).fill(43_200_000)],
    },
    /** Mails what waits for the daily mail of a person, once however long the mail server is away. */
    sendDailyMail: mailOfPerson,
    /** The same of the weekly mail. */
    sendWeeklyMail: mailOfPerson,
    /** Mails the changes of an account's webhook since the last such mail. */
    sendWebhookNotice: mailOfAccount,
  },
  events: {
    accountCreated: { payload: z.object({ accountId: uuid, createdAt: z.iso.datetime() }) },

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

    /** The tier of an account was changed; ask identity for the present one. */
    accountTierChanged: { payload: z.object({ accountId: uuid, tier }) },

    /** A person has signed in: somebody may look at what the account has. */
    sessionOpened: { payload: z.object({ accountId: uuid }) },

    /** Sessions ended by their holder. Only this service listens, to end them again after a restore. */
    sessionsEnded: { payload: z.object({ accountId: uuid, sessionIds: z.array(uuid).min(1) }) },

    /** Only this service listens, to keep the choices after a restore. */
    mailChoicesChanged: { payload: versionedChoices },

    /** The same of what a person chose for a monitor or a job. */
    mailOfWorkChosen: { payload: versionedChoiceOfWork },

    /** Only this service listens, to keep the name after a restore. */
    accountNamed: {
      payload: z.object({ accountId: uuid, name: accountName.nullable(), version: z.number().int() }),
      aggregate: { key: 'accountId', version: 'version' },
    },

    /**
     * The account, person and kind of a new key, which never change. Without a person, from the release before, it is the
     * first person's, whose id is the account's.
     */
    keyCreated: {
      payload: z.object({ accountId: uuid, keyId: uuid, personId: uuid.optional(), kind: keyKind.optional() }),
    },

    /** A person as of this version. Identity itself listens: it mails owners, and after a restore who was removed stays removed. */
    personChanged: {
      payload: z.object({
        accountId: uuid,
        personId: uuid,
        role,
        dailyCreditCap: personCap,
        isRemoved: z.boolean(),
        version: count,
        /** The address, encrypted by identity, and when they joined: a restore brings back who has joined since. */
        sealedEmail: z.string().max(2_048).optional(),
        joinedAt: z.iso.datetime().optional(),
        /** The role before this change, null of a new person. Absent in events of the release before, which are not mailed. */
        roleBefore: role.nullable().optional(),
        /** Who did it, or the person who has joined by an invitation. Absent of an operator. */
        byPersonId: uuid.optional(),
      }),
      aggregate: { key: 'personId', version: 'version' },
    },

    /** An invitation was used or withdrawn. Identity itself listens, so that its code stays useless after a restore. */
    invitationEnded: { payload: z.object({ accountId: uuid, invitationId: uuid }) },

    /** The facts of a working key as of this version. */
    keyChanged: {
      payload: z.object({
        accountId: uuid,
        keyId: uuid,
        keyDigest: secretDigest,
        keyVersion: z.number().int(),
        keyState,
        /** It ends because the tier allows fewer keys; it stays if the tier returns before. */
        overLimit: z.literal(true).optional(),
        dailyCreditCap: z.number().int().positive().nullable(),
        /** What a connected app may do now: its access tokens may no more. */
        scopes: z.array(accessScope).optional(),
      }),
      aggregate: { key: 'keyId', version: 'keyVersion' },
    },

    /** A key has stopped working: at once, together with its work, or at the end of its grace period. */
    keyRevoked: {
      payload: z.object({ accountId: uuid, keyId: uuid, keyDigest: secretDigest, atOnce: z.boolean() }),
    },
  },
  projections: {
    /** The principal of a key, by the SHA-256 of the key. Valid only while `principalsFresh` lives. */
    principal: { keyParts: ['keyDigest'], value: principal, ttlSeconds: 600 },
    /**
     * Identity renews it after every sweep of revocations. Gateways trust no projected principal after it has lapsed, so
     * revocations take effect within 30 s, whatever is down.
     */
    principalsFresh: { keyParts: [], value: z.literal('1'), ttlSeconds: 15 },
  },
});
