import { afterAll, describe, expect, it } from '@jest/globals';
import { createStepCounter } from '@tds/jest';
import { works } from '../test-support/discovery-works.ts';

const steps = createStepCounter<number>(new URL('../test-support/discovery-works.ts', import.meta.url));
afterAll(steps.stop);

describe('reading takes steps in proportion to the length', () => {
  it.each(Object.keys(works))('of %s', async (name) => {
    const few = await steps.count(name, 10_000);
    // In square time it would be 64 times as many.
    expect(await steps.count(name, 80_000)).toBeLessThan(few * 12);
  });
});
