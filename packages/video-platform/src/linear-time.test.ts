import { afterAll, describe, expect, it } from '@jest/globals';
import { createStepCounter } from '@tds/jest';
import { repeatedTexts } from './test-support/works.ts';

const LENGTH = 10_000;
const TIMES = 8;
/** In square time it would be 64 times as many. */
const MAX_TIMES = 12;

const steps = createStepCounter<string>(new URL('test-support/works.ts', import.meta.url));
afterAll(steps.stop);

describe('texts of strangers take steps in proportion to their length', () => {
  it.each(repeatedTexts)('%s', async (name, _read, unit) => {
    const text = (length: number) => unit.repeat(Math.ceil(length / unit.length));
    const few = await steps.count(name, text(LENGTH));
    expect(await steps.count(name, text(LENGTH * TIMES))).toBeLessThan(few * MAX_TIMES);
  });
});
