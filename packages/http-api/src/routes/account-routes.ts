import {
  accountStatus,
  creditsLedger,
  frozenReason,
  identity,
  tier,
  uuid,
  webhookDispatcher,
} from '@tds/contracts';
import { z } from 'zod';
import { defineRoutes, field, okBody } from '../define-route.ts';
import { webhookAnswer, webhookDeleted, webhookFields } from './webhook-routes.ts';

const count = z.number().int().nonnegative();
const time = z.iso.datetime();
const LONGEST_EMAIL = 320;

export const accountBody = okBody({
  account: z.object({
    id: uuid,
    email: z.string(),
    status: accountStatus,
    frozen_reason: frozenReason.nullable().describe('Why a frozen account is frozen; null for every other'),
    tier,
    created_at: time,
  }),
  credits: z.object({
    free: count,
    purchased: count,
    reserved: count.describe('Held for work under way'),
    available: count.describe('free and purchased together: what X-Credits-Balance says'),
    debt: count.describe('Credits that the account owes; purchased credits that come in pay it first'),
    free_resets_at: time.describe('When what is left of the free credits gives way to the next 100'),
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
    .describe(
      'Of all keys on this UTC day; requests that this gateway answered before, those of others within seconds; credits at once',
    ),
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
    .describe('Of the tier; per key, but for live keys, jobs, archives and monitors'),
  keys: z.object({
    live: count,
    limit: count,
    current: z
      .object({ id: uuid, name: z.string(), prefix: z.string() })
      .nullable()
      .describe('The key that asked; null for a session'),
  }),
  support_email: z.string().describe('Where to write about a frozen account, or anything else'),
}).meta({ id: 'Account' });

export const accountRoutes = defineRoutes({
  getAccount: {
    method: 'GET',
    path: '/v1/account',
    calls: [identity.getAccount, creditsLedger.getBalance, creditsLedger.getDayUsage],
    access: 'key-or-session',
    tag: 'Account',
    summary: 'Credits, tier, limits, usage of today and key facts',
    responses: { 200: { description: 'The account', schema: accountBody } },
    unreachable: ['usage_range_too_large'],
  },

  putInAccount: {
    method: 'PUT',
    path: '/v1/account',
    calls: [webhookDispatcher.putWebhook],
    access: 'session',
    tag: 'Account',
    summary: 'Create or replace the webhook of the account: as PUT /v1/webhooks',
    query: { resource: field(z.literal('webhook'), 'unknown_query_mode', 'Must be webhook') },
    body: webhookFields,
    responses: { 200: { description: 'The webhook', schema: webhookAnswer } },
  },

  deleteFromAccount: {
    method: 'DELETE',
    path: '/v1/account',
    calls: [identity.closeAccount, webhookDispatcher.deleteWebhook],
    access: 'session',
    tag: 'Account',
    summary: 'Remove the webhook of the account, or close the account for ever',
    description:
      'webhook: as DELETE /v1/webhooks, without a body. account: all keys are revoked, all sessions end, credits are forfeited and the address cannot sign up again. This cannot be undone. Keys then answer 403 account_closed, sessions 401. The money of purchases is given back. The holder cannot close a frozen account.',
    query: {
      resource: field(z.enum(['webhook', 'account']), 'unknown_query_mode', 'Must be webhook or account'),
    },
    body: {
      confirm: field(
        z.string().min(1).max(LONGEST_EMAIL).optional(),
        'confirmation_required',
        'The email address of the account; to close it only',
      ),
    },
    responses: {
      200: {
        description: 'It is gone; with the account the session cookie is cleared',
        headers: ['Set-Cookie'],
        schema: z.union([
          okBody({ account: z.object({ id: uuid, status: z.literal('closed'), closed_at: time }) }),
          webhookDeleted,
        ]),
      },
    },
    unreachable: ['account_closed'],
  },
});
