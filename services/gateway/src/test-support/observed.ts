import type { Observed } from '../background/status-watch.ts';

/** What the status service says of a good day. */
export const newObserved = (given: Partial<Observed> = {}): Observed => ({
  relay: 'operational',
  translation: 'operational',
  capacity: 'operational',
  strategies: [{ name: 'android', state: 'operational' }],
  canary: { state: 'operational', checkedAt: '2026-01-15T11:59:30.000Z' },
  impaired: [],
  latency: {
    transcript_cache_hits: { p50Ms: 2, p95Ms: 5 },
    transcript_cold: { p50Ms: null, p95Ms: null },
  },
  ...given,
});
