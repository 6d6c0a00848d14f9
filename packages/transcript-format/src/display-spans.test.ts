import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { displaySpans } from './display-spans.ts';
import { normalizeCues } from './normalize-cues.ts';
import { arbitraryCues } from './test-support/arbitrary-cues.ts';
import { cue } from './test-support/cues.ts';

const times = (...cues: Parameters<typeof displaySpans>[0]) =>
  displaySpans(cues).map(({ startMs, endMs }) => [startMs, endMs]);

describe('displaySpans', () => {
  it('an overlapping cue ends where the next one starts', () => {
    expect(times(cue(0, 3600, 'a'), cue(2320, 3000, 'b'))).toEqual([
      [0, 2320],
      [2320, 5320],
    ]);
  });

  it('a pause between cues stays', () => {
    expect(times(cue(0, 1000, 'a'), cue(5000, 1000, 'b'))).toEqual([
      [0, 1000],
      [5000, 6000],
    ]);
  });

  it('cues that start together share the time until the next later start', () => {
    expect(times(cue(0, 900, 'a'), cue(0, 5000, 'b'), cue(2000, 1000, 'c'))).toEqual([
      [0, 900],
      [0, 2000],
      [2000, 3000],
    ]);
  });

  it('a cue without duration still has a length', () => {
    expect(times(cue(100, 0, 'a'))).toEqual([[100, 101]]);
  });

  it('no cue ends before or at its start, nor after the next later start', () => {
    fc.assert(
      fc.property(arbitraryCues(10_000), (cues) => {
        const spans = displaySpans(normalizeCues(cues));
        for (const { startMs, endMs } of spans) {
          const later = spans.map((span) => span.startMs).filter((start) => start > startMs);
          expect(endMs).toBeGreaterThan(startMs);
          expect(endMs).toBeLessThanOrEqual(Math.min(...later, Number.POSITIVE_INFINITY));
        }
      }),
    );
  });
});
