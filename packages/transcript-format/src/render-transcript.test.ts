import { describe, expect, it } from '@jest/globals';
import { transcriptFormats } from '@tds/contracts';
import { leastCpuMs } from '@tds/jest';
import { contentTypes, fileExtensions } from './file-names.ts';
import { renderTranscript } from './render-transcript.ts';
import { cue, inputOf } from './test-support/cues.ts';

const asr = inputOf(
  cue(2320, 3000, 'second'),
  cue(0, 3600, 'first'),
  cue(3600, 100, '\n'),
  cue(0, 50, '\u200b'),
);

describe('renderTranscript', () => {
  it.each(transcriptFormats)('an empty cue never appears and cues stand in order in %s', (format) => {
    const file = renderTranscript(asr, format);
    const withoutEmpty = { ...asr, cues: asr.cues.filter(({ text }) => text.length > 1) };
    expect(file).toBe(renderTranscript(withoutEmpty, format));
    expect(file.indexOf('first')).toBeLessThan(file.indexOf('second'));
  });

  it('every format has the content type of the specification and an extension', () => {
    const types = transcriptFormats.map((format) => `${fileExtensions[format]} ${contentTypes[format]}`);
    expect(types).toEqual([
      'json application/json; charset=utf-8',
      'txt text/plain; charset=utf-8',
      'txt text/plain; charset=utf-8',
      'txt text/plain; charset=utf-8',
      'srt application/x-subrip; charset=utf-8',
      'vtt text/vtt; charset=utf-8',
      'md text/markdown; charset=utf-8',
    ]);
  });

  it.each(transcriptFormats)('ten hours of speech are rendered in linear time as %s', async (format) => {
    const cues = Array.from({ length: 20_000 }, (_, index) =>
      cue(index * 1800, 3600, `words that someone says <${index}>\nand a second line & more`),
    );
    const measure = (count: number) => {
      const part = { ...asr, cues: cues.slice(0, count) };
      return leastCpuMs(() => renderTranscript(part, format), { runs: 5 });
    };
    const small = await measure(5_000);
    // Four times the cues; quadratic work would take sixteen times as long.
    expect(await measure(20_000)).toBeLessThan(small * 10 + 50);
  });
});
