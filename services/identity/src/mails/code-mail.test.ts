import { describe, expect, it } from '@jest/globals';
import type { Notice } from '@tds/contracts';
import { codeMail, noticeMail } from './mails.ts';

describe('codeMail', () => {
  const mail = codeMail('012345');

  it('has the code on a line of its own and no other number of six digits', () => {
    expect(mail.text.split('\n')).toContain('012345');
    expect(mail.text.match(/\b\d{6}\b/g)).toEqual(['012345']);
    expect(mail.html.match(/\b\d{6}\b/g)).toEqual(['012345']);
  });

  it('does not have the code in the subject', () => {
    expect(mail.subject).not.toMatch(/\d/);
  });
});

describe('every notice', () => {
  const places = { supportEmail: 'help@transcripts.example', publicUrl: 'https://transcripts.example' };
  const since = '2026-01-15T12:00:00.000Z';
  const name = 'Go to http://example.com\u202e www。example。com';
  const counts = { total: 1, pending: 0, processing: 0, cached: 0, fetched: 1, error: 0, cancelled: 0 };
  const job = {
    jobId: '0199c3a0-0000-7000-8000-000000000001',
    name,
    counts,
    credits: { reserved: 0, charged: 1 },
  };
  const key = { name, prefix: 'svc_live_abc' };
  const [email, by] = ['new.owner@example.com', 'owner@example.com'];
  const paused = { id: 'a'.repeat(32), name, reason: 'insufficient_credits', removed: by } as const;
  // Those of what a monitor found lead to videos, too: `event-mails.test.ts`.
  const notices: Record<Exclude<Notice['kind'], 'words_found' | 'new_videos'>, Notice> = {
    webhook_disabled: { kind: 'webhook_disabled', host: 'example.com' },
    webhook_changed: { kind: 'webhook_changed', host: 'example.com', changes: ['created', 'removed'] },
    receiver_disabled: { kind: 'receiver_disabled', name, host: 'example.com', reason: 'gone' },
    receiver_changed: { kind: 'receiver_changed', name, host: 'example.com', changes: ['created', 'removed'] },
    key_made: { kind: 'key_made', ...key },
    more_keys_made: { kind: 'more_keys_made', since },
    app_connected: { kind: 'app_connected', name, host: 'example.com', scopes: [], dailyCreditCap: 5 },
    more_apps_connected: { kind: 'more_apps_connected', since },
    app_disconnected: { kind: 'app_disconnected', name, host: 'example.com', by: 'misuse' },
    job_ended: { kind: 'job_ended', status: 'completed', ...job },
    more_jobs_ended: { kind: 'more_jobs_ended', since },
    job_paused: { kind: 'job_paused', ...paused },
    monitor_paused: { kind: 'monitor_paused', ...paused },
    tier_fell: { kind: 'tier_fell', keys: [{ ...key, endsAt: since }] },
    account_frozen: { kind: 'account_frozen', reason: 'operator' },
    account_active: { kind: 'account_active' },
    account_closed: { kind: 'account_closed' },
    owners_changed: { kind: 'owners_changed', change: 'invited', email, by },
    left_account: { kind: 'left_account', of: email, by, heir: email },
    block_refunded: { kind: 'block_refunded', block: 1_000, by, key },
    refilled: { kind: 'refilled', block: 1_000, amount: 1_000, currency: 'usd', left: 4_000 },
    refill_stopped: { kind: 'refill_stopped', reason: 'card_removed' },
    balance_low: { kind: 'balance_low', available: 1, threshold: 1_000 },
  };

  it.each(Object.entries(notices))(
    '%s has one link, to our pages, speaks no HTTP, and shows no link of a caller',
    (kind, notice) => {
      expect(notice.kind).toBe(kind);
      const { text, html } = noticeMail(notice, places);
      expect(text.match(/https?:\/\//g)).toHaveLength(1);
      expect(html).toMatch(/<a href="https:\/\/transcripts\.example\/(dashboard|terms)/);
      expect(text).not.toMatch(/\b(GET|PUT|POST|PATCH|DELETE)\b|\/v1\//);
      expect(text + html).not.toMatch(/evil[.。]|example[.。]com|\u202e/);
    },
  );

  it('counts credits with separators, as the dashboard does', () => {
    const { text } = noticeMail(notices.refilled, places);
    expect(text).toContain('a block of 1,000 credits for $10.00');
    expect(noticeMail(notices.balance_low, places).text).toContain('has 1 credit left');
  });
});
