import { describe, expect, it } from '@jest/globals';
import { LATENCY_BOUNDS_MS } from '@tds/contracts';
import { computeLatencyBounds } from './latency-bounds.ts';

/** Numbers of answers by bound. */
const counts = (given: Readonly<Record<number, number>>) => LATENCY_BOUNDS_MS.map((bound) => given[bound] ?? 0);

describe('bounds of latency', () => {
  it('are null below twenty answers', () => {
    expect(computeLatencyBounds([])).toEqual({ p50_ms: null, p95_ms: null });
    expect(computeLatencyBounds(counts({ 1: 19 }))).toEqual({ p50_ms: null, p95_ms: null });
    expect(computeLatencyBounds(counts({ 1: 20 }))).toEqual({ p50_ms: 1, p95_ms: 1 });
  });

  it('are the upper bounds of the percentiles', () => {
    expect(computeLatencyBounds(counts({ 1: 50, 20: 45, 1000: 5 }))).toEqual({ p50_ms: 1, p95_ms: 20 });
    expect(computeLatencyBounds(counts({ 1: 49, 20: 45, 1000: 6 }))).toEqual({ p50_ms: 20, p95_ms: 1_000 });
    expect(computeLatencyBounds(counts({ 60000: 20 }))).toEqual({ p50_ms: 60_000, p95_ms: 60_000 });
  });
});
