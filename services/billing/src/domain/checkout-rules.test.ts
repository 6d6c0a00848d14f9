import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { later, secondsUntil } from './checkout.ts';

const NOW = new Date('2026-01-15T12:00:00.000Z');

describe('a caller that has to wait', () => {
  it('gets whole seconds, at least one, and never too few', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000, max: 100_000_000 }), (ms) => {
        const seconds = secondsUntil(later(NOW, ms), NOW);
        expect(Number.isInteger(seconds) && seconds >= 1).toBe(true);
        expect(seconds * 1_000).toBeGreaterThanOrEqual(ms);
        expect(seconds * 1_000).toBeLessThan(Math.max(ms, 1) + 1_000);
      }),
    );
  });
});
