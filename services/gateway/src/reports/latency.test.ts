import { describe, expect, it } from '@jest/globals';
import { LATENCY_BOUNDS_MS, type LatencySlot, MAX_LATENCY_SLOTS, status } from '@tds/contracts';
import { createLatencyReport } from './latency.ts';

const START = Date.parse('2026-01-15T12:00:00.000Z');
const MINUTE_MS = 60_000;
const keyRequest = { route: 'getTranscript', isAuthenticated: true, keyId: 'a key' };
const hit = { status: 200, cache: 'HIT' } as const;
const miss = { status: 200, cache: 'MISS' } as const;

const open = () => {
  let nowMs = START;
  const report = createLatencyReport(() => new Date(nowMs));
  return {
    take: () => report.take(MAX_LATENCY_SLOTS),
    count: (exchange: object, answer: { status: number; cache?: 'HIT' | 'MISS' }, ms = 1) =>
      report.count({ ...keyRequest, ...exchange } as never, answer, ms),
    later: (minutes: number) => {
      nowMs += minutes * MINUTE_MS;
    },
  };
};
/** What was counted, by cohort and bound. */
const shown = (slots: readonly LatencySlot[]) =>
  slots.map(({ cohort, slotAt, counts }) => ({
    cohort,
    at: slotAt.slice(11, 16),
    counts: Object.fromEntries(
      counts.flatMap((count, index) => (count > 0 ? [[LATENCY_BOUNDS_MS[index] ?? 0, count]] : [])),
    ),
  }));

describe('latencies', () => {
  it('are counted for hits, and for misses that were delivered or pending, each below its bound', () => {
    const { take, count } = open();
    for (const ms of [0.2, 1, 1.01, 30]) count({}, hit, ms);
    count({}, miss, 480);
    count({}, { status: 202, cache: 'MISS' }, 25_100);
    count({}, miss, 90_000);
    const taken = take();
    expect(shown(taken)).toEqual([
      { cohort: 'transcript_cache_hits', at: '12:00', counts: { 1: 2, 2: 1, 30: 1 } },
      { cohort: 'transcript_cold', at: '12:00', counts: { 500: 1, 30000: 1, 60000: 1 } },
    ]);
    expect(
      status.recordLatency.request.safeParse({
        instance: '6b1f5f5e-6b7c-4a0e-9a4f-111111111111',
        slots: taken,
      }).success,
    ).toBe(true);
  });

  it('are not counted for errors, callers without a key, sessions and other routes', () => {
    const { take, count } = open();
    count({}, { status: 404 });
    count({}, { status: 502, cache: 'MISS' });
    count({}, { status: 200 });
    count({ isAuthenticated: false }, hit);
    count({ keyId: null }, hit);
    count({ route: 'getJobFile' }, hit);
    expect(take()).toEqual([]);
  });

  it('are reported as whole slots, and again only after more answers', () => {
    const { take, count, later } = open();
    count({}, hit);
    const first = take();
    count({}, hit);
    const second = take();
    expect([shown(first)[0]?.counts, shown(second)[0]?.counts, take()]).toEqual([{ 1: 1 }, { 1: 2 }, []]);
    count({}, hit);
    later(10);
    count({}, hit);
    expect(shown(take())).toEqual([
      { cohort: 'transcript_cache_hits', at: '12:00', counts: { 1: 3 } },
      { cohort: 'transcript_cache_hits', at: '12:10', counts: { 1: 1 } },
    ]);
    expect(take()).toEqual([]);
  });

  it('of an outage are kept for a day at most', () => {
    const { take, count, later } = open();
    for (let slot = 0; slot < 500; slot += 1) {
      count({}, hit);
      count({}, miss);
      later(10);
    }
    expect(take()).toHaveLength(MAX_LATENCY_SLOTS);
  });
});
