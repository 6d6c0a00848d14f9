import { describe, expect, it } from '@jest/globals';
import { leastCpuMs } from '@tds/jest';
import { attachmentFileName, contentDisposition, publishedDay, safeFileTitle } from './file-names.ts';
import { renderTranscript } from './render-transcript.ts';
import { cue, inputOf } from './test-support/cues.ts';

const SMALL = 40_000;
const TIMES = 8;
/** Eight times the text takes eight times as long; in square time it would take 64 times. */
const MAX_TIMES = 28;
/** Below that a measurement is noise, in milliseconds. */
const MIN_CPU = 3;

const file = (format: 'srt' | 'vtt' | 'md') => (text: string) =>
  renderTranscript(inputOf(cue(0, 1_000, text)), format);
const named = (title: string) =>
  attachmentFileName({ id: 'abcdefghij0', title, published_at: null }, { language: title, format: 'srt' });

describe('texts of strangers take time in proportion to their length', () => {
  it.each<[string, (text: string) => unknown, string]>([
    ['lines that end in blanks', file('srt'), 'a  \n'],
    ['a line of blanks before a last invisible one', file('srt'), 'a \u00a0'],
    ['open tags', file('srt'), '</a <'],
    ['open overrides', file('srt'), '{\\ {y'],
    ['arrows', file('srt'), '-->--'],
    ['entities', file('vtt'), '&<>'],
    ['Markdown', file('md'), 'www.:/[`'],
    ['line breaks', file('srt'), '\r\n\v\u2028'],
    ['what is no character', file('srt'), '\ufdd0\u200b'],
    ['a title of dots', safeFileTitle, '. .'],
    ['a title of joiners', named, '\u200d.'],
    ['a name of accents', contentDisposition, 'e\u0301"%'],
    ['a date of digits', publishedDay, 'T1:.'],
  ])('%s', async (_what, read, unit) => {
    const text = (length: number) => unit.repeat(Math.ceil(length / unit.length));
    const [small, large] = [text(SMALL), text(SMALL * TIMES)];
    read(small);
    const baseline = Math.max(MIN_CPU, await leastCpuMs(() => read(small)));
    expect(await leastCpuMs(() => read(large))).toBeLessThan(baseline * MAX_TIMES);
  });
});
