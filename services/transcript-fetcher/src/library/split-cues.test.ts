import { afterAll, expect, it } from '@jest/globals';
import { createStepCounter, proven } from '@tds/test-kit';
import { hostileTexts, ordinaryText } from '@tds/transcript-format/testing';

const LENGTH = proven(20_000, 1_000_000);
/** Of the steps for what a person says. */
const MAX_TIMES = 8;

const steps = createStepCounter<string>(new URL('../test-support/index-works.ts', import.meta.url));
afterAll(steps.stop);

it.each(Object.entries(hostileTexts))(
  'captions of %s take not many more steps to split than what a person says',
  async (_text, [make]) => {
    const ordinary = await steps.count('index', ordinaryText(LENGTH));
    expect((await steps.count('index', make(LENGTH))) / ordinary).toBeLessThan(MAX_TIMES);
  },
);
