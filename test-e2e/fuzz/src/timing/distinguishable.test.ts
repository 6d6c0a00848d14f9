import { describe, expect, it } from '@jest/globals';
import { createRandom } from '#support';
import { compareTimings } from './distinguishable.ts';

/** Answers of some 4 ms with the long tail of a busy machine. */
const answers = (seed: number, count: number, moreMs = 0): number[] => {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    const hiccup = random.next() < 0.05 ? 80 * random.next() : 0;
    return 3 + 2 * random.next() + hiccup + moreMs;
  });
};
const compare = (left: number[], right: number[]) => compareTimings({ name: 'calls', left, right });

describe('the comparison of timings', () => {
  it('tells nothing apart that is the same, under two hundred seeds', () => {
    const results = Array.from({ length: 200 }, (_, seed) =>
      compare(answers(seed, 150), answers(seed + 1_000, 150)),
    );
    expect(results.filter(({ isToldApart }) => isToldApart)).toEqual([]);
  });

  it('notices one more millisecond on either side', () => {
    const [fast, slow] = [answers(1, 150), answers(2, 150, 1)];
    expect([compare(fast, slow).isToldApart, compare(slow, fast).isToldApart]).toEqual([true, true]);
  });

  it('is not misled by a few very late answers', () => {
    const [one, other] = [answers(1, 150), answers(2, 150)];
    expect(compare(one, [...other.slice(5), ...Array<number>(5).fill(5_000)]).isToldApart).toBe(false);
  });

  it('gives the medians', () => {
    expect(compare([1, 3, 2], [4, 1, 3, 2])).toMatchObject({ leftMs: 2, rightMs: 2.5, samples: 3 });
  });
});
