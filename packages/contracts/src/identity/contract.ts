import { z } from 'zod';
import { jobEvent, pauseReason } from '../bulk-orchestrator/job.ts';
import { defineContract } from '../contract/define-contract.ts';
import { count, monitorId, uuid } from '../ids.ts';
import {
  MAX_WORDS_PER_MONITOR,
  monitorPauseReason,
  monitorSource,
  newVideo,
} from '../monitor-scheduler/monitor.ts';
import { languageCode } from '../transcript.ts';
import { foundQuery, monitorMatch } from '../transcript-fetcher/words-commands.ts';
import { webhookChange } from '../webhook-dispatcher/webhook-commands.ts';
import { accountCommands, buyerCommands, sessionCommands } from './account-commands.ts';
import { connectionCommands, grantRecordCommands } from './connection-commands.ts';
import { keyCommands, keyPhaseCommands } from './key-commands.ts';
import { mailCommands, versionedChoices } from './mail-commands.ts';
import { peopleCommands } from './people-commands.ts';
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
} from './principal.ts';
import { signInCommands } from './sign-in-commands.ts';

/** Of one event. */
export const MAX_MAILED_VIDEOS = 5;

const monitorOf = { monitorId, title: monitorSource.title };

/** What a monitor found or a job did: in a mail of its own, or one of those in the daily mail. */
export const eventNotice = z.discriminatedUnion('kind', [
  monitorMatch
    .pick({ query: true, video: true, translated: true, passages: true })
    // `orig` for what waits since before it had a language.
    .extend({ kind: z.literal('words_found'), language: languageCode.default('orig'), ...monitorOf })
    .extend({ also: z.array(foundQuery).max(MAX_WORDS_PER_MONITOR).default([]) }),
  z.object({
    kind: z.literal('new_videos'),
    ...monitorOf,
    videos: z.array(newVideo).max(MAX_MAILED_VIDEOS),
    /** With those that are left out. */
    count,
  }),
  jobEvent
    .pick({ jobId: true, name: true, status: true, counts: true, credits: true })
    .extend({ kind: z.literal('job_ended') }),
]);
export type EventNotice = z.infer<typeof eventNotice>;

/** A mail to the holder of an account. It has only the host of a webhook's URL, whose rest may be secret. */
export const notice = z.discriminatedUnion('kind', [
  ...eventNotice.options,
  z.object({ kind: z.literal('webhook_disabled'), host: z.string().max(253) }),
  z.object({ kind: z.literal('webhook_changed'), host: z.string().max(253), changes: z.array(webhookChange) }),
  z.object({ kind: z.literal('account_frozen'), reason: frozenReason }),
  z.object({ kind: z.literal('account_active') }),
  z.object({ kind: z.literal('account_closed') }),
  z.object({ kind: z.literal('key_made'), name: z.string(), prefix: z.string() }),
  z.object({
    kind: z.literal('app_connected'),
    name: z.string(),
    host: z.string().max(253),
    scopes: z.array(accessScope),
    dailyCreditCap: z.number().int().nullable(),
  }),
  z.object({
    kind: z.literal('app_disconnected'),
    name: z.string(),
    host: z.string().max(253),
    /** Misuse: a code or a refresh token was used a second time, the only reason that the release before mailed. */
    by: z.enum(['holder', 'app', 'misuse']).default('misuse'),
  }),
  z.object({
    kind: z.enum(['job_paused', 'monitor_paused']),
    id: z.union([uuid, monitorId]),
    name: jobEvent.shape.name,
    reason: z.union([pauseReason, monitorPauseReason]),
    /** The address of who made it, if they were removed. */
    removed: z.string().optional(),
  }),
  /** To each owner of before. `by` is an address, null for an operator. */
  z.object({
    kind: z.literal('owners_changed'),
    change: z.enum(['invited', 'joined', 'made_owner', 'made_other', 'removed']),
    email: z.string(),
    by: z.string().nullable(),
  }),
  /** To a person who left or was removed. `of` is the address of the account's oldest owner. */
  z.object({ kind: z.literal('left_account'), of: z.string().nullable(), by: z.string().nullable() }),
  /** `by` is the address of who did it, and `key` the name and prefix of the key that did it. */
  z.object({
    ...{ kind: z.literal('block_given_back'), block: count, by: z.string() },
    key: z.object({ name: z.string(), prefix: z.string() }).nullable(),
  }),
  z.object({ kind: z.literal('balance_low'), available: count, threshold: count }),
  /** In place of single mails beyond a day's allowance. */
  z.object({
    kind: z.enum(['more_keys_made', 'more_apps_connected', 'more_jobs_ended']),
    since: z.iso.datetime(),
  }),
  z.object({
    kind: z.literal('tier_fell'),
    /** Keys that end because the tier allows fewer. */
    keys: z.array(z.object({ name: z.string(), prefix: z.string(), endsAt: z.iso.datetime() })),
  }),
]);
export type Notice = z.infer<typeof notice>;

/** Mails are sent a few at once, and again for a day; those with `mailId` are the same mail at every attempt. */
const backoffMs = [10_000, 60_000, 600_000, 3_600_000, 43_200_000, 43_200_000];
const mailing = { leaseMs: 30_000, backoffMs, concurrency: 4, timeLimitMs: 60_000 };
const mailOfAccount = { payload: z.object({ accountId: uuid }), ...mailing };

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
    /** Mails what waits for the daily mail of an account, once however long the mail server is away. */
    sendDailyMail: mailOfAccount,
    /** The same of the weekly mail. */
    sendWeeklyMail: mailOfAccount,
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
    mailChoicesChanged: {
      payload: versionedChoices,
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
