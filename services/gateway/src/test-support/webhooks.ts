import { randomUUID } from 'node:crypto';
import type { Delivery, Receiver, Webhook } from '@tds/contracts';

const TIME = '2026-01-15T12:00:00.000Z';

export const newWebhook = (overrides: Partial<Webhook> = {}): Webhook => ({
  url: 'https://hooks.example/tds',
  low_balance_threshold: null,
  enabled: true,
  disabled_reason: null,
  disabled_at: null,
  created_at: TIME,
  updated_at: TIME,
  updated_by_key_id: null,
  ...overrides,
});

export const newDelivery = (overrides: Partial<Delivery> = {}): Delivery => ({
  id: randomUUID(),
  event_id: randomUUID(),
  event: 'job.completed',
  status: 'delivered',
  url: 'https://hooks.example/tds',
  job_id: randomUUID(),
  monitor_id: null,
  receiver_id: null,
  resent_from: null,
  replaced_by: null,
  attempt_count: 1,
  next_attempt_at: null,
  created_at: TIME,
  ended_at: TIME,
  ...overrides,
});

export const newReceiver = (overrides: Partial<Receiver> = {}): Receiver => ({
  id: randomUUID(),
  name: 'Newsroom',
  form: 'signed',
  url: 'https://hooks.example/newsroom',
  events: ['monitor.words_found'],
  named_only: false,
  enabled: true,
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  created_at: TIME,
  updated_at: TIME,
  created_by_key_id: null,
  updated_by_key_id: null,
  ...overrides,
});
