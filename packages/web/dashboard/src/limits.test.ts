import { describe, expect, it } from '@jest/globals';
import type { Account } from '@transcript-delivery/sdk';
import { isNear, listLimits } from './limits.ts';

const DAY_MS = 86_400_000;
const now = Date.parse('2026-03-09T12:00:00Z');
const accountOf = (ageDays: number, cold = 0) =>
  ({
    account: { created_at: new Date(now - ageDays * DAY_MS).toISOString() },
    usage_today: { cold_deliveries: cold },
    keys: { live: 2 },
    limits: {
      ...{ cold_fetches_per_day: 100, cache_reads_per_day: 2_000, search_pages_per_day: 50 },
      ...{ live_keys: 2, active_jobs: 1, monitors: 1, videos_per_job: 100, requests_per_minute: 60 },
      ...{ concurrent_cold_fetches: 2, cold_enumerations_per_day: 25, archive_builds_per_day: 20 },
    },
  }) as unknown as Account;
const key = (id: string, name: string, replaced_by: string | null = null) => ({
  ...{ id, name, replaced_by, status: 'active' as const },
});
const row = (key_id: string | null, cold_deliveries: number) => ({
  ...{ key_id, cold_deliveries, cache_hits: 0, search_pages: 0 },
});
const used = { rows: [row('a', 60), row('b', 5), row('c', 30), row('of a session', 7), row(null, 9)] };
const holders = {
  keys: [key('a', 'Old', 'b'), key('b', 'Reports'), key('c', 'Site')],
  apps: [{ id: 'd', name: 'App' }],
};
const limits = listLimits(accountOf(9), { ...used, jobs: null, monitors: 1 }, holders, now);
const newTranscripts = limits.filter(({ name }) => name === 'New transcripts today');

describe('the limits of an account', () => {
  it('are counted for each key that works: rotated ones together, keys of sessions as the dashboard', () => {
    expect(newTranscripts.map(({ key, used }) => [key, used])).toEqual([
      ['Reports', 65],
      ['Site', 30],
      ['App', 0],
      ['The dashboard', 7],
    ]);
  });

  it('are near once more than half is used, and never if nothing counts them', () => {
    const near = limits.filter(isNear).map(({ name, key }) => [name, key]);
    expect(near).toEqual([
      ['New transcripts today', 'Reports'],
      ['Keys', null],
      ['Monitors', null],
    ]);
    expect(isNear({ name: '', key: null, used: 50, most: 100 })).toBe(false);
  });

  it('have the lower one of a new account, over all keys', () => {
    const of = (age: number) => listLimits(accountOf(age, 13), { ...used, jobs: 0, monitors: 0 }, holders, now);
    expect(of(1)[0]).toMatchObject({ key: null, used: 13, most: 25 });
    expect(of(3)[0]).toMatchObject({ key: 'Reports' });
  });
});
