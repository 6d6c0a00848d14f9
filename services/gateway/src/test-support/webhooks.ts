import { randomUUID } from 'node:crypto';
import type { Delivery, Webhook } from '@tds/contracts';

const TIME = '2026-01-15T12:00:00.000Z';

export const newWebhook = (given: Partial<Webhook> = {}): Webhook => ({
  url: 'https://hooks.example/tds',
  lowBalanceThreshold: null,
  enabled: true,
  disabledReason: null,
  disabledAt: null,
  createdAt: TIME,
  updatedAt: TIME,
  updatedByKeyId: null,
  ...given,
});

export const newDelivery = (given: Partial<Delivery> = {}): Delivery => ({
  id: randomUUID(),
  eventId: randomUUID(),
  event: 'job.completed',
  status: 'delivered',
  url: 'https://hooks.example/tds',
  jobId: randomUUID(),
  monitorId: null,
  resentFrom: null,
  replacedBy: null,
  attemptCount: 1,
  nextAttemptAt: null,
  createdAt: TIME,
  endedAt: TIME,
  ...given,
});
