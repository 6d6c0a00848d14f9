import {
  accountName,
  creditsLedger,
  identity,
  mailChoices,
  namedObject,
  shownMailChoices,
  stopToken,
  uuid,
  webhookDispatcher,
} from '@tds/contracts';
import { z } from 'zod';
import { count, MAX_EMAIL_LENGTH } from '../common-fields.ts';
import { defineRoutes, everyRole, field, okAnswer, okBody, onlyOwners } from '../define-route.ts';
import { webhookAnswer, webhookDeleted, webhookFields } from './webhook-routes.ts';

const time = z.iso.datetime();

const lowBalance =
  'Owners and billing are mailed when fewer credits are left, once until there are as many again; null: never';
const threshold = creditsLedger.setMailThreshold.request.shape.threshold;
const mailSettings = namedObject('MailSettings', {
  ...shownMailChoices.shape,
  low_balance_threshold: threshold.describe(lowBalance),
});
const { time_zone: timeZone, digest_hour: digestHour, digest_day: digestDay } = mailChoices;
const { account, person, accounts, keys } = identity.getAccount.reply.shape;
const stopPage = {
  access: 'public',
  query: { link: field(stopToken, 'invalid_mail_token', 'The token of the link in the mail') },
  responses: { 200: { description: 'A page for people', files: ['text/html'] } },
} as const;

export const accountBody = okBody('Account', {
  account,
  person,
  accounts,
  credits: namedObject('CreditBalance', {
    free: count,
    purchased: count,
    reserved: count.describe('Held for work in progress'),
    available: count.describe('free plus purchased: the value of X-Credits-Balance'),
    debt: count.describe('Credits that the account owes; new purchased credits repay it first'),
    free_resets_at: time.describe('When the free credits are reset to 100; unused ones expire'),
  }),
  usage_today: z
    .object({
      date: z.iso.date(),
      requests: count,
      cache_hits: count,
      cold_deliveries: count,
      job_rows: count,
      search_pages: count,
      failures: count,
      credits_charged: count,
    })
    .meta({
      id: 'UsageToday',
      description:
        'All keys on this UTC day. Credits are exact; requests answered by other gateways appear within seconds',
    }),
  limits: z
    .object({
      requests_per_minute: count,
      concurrent_cold_fetches: count,
      cold_fetches_per_day: count,
      cache_reads_per_day: count,
      cold_enumerations_per_day: count,
      live_keys: count,
      active_jobs: count,
      videos_per_job: count,
      search_pages_per_day: count,
      search_attempts_per_day: count,
      archive_builds_per_day: count,
      archive_bytes: count,
      monitors: count,
    })
    .meta({
      id: 'Limits',
      description: 'Limits of the tier: per account for live keys, jobs, archives and monitors, else per key',
    }),
  keys,
  mail: mailSettings,
  support_email: z.string().describe('The address of support'),
});

export const accountRoutes = defineRoutes('Account', {
  getAccount: {
    method: 'GET',
    path: '/v1/account',
    calls: [identity.getAccount, creditsLedger.getBalance, creditsLedger.getDayUsage],
    access: 'key-or-session',
    roles: everyRole,
    scope: 'read',
    summary: 'Get credits, tier, limits, usage of today and keys',
    responses: { 200: { description: 'The account', schema: accountBody } },
    unreachable: ['usage_range_too_large'],
  },

  nameAccount: {
    method: 'PATCH',
    path: '/v1/account',
    calls: [identity.nameAccount],
    access: 'session',
    roles: onlyOwners,
    summary: 'Name the account, for the readers of its links',
    description:
      'The name stands in what it hands on by a link. null takes it away: then a link says nothing of who.',
    body: {
      name: field(
        accountName.nullable(),
        'invalid_account_name',
        '1 to 60 characters with a letter or a digit, without line breaks and marks of direction',
      ),
    },
    responses: { 200: okAnswer('The account', 'AccountNameResponse', identity.nameAccount.reply.shape) },
    unreachable: ['account_closed'],
  },

  putInAccount: {
    method: 'PUT',
    path: '/v1/account',
    calls: [webhookDispatcher.putWebhook],
    access: 'session',
    summary: 'Create or replace the webhook: same as PUT /v1/webhooks',
    query: { resource: field(z.literal('webhook'), 'unknown_query_mode', 'Must be webhook') },
    body: webhookFields,
    responses: { 200: { description: 'The webhook', schema: webhookAnswer } },
  },

  deleteFromAccount: {
    method: 'DELETE',
    path: '/v1/account',
    calls: [identity.closeAccount, webhookDispatcher.deleteWebhook],
    access: 'session',
    summary: 'Delete the webhook, or close the account permanently',
    description:
      'webhook: same as DELETE /v1/webhooks, without a body. account, for owners: all keys are revoked, all sessions end and the address cannot sign up again. This cannot be undone. Keys then answer 403 account_closed, sessions 401. Money: each bought block of which nothing is used is refunded to its buyer, and so is a block that waits to be accepted, that running work gives back whole, or that is paid later; an open checkout page is closed. Not refunded: a block of which a credit is used, whose money was refunded in part or is held by a bank, or that would pay a debt. Free and given credits, and the rest of a used block, are lost. The holder cannot close a frozen account.',
    query: {
      resource: field(z.enum(['webhook', 'account']), 'unknown_query_mode', 'Must be webhook or account'),
    },
    body: {
      confirm: field(
        z.string().min(1).max(MAX_EMAIL_LENGTH).optional(),
        'confirmation_required',
        'The email address of the account; only to close it',
      ),
    },
    responses: {
      200: {
        description: 'Deleted or closed; closing also clears the session cookie',
        headers: ['Set-Cookie'],
        schema: z.union([
          okBody('AccountClosed', {
            account: z.object({ id: uuid, status: z.literal('closed'), closed_at: time }),
          }),
          webhookDeleted,
        ]),
      },
    },
    unreachable: ['account_closed'],
  },

  changeMailSettings: {
    method: 'PATCH',
    path: '/v1/account/mail',
    calls: [identity.changeMailChoices, creditsLedger.setMailThreshold, creditsLedger.getBalance],
    access: 'session',
    roles: everyRole,
    summary: 'Change when your daily and weekly mail come, and below which balance an account is mailed',
    description:
      'These are the choices of the person who is signed in, and of nobody else; low_balance_threshold is of the account, and only owners and billing change it (role_required). What is not sent stays. A monitor or a job mails who made it as its mail says, unless they chose otherwise, and who chose it by PUT /v1/monitors/{id}/mail or PUT /v1/jobs/{id}/mail. What concerns the account, its money and its security, is mailed to its owners and billing. The daily and the weekly mail have 30 events each, or up to 50 of different kinds, and say how many more there were. They come only if there is something, and follow the clock of the time zone: a changed time holds for one that waits, too. Mails about what has stopped always come to who made it and whom it mails, and if credits are missing to owners and billing, at most one a day for each cause: a job that waits for credits, for a daily limit of more than a day or for a key, a paused monitor.',
    body: {
      time_zone: field(timeZone.optional(), 'invalid_time_zone', 'An IANA time zone; UTC at first'),
      digest_hour: field(digestHour.optional(), 'invalid_digest_hour', 'From 0 to 23; 8 at first'),
      digest_day: field(digestDay.optional(), 'invalid_digest_day', 'From 1, Monday, at first, to 7'),
      event_mails: field(
        mailChoices.event_mails.optional(),
        'invalid_event_mails',
        'false: none about monitors and jobs',
      ),
      low_balance_threshold: field(threshold.optional(), 'webhook_threshold_invalid', lowBalance),
    },
    responses: { 200: okAnswer('The settings', 'MailSettingsResponse', { mail: mailSettings }) },
    errors: ['role_required'],
  },

  showMailStop: {
    method: 'GET',
    path: '/v1/mail/stop',
    summary: 'Show the page with the button that ends mails: links in mails lead here',
    description: 'It changes nothing, because mail programs open links before people do.',
    ...stopPage,
  },

  stopMail: {
    method: 'POST',
    path: '/v1/mail/stop',
    calls: [identity.stopEventMails],
    ignoresBody: true,
    summary: 'End mails by one click (RFC 8058)',
    description:
      'The link of a mail about monitors and jobs ends these, or those of one monitor or job, on behalf of its reader: it ends with that person, and is used up when they choose these mails again. That of an invitation ends invitations to its address.',
    ...stopPage,
  },
});
