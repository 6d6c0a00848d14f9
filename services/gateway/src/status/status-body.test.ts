import { describe, expect, it } from '@jest/globals';
import { newStatusReport } from '../test-support/observed.ts';
import { toStatusBody } from './status-body.ts';
import type { KnownStatus } from './status-watch.ts';

const checkedAt = new Date('2026-01-15T12:00:00.000Z');
const newStatus = (fields: Partial<KnownStatus> = {}): KnownStatus => ({
  report: newStatusReport(),
  away: new Set(),
  history: null,
  checkedAt,
  ...fields,
});
const summarize = (fields: Partial<KnownStatus>) => {
  const { status, new_fetches: newFetches } = toStatusBody(newStatus(fields));
  return [status, newFetches];
};

describe('the status', () => {
  it('has the observations, in the words of the specification', () => {
    expect(toStatusBody(newStatus())).toEqual({
      status: 'operational',
      new_fetches: true,
      relay: { status: 'operational' },
      strategies: [{ name: 'android', status: 'operational' }],
      translation: { status: 'operational' },
      capacity: { status: 'operational' },
      canary: { status: 'operational', checked_at: '2026-01-15T11:59:30.000Z' },
      accounts: { status: 'operational' },
      credits: { status: 'operational' },
      latency: {
        transcript_cache_hits: { p50_ms: 2, p95_ms: 5 },
        transcript_cold: { p50_ms: null, p95_ms: null },
      },
      checked_at: '2026-01-15T12:00:00.000Z',
    });
  });

  it.each([
    [
      'no route leads to the platform',
      { report: newStatusReport({ impaired: ['relay', 'strategies'] }) },
      false,
    ],
    ['the day is used up', { report: newStatusReport({ impaired: ['capacity'] }) }, false],
    ['the day of free keys is used up', { report: newStatusReport({ impaired: ['free_pool'] }) }, true],
    ['every check of known videos fails', { report: newStatusReport({ impaired: ['canary'] }) }, true],
    ['credits does not answer', { away: new Set(['credits'] as const) }, false],
    ['accounts does not answer', { away: new Set(['accounts'] as const) }, false],
  ] as const)('is degraded if %s, and says whether new fetches can run', (_, fields, runs) => {
    expect(summarize(fields)).toEqual(['degraded', runs]);
  });

  it('is down if all services that a transcript needs are away, whatever was observed', () => {
    const away = new Set(['accounts', 'credits', 'relay'] as const);
    expect(summarize({ away })).toEqual(['down', false]);
    expect(toStatusBody(newStatus({ report: null, away }))).toMatchObject({
      status: 'down',
      relay: { status: 'down' },
      accounts: { status: 'down' },
      credits: { status: 'down' },
      canary: { status: 'unknown', checked_at: null },
    });
  });

  it('prefers its own results about reachable services', () => {
    expect(toStatusBody(newStatus({ away: new Set(['relay'] as const) })).relay).toEqual({ status: 'down' });
  });

  it('calls unobserved parts unknown, not impaired', () => {
    expect(toStatusBody(newStatus({ report: null }))).toMatchObject({
      status: 'operational',
      relay: { status: 'unknown' },
      strategies: [],
      translation: { status: 'unknown' },
      capacity: { status: 'unknown' },
      latency: { transcript_cold: { p50_ms: null, p95_ms: null } },
    });
  });
});
