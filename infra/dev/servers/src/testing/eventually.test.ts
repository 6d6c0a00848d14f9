import { describe, expect, it } from '@jest/globals';
import { eventually } from './eventually.ts';

describe('eventually', () => {
  it('resolves to the answer of the first check that holds', async () => {
    let calls = 0;
    const third = () => {
      calls += 1;
      if (calls < 3) throw new Error('not yet');
      return calls;
    };
    expect(await eventually(third, { everyMs: 1 })).toBe(3);
  });

  it('gives up in time, with the last error and what it waited for', async () => {
    const never = () => Promise.reject(new Error('still not'));
    await expect(eventually(never, { withinMs: 20, everyMs: 5 })).rejects.toThrow(
      /^still not\n\nStill so after 0.02 s of: .*Promise.reject/,
    );
  });
});
