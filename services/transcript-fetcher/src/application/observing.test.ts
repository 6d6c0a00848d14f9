import { describe, expect, it } from '@jest/globals';
import { createObserver, type Observed } from './observing.ts';

const at = (seconds: number) => new Date(1_000 * seconds);
const observed = (healthy: boolean): Observed => ({
  strategies: [{ strategy: 'android', exit: 'direct', healthy }],
  capacity: 'open',
});

describe('an observer', () => {
  it('says what it sees at first, at each change, and every minute, so that its silence is seen', () => {
    const observer = createObserver();
    expect(observer.isNews(observed(true), at(0))).toBe(true);
    // It could not be told: it is news until it has been.
    expect(observer.isNews(observed(true), at(1))).toBe(true);
    observer.said(observed(true), at(1));
    expect(observer.isNews(observed(true), at(60))).toBe(false);
    expect(observer.isNews(observed(false), at(2))).toBe(true);
    expect(observer.isNews(observed(true), at(61))).toBe(true);
  });

  it('speaks on where the clock has gone back', () => {
    const observer = createObserver();
    observer.said(observed(true), at(3_600));
    expect(observer.isNews(observed(true), at(0))).toBe(true);
  });

  it('is known by a name of its own', () => {
    expect(createObserver().instance).not.toBe(createObserver().instance);
  });
});
