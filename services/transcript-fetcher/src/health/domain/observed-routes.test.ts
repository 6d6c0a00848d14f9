import { describe, expect, it } from '@jest/globals';
import { observedRoutes, toColdCapacity, toFaultShare } from './observed-routes.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const health = (state: 'closed' | 'open' | 'half_open', lastSuccessAt: Date | null) => ({
  strategy: 'android',
  exit: 'direct',
  state,
  lastSuccessAt,
  recent: { ended: 0, faulted: 0 },
});
const seen = (...given: Parameters<typeof health>) =>
  observedRoutes([health(...given)], now).map(({ healthy }) => healthy);

describe('the observation of a route', () => {
  it('is healthy if it served within ten minutes', () => {
    expect(seen('closed', ago(9))).toEqual([true]);
    expect(observedRoutes([health('closed', ago(0))], now)).toEqual([
      { strategy: 'android', exit: 'direct', healthy: true },
    ]);
  });

  it('is missing if it is unused: an untested route is neither healthy nor an outage', () => {
    expect(seen('closed', null)).toEqual([]);
    expect(seen('closed', ago(11))).toEqual([]);
  });

  it('is unhealthy from the opening of its circuit until a probe closes it', () => {
    expect(seen('open', ago(1))).toEqual([false]);
    expect(seen('open', ago(60))).toEqual([false]);
    expect(seen('half_open', ago(1))).toEqual([false]);
  });

  it('is unhealthy while most of its requests fail, even if its circuit is closed', () => {
    const failing = { ...health('closed', ago(1)), recent: { ended: 20, faulted: 11 } };
    expect(observedRoutes([failing], now)).toEqual([
      { strategy: 'android', exit: 'direct', healthy: false, faults: 'most' },
    ]);
  });
});

describe('the share of faults', () => {
  it.each([
    [19, 19, undefined],
    [20, 2, 'few'],
    [20, 3, 'some'],
    [20, 10, 'some'],
    [20, 11, 'most'],
  ] as const)('of %s fetches, of which %s had one, is %s', (ended, faulted, faults) => {
    expect(toFaultShare({ ended, faulted }).faults).toBe(faults);
  });
});

describe('the capacity of a day', () => {
  const limits = { global: 10, freePool: 5, proxyBytesPerDay: 100 };
  const none = { everybody: 0, freePool: 0, proxyBytes: 0 };

  it.each([
    ['nothing is used', none, 'open'],
    ['one fetch is left', { everybody: 9, freePool: 4, proxyBytes: 99 }, 'open'],
    ['the free pool is used up', { ...none, freePool: 5 }, 'limited'],
    ['all fetches are', { everybody: 10, freePool: 5, proxyBytes: 0 }, 'spent'],
    ['the bytes of the proxies are', { ...none, proxyBytes: 100 }, 'spent'],
  ] as const)('%s: %s is %s', (_, used, capacity) => {
    expect(toColdCapacity(used, limits)).toBe(capacity);
  });
});
