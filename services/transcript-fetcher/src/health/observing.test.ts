import { describe, expect, it } from '@jest/globals';
import { createObserver, type Observation } from './observing.ts';

const at = (seconds: number) => new Date(1_000 * seconds);
const observed = (healthy: boolean): Observation => ({
  strategies: [{ strategy: 'android', exit: 'direct', healthy }],
  capacity: 'open',
});

describe('an observer', () => {
  it('emits its first observation, each change, and one a minute, so that listeners notice its silence', () => {
    const observer = createObserver();
    expect(observer.isNew(observed(true), at(0))).toBe(true);
    // Not emitted yet, so it is due again.
    expect(observer.isNew(observed(true), at(1))).toBe(true);
    observer.markEmitted(observed(true), at(1));
    expect(observer.isNew(observed(true), at(60))).toBe(false);
    expect(observer.isNew(observed(false), at(2))).toBe(true);
    expect(observer.isNew(observed(true), at(61))).toBe(true);
  });

  it('goes on emitting if the clock was set back', () => {
    const observer = createObserver();
    observer.markEmitted(observed(true), at(3_600));
    expect(observer.isNew(observed(true), at(0))).toBe(true);
  });

  it('has a unique name', () => {
    expect(createObserver().instance).not.toBe(createObserver().instance);
  });
});
