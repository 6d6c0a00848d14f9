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
  const notices: Notice[] = [
    { kind: 'webhook_disabled', host: 'example.com' },
    { kind: 'webhook_changed', host: 'example.com', changes: ['created', 'removed'] },
    { kind: 'receiver_disabled', name, host: 'example.com', reason: 'gone' },
    { kind: 'receiver_changed', name, host: 'example.com', changes: ['created', 'removed'] },
    { kind: 'key_made', name, prefix: 'svc_live_abc' },
    { kind: 'more_keys_made', since },
    { kind: 'job_ended', status: 'completed', ...job },
    { kind: 'more_jobs_ended', since },
    { kind: 'tier_fell', keys: [{ name, prefix: 'svc_live_abc', endsAt: since }] },
    { kind: 'account_frozen', reason: 'operator' },
    { kind: 'account_active' },
    { kind: 'account_closed' },
  ];

  it.each(notices)(
    '$kind has one link, to our pages, speaks no HTTP, and shows no link of a caller',
    (notice) => {
      const { text, html } = noticeMail(notice, places);
      expect(text.match(/https?:\/\//g)).toHaveLength(1);
      expect(html).toMatch(/<a href="https:\/\/transcripts\.example\/(dashboard|terms)/);
      expect(text).not.toMatch(/\b(GET|PUT|POST|PATCH|DELETE)\b|\/v1\//);
      expect(text + html).not.toMatch(/evil[.。]|example[.。]com|\u202e/);
    },
  );
});
