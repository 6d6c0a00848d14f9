import { randomUUID } from 'node:crypto';
import type { Monitor } from '@tds/contracts';

const TIME = '2026-01-15T12:00:00.000Z';

export const newFeed = (monitorId: string | null, id: string = randomUUID()) => ({
  ...{ id, monitor_id: monitorId, created_at: TIME },
});

export const newMonitor = (overrides: Partial<Monitor> = {}): Monitor => ({
  ...{ id: randomUUID().replaceAll('-', ''), status: 'active', pause_reason: null },
  ...{ channel: `UC${'x'.repeat(22)}`, playlist: null, title: 'A channel', contents: 'all' },
  ...{
    auto_fetch: false,
    words: [],
    mail: 'none',
    mail_only_matches: false,
    language: 'en',
    fallback: true,
    webhook_url: null,
    receivers: [],
    key_id: null,
    new_videos: 0,
  },
  ...{
    last_checked_at: TIME,
    next_check_at: TIME,
    consecutive_failures: 0,
    last_error: null,
    created_at: TIME,
    cancelled_at: null,
    person_id: null,
  },
  ...overrides,
});
