import type { Cue } from '@tds/contracts';
import fc from 'fast-check';

const hazards = [
  '-->',
  '--->',
  '00:00:01,000 --> 00:00:02,000',
  '\n',
  '\n\n',
  '\r',
  '\r\n',
  ' \t ',
  '\u2028',
  '\u2029',
  '\u0085',
  '\u000b',
  '\u200b',
  '\ufeff',
  '\u0000',
  '\u001b',
  '\ud800',
  '\udc00',
  '<',
  '>',
  '<i>',
  '</i>',
  '<v Bob>',
  '<00:00:01.000>',
  '&',
  '&amp;',
  '&lt;',
  '&#39;',
  '1',
  '42\n',
  'STYLE',
  'WEBVTT',
  '👩‍🚀',
  'שלום',
];

/** Any text that a platform could send: all of Unicode, mixed with what has broken subtitle files before. */
export const arbitraryText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...hazards),
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.string({ maxLength: 8 }),
    ),
    {
      maxLength: 8,
    },
  )
  .map((pieces) => pieces.join(''));

const arbitraryMs = (maxMs: number) =>
  fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: maxMs }), fc.double({ min: 0, max: maxMs, noNaN: true }));

/** Unsorted, overlapping, simultaneous and empty cues that start before `maxStartMs`. */
export const arbitraryCues = (maxStartMs: number): fc.Arbitrary<Cue[]> =>
  fc.array(
    fc.record({ startMs: arbitraryMs(maxStartMs), durationMs: arbitraryMs(60_000), text: arbitraryText }),
    { maxLength: 12 },
  );
