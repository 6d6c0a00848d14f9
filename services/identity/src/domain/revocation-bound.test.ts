import { describe, expect, it } from '@jest/globals';
import { identity, SECOND_MS } from '@tds/contracts';
import { entryLifeMs, PROJECT_WITHIN_MS, sweepSince } from './principal.ts';
import { later } from './time.ts';

const now = new Date('2026-01-15T12:00:00.000Z');
const GATEWAY_MEMORY_SECONDS = 10;

describe('the revocation bound', () => {
  it('stays below 30 seconds in the worst case', () => {
    const worst = PROJECT_WITHIN_MS / SECOND_MS + identity.principalsFresh.ttlSeconds + GATEWAY_MEMORY_SECONDS;
    expect(worst).toBeLessThan(30);
  });

  it('sweeps further back than the life of an entry', () => {
    const sweptMs = now.getTime() - sweepSince(now).getTime();
    expect(sweptMs).toBeGreaterThan(identity.principal.ttlSeconds * SECOND_MS + PROJECT_WITHIN_MS);
  });

  it('ends every entry at a scheduled revocation', () => {
    expect(entryLifeMs(null, now)).toBe(600_000);
    expect(entryLifeMs(later(now, 60_000), now)).toBe(60_000);
    expect(entryLifeMs(later(now, 86_400_000), now)).toBe(600_000);
    expect(entryLifeMs(now, now)).toBe(0);
  });
});
