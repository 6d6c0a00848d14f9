import { z } from 'zod';
import { price, refillReason } from '../billing/index.ts';
import { count, monitorId, uuid } from '../ids.ts';
import { jobEvent, pauseReason } from '../job.ts';
import { foundQuery, monitorMatch } from '../match.ts';
import { MAX_WORDS_PER_MONITOR, monitorPauseReason, monitorSource, newVideo } from '../monitor.ts';
import { accessScope, frozenReason } from '../principal.ts';
import { languageCode } from '../transcript.ts';
import { receiverChange, receiverDisabledReason, webhookChange } from '../webhook-dispatcher/index.ts';

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
    .pick({ jobId: true, name: true, status: true, counts: true, omitted: true, credits: true })
    .extend({ kind: z.literal('job_ended') }),
]);
export type EventNotice = z.infer<typeof eventNotice>;

/** A mail to the holder of an account. It has only the host of a webhook's URL, whose rest may be secret. */
export const notice = z.discriminatedUnion('kind', [
  ...eventNotice.options,
  z.object({ kind: z.literal('webhook_disabled'), host: z.string().max(253) }),
  z.object({ kind: z.literal('webhook_changed'), host: z.string().max(253), changes: z.array(webhookChange) }),
  z.object({
    kind: z.literal('receiver_disabled'),
    ...{ name: z.string(), host: z.string().max(253), reason: receiverDisabledReason },
  }),
  z.object({
    kind: z.literal('receiver_changed'),
    ...{ name: z.string(), host: z.string().max(253), changes: z.array(receiverChange) },
  }),
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
  /** To a person who left or was removed. `of` is the address of the account's oldest owner, `heir` that of who has their work. */
  z.object({
    ...{ kind: z.literal('left_account'), of: z.string().nullable(), by: z.string().nullable() },
    heir: z.string().nullable().optional(),
  }),
  /** `by` is the address of who did it, and `key` the name and prefix of the key that did it. */
  z.object({
    ...{ kind: z.literal('block_refunded'), block: count, by: z.string() },
    key: z.object({ name: z.string(), prefix: z.string() }).nullable(),
  }),
  /** The money is in the smallest unit of the currency; `left` is that of the UTC month. */
  z.object({ kind: z.literal('refilled'), block: count, ...price, left: count }),
  z.object({ kind: z.literal('refill_stopped'), reason: refillReason }),
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
