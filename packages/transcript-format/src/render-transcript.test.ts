import { afterAll, describe, expect, it } from '@jest/globals';
import { type TranscriptFormat, transcriptFormats } from '@tds/contracts';
import { createStepCounter } from '@tds/jest';
import { contentTypes, fileExtensions } from './file-names.ts';
import { renderTranscript } from './render-transcript.ts';
import { cue, inputOf } from './test-support/cues.ts';

const steps = createStepCounter<{ readonly count: number; readonly format: TranscriptFormat }>(
  new URL('test-support/works.ts', import.meta.url),
);
afterAll(steps.stop);

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
    const few = await steps.count('speech', { count: 5_000, format });
    // In square time it would be sixteen times as many.
    expect(await steps.count('speech', { count: 20_000, format })).toBeLessThan(few * 6);
  });
});
