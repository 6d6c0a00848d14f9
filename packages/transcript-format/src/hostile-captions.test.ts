import { afterAll, describe, expect, it } from '@jest/globals';
import { createStepCounter, proven } from '@tds/jest';
import { captionReaders } from './test-support/works.ts';
import { hostileTexts, ordinaryText } from './testing/hostile-captions.ts';

const LENGTH = proven(20_000, 1_000_000);
/** Of the steps for what a person says. */
const MAX_TIMES = 12;

const steps = createStepCounter<string>(new URL('test-support/works.ts', import.meta.url));
afterAll(steps.stop);

describe.each(captionReaders)('%s', (name) => {
  it('takes not many more steps for hostile captions than for ordinary ones', async () => {
    const ordinary = await steps.count(name, ordinaryText(LENGTH));
    for (const [what, [make]] of Object.entries(hostileTexts)) {
      const times = (await steps.count(name, make(LENGTH))) / ordinary;
      expect({ what, times: times < MAX_TIMES || times }).toEqual({ what, times: true });
    }
  });
});
