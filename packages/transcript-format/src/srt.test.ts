import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { displaySpans, normalizeCues } from './cues.ts';
import { mergeLayers } from './layers.ts';
import { renderTranscript } from './render-transcript.ts';
import { arbitraryCues } from './test-support/arbitrary-cues.ts';
import { cue, inputOf } from './test-support/cues.ts';
import {
  convertToVtt,
  readSrtAsPlayer,
  readSrtParser2,
  readSubtitle,
  readVttAsPlayer,
} from './test-support/outside-readers.ts';
import { srtText } from './timed-text.ts';

const srtOf = (...cues: Parameters<typeof inputOf>) => renderTranscript(inputOf(...cues), 'srt');

describe('srt', () => {
  it('numbers start from 1, ends are clamped and a blank line parts the cues', () => {
    expect(srtOf(cue(0, 3600, 'a\nb'), cue(2320, 1000, 'c'))).toBe(
      '1\n00:00:00,000 --> 00:00:02,320\na\nb\n\n2\n00:00:02,320 --> 00:00:03,320\nc\n',
    );
  });

  it('rounding carries into the second', () => {
    expect(srtOf(cue(1999.6, 1000, 'a'))).toContain('00:00:02,000 --> 00:00:03,000');
  });

  it('two who speak at once are one cue with both lines, in order', () => {
    expect(
      srtOf(cue(1000, 2000, 'left person'), cue(1000, 2500, 'right person'), cue(3000, 1000, 'both')),
    ).toBe(
      '1\n00:00:01,000 --> 00:00:03,000\nleft person\nright person\n\n2\n00:00:03,000 --> 00:00:04,000\nboth\n',
    );
  });

  it('hours go beyond 99', () => {
    expect(srtOf(cue(360_000_000, 1000, 'a'))).toContain('100:00:00,000 --> 100:00:01,000');
  });

  it('a blank line inside a cue cannot end it', () => {
    expect(readSubtitle(srtOf(cue(0, 1000, 'a\n\nb\r\n\r\nc'))).map(({ text }) => text)).toEqual(['a\nb\nc']);
  });

  it.each([
    ['a --> b', 'a → b'],
    ['---->', '--→'],
    ['vector<int> and </b>', 'vector‹int> and ‹/b>'],
    // Players of the web take each one for a tag up to the end of the cue.
    ['I <3 you, x << 2, 1 < 2', 'I ‹3 you, x ‹‹ 2, 1 ‹ 2'],
    ['<_x_> <> </> a <\n- >', '‹_x_> ‹> ‹/> a ‹\n- >'],
    ['{\\an8}top {y:i}z {=0} let {a,\nb}', '❴\\an8❵top ❴y:i❵z ❴=0❵ let ❴a,\nb❵'],
    // Converters take one alone for the begin of what is not shown.
    ['} { x: {1} } {\\an8', '❵ ❴ x: ❴1❵ ❵ ❴\\an8'],
    ['C:\\new\\Nice\\home', 'C:\\\u2060new\\\u2060Nice\\\u2060home'],
    ['\\alpha \\{ \\x', '\\alpha \\❴ \\x'],
    ['&lt;b&gt; &#38; &#x26 ?a=1&copy=2', '&\u2060lt;b&\u2060gt; &\u2060#38; &\u2060#x26 ?a=1&\u2060copy=2'],
    ['c > d, >> ANNA, AT&T, Q&A, a & b; ?a=1&page=2', 'c > d, >> ANNA, AT&T, Q&A, a & b; ?a=1&page=2'],
  ])('what a player takes for structure is shown by a look-alike, all else stays: %j', (text, expected) => {
    expect(srtText(text)).toBe(expected);
  });

  it('a player of the web, and what a converter makes of a file, show each sign that was said', async () => {
    const said = [
      ...['I <3 you', 'x < y && y > 2', '<b>bold</b>', 'a <- b', '>> ANNA', '{\\an8}top', 'open { only'],
      ...['AT&T &lt;b&gt; &amp; &nbsp; &#38; ?a=1&copy=2 &notit', 'C:\\new', 'f(x) = {x : x<0}', 'vector<int>'],
    ];
    const file = srtOf(...said.map((text, at) => cue(at * 1000, 1000, text)));
    const toSigns = (text: string) =>
      text.replaceAll('\u2060', '').replaceAll('‹', '<').replaceAll('❴', '{').replaceAll('❵', '}');
    expect((await readSrtAsPlayer(file)).map(toSigns)).toEqual(said);
    expect((await readVttAsPlayer(convertToVtt(file))).map(({ text }) => toSigns(text))).toEqual(said);
  });

  it('two outside readers find the same count, times and text, whatever the text', () => {
    fc.assert(
      // srt-parser-2 knows two digits of hours.
      fc.property(arbitraryCues(350_000_000), (cues) => {
        const file = srtOf(...cues);
        const spans = displaySpans(mergeLayers(normalizeCues(cues))).map((span) => ({
          ...span,
          text: srtText(span.text),
        }));
        expect(readSrtParser2(file)).toEqual(spans.map((span, index) => ({ number: index + 1, ...span })));
        expect(readSubtitle(file)).toEqual(spans);
      }),
    );
  });

  it('a reader without a limit finds the same beyond 100 hours', () => {
    fc.assert(
      fc.property(arbitraryCues(4_000_000_000), (cues) => {
        const read = readSubtitle(srtOf(...cues)).map(({ startMs, endMs }) => ({ startMs, endMs }));
        const spans = displaySpans(mergeLayers(normalizeCues(cues))).map(({ startMs, endMs }) => ({
          startMs,
          endMs,
        }));
        expect(read).toEqual(spans);
      }),
    );
  });

  it('the arrow stands on timing lines only, and no tag is left', () => {
    fc.assert(
      fc.property(arbitraryCues(1_000_000), (cues) => {
        const file = srtOf(...cues);
        expect(file.split('-->').length - 1).toBe(displaySpans(mergeLayers(normalizeCues(cues))).length);
        expect(file).not.toMatch(/[<{}]/);
      }),
    );
  });
});
