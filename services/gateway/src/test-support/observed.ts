import type { StatusReport } from '../status/status-watch.ts';

/** What the status service says of a good day. */
export const newStatusReport = (overrides: Partial<StatusReport> = {}): StatusReport => ({
  relay: 'operational',
  translation: 'operational',
  capacity: 'operational',
  strategies: [{ name: 'android', status: 'operational' }],
  canary: { status: 'operational', checked_at: '2026-01-15T11:59:30.000Z' },
  impaired: [],
  latency: {
    transcript_cache_hits: { p50_ms: 2, p95_ms: 5 },
    transcript_cold: { p50_ms: null, p95_ms: null },
  },
  ...overrides,
});
