import { describe, expect, it } from '@jest/globals';
import { memoryByteBudget, secondsUntilRefill } from './budget.ts';

describe('memoryByteBudget', () => {
  it('counts down within a UTC day and never below zero', async () => {
    const budget = memoryByteBudget(100, () => new Date('2026-03-01T12:00:00Z'));
    await budget.spend(30, null);
    expect(await budget.remaining(null)).toBe(70);
    await budget.spend(500, null);
    expect(await budget.remaining(null)).toBe(0);
  });

  it('refills at 00:00 UTC, wherever the clock hangs', async () => {
    let now = new Date('2026-03-01T23:59:59.999Z');
    const budget = memoryByteBudget(100, () => now);
    await budget.spend(100, null);
    expect(await budget.remaining(null)).toBe(0);
    now = new Date('2026-03-02T00:00:00.000Z');
    expect(await budget.remaining(null)).toBe(100);
  });
});

describe('secondsUntilRefill', () => {
  it('is the rest of the UTC day in whole seconds, rounded up', () => {
    expect(secondsUntilRefill(new Date('2026-03-01T23:59:30.500Z'))).toBe(30);
    expect(secondsUntilRefill(new Date('2026-03-01T00:00:00Z'))).toBe(86_400);
  });
});
