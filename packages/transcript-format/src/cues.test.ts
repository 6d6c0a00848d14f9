import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { displaySpans, normalizeCues, readingTime, subtitleTime } from './cues.ts';
import { arbitraryCues } from './test-support/arbitrary-cues.ts';
import { cue } from './test-support/cues.ts';

const textOf = (raw: string): string | undefined => normalizeCues([cue(0, 1000, raw)])[0]?.text;

describe('normalizeCues', () => {
  it.each([
    ['append rows', '\n'],
    ['empty texts', ''],
    ['zero width padding alone', '\u200b\ufeff\u200b'],
    ['white space alone', ' \t\u00a0\r\n '],
    ['controls alone', '\u0000\u001b'],
  ])('an empty cue never survives: %s', (_what, raw) => {
    expect(normalizeCues([cue(0, 1000, raw)])).toEqual([]);
  });

  it('zero width padding and control characters leave the text', () => {
    expect(textOf('\u200b \u200bHel\u0000lo\ufeff \u200b')).toBe('Hello');
  });

  it('joiners stay, because Persian and emoji need them', () => {
    expect(textOf('می\u200cخواهم 👩‍🚀')).toBe('می\u200cخواهم 👩‍🚀');
  });

  it('code points that are no characters leave the text: players drop a cue with them', () => {
    expect(textOf('a\ufdd0b\ufffec\u{10ffff}')).toBe('abc');
  });

  it.each(['\r', '\r\n', '\v', '\f', '\u001d', '\u2028', '\u2029', '\u0085', '\n\n', '\n \u200b\n'])(
    'every kind of line break %j becomes one line feed and leaves no blank line',
    (lineBreak) => {
      expect(textOf(`one${lineBreak}two${lineBreak}`)).toBe('one\ntwo');
    },
  );

  it('plain text is cleaned as it is beside anything else', () => {
    const unit = fc.oneof(
      fc.integer({ min: 0, max: 0x2fff }).map((code) => String.fromCharCode(code)),
      fc.constantFrom(...'ab’…é \n\u00a0\u00ad'),
    );
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        expect(textOf(text)).toBe(textOf(`${text}\n\u200b`));
      }),
    );
  });

  it('lone surrogates become well-formed text', () => {
    expect(textOf('a\ud800b')).toBe('a\ufffdb');
  });

  it('unsorted files are put in order and simultaneous cues keep theirs', () => {
    const cues = [cue(2000, 1, 'c'), cue(1000, 1, 'a'), cue(1000, 1, 'b')];
    expect(normalizeCues(cues).map(({ text }) => text)).toEqual(['a', 'b', 'c']);
  });

  it('real refrains are never merged or dropped', () => {
    const refrain = [cue(0, 1000, 'la la'), cue(1000, 1000, 'la la'), cue(1000, 1000, 'la la')];
    expect(normalizeCues(refrain)).toEqual(refrain);
  });

  it('times become whole milliseconds, never negative and never endless', () => {
    const odd = [cue(1999.6, 0.4, 'a'), cue(-5, -1, 'b'), cue(Number.NaN, Number.POSITIVE_INFINITY, 'c')];
    expect(normalizeCues(odd)).toEqual([cue(0, 0, 'b'), cue(0, 0, 'c'), cue(2000, 0, 'a')]);
  });

  it('any text becomes well-formed, visible lines, and normalizing twice changes nothing', () => {
    fc.assert(
      fc.property(arbitraryCues(400_000_000), (cues) => {
        const normalized = normalizeCues(cues);
        expect(normalizeCues(normalized)).toEqual(normalized);
        for (const { text } of normalized) {
          expect(text.isWellFormed()).toBe(true);
          expect(text).not.toMatch(/[[\p{Cc}\u200b\u2028\u2029\ufeff]--\n]/v);
          expect(text.split('\n').every((line) => line !== '' && line === line.trim())).toBe(true);
        }
      }),
    );
  });
});

describe('timestamps', () => {
  it.each([
    [0, '00:00'],
    [59, '00:59'],
    [3599, '59:59'],
    [3600, '1:00:00'],
    [360_061, '100:01:01'],
  ])('%d seconds read as %s', (seconds, expected) => {
    expect(readingTime(seconds)).toBe(expected);
  });

  it.each([
    [0, '00:00:00,000'],
    [2000, '00:00:02,000'],
    [3_599_999, '00:59:59,999'],
    [360_000_000, '100:00:00,000'],
  ])('%d ms are written as %s', (ms, expected) => {
    expect(subtitleTime(ms, ',')).toBe(expected);
  });
});

const times = (...cues: Parameters<typeof displaySpans>[0]) =>
  displaySpans(cues).map(({ startMs, endMs }) => [startMs, endMs]);

describe('displaySpans', () => {
  it('an overlapping cue ends when the next one starts', () => {
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

  it('captions that start together are one cue with their lines in order, for as long as one of them lasts', () => {
    const pair = [cue(0, 900, 'a\nb'), cue(0, 5000, 'c'), cue(2000, 1000, 'd')];
    expect(displaySpans(pair)).toEqual([
      { startMs: 0, endMs: 2000, text: 'a\nb\nc' },
      { startMs: 2000, endMs: 3000, text: 'd' },
    ]);
    // Within one picture is together, or the first is on no picture; later is another cue.
    expect(displaySpans([cue(0, 900, 'a'), cue(19, 900, 'b')])).toEqual([
      { startMs: 0, endMs: 919, text: 'a\nb' },
    ]);
    expect(times(cue(0, 900, 'a'), cue(20, 900, 'b'))).toEqual([
      [0, 20],
      [20, 920],
    ]);
  });

  it('a caption without a duration is seen, until the next one', () => {
    expect(times(cue(100, 0, 'a'))).toEqual([[100, 3100]]);
    expect(times(cue(100, 1, 'a'), cue(2000, 20, 'b'))).toEqual([
      [100, 2000],
      [2000, 2020],
    ]);
  });

  it('has all lines in order; no cue is too short to be seen, nor on screen with another', () => {
    fc.assert(
      fc.property(arbitraryCues(10_000), (cues) => {
        const normalized = normalizeCues(cues);
        const spans = displaySpans(normalized);
        const lines = (parts: readonly { readonly text: string }[]) => parts.map(({ text }) => text).join('\n');
        expect(lines(spans)).toBe(lines(normalized));
        for (const [at, { startMs, endMs }] of spans.entries()) {
          expect(endMs - startMs).toBeGreaterThanOrEqual(20);
          expect(endMs).toBeLessThanOrEqual(spans[at + 1]?.startMs ?? Number.POSITIVE_INFINITY);
        }
      }),
    );
  });
});
