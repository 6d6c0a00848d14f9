import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { transcriptFormats } from '@tds/contracts';
import { renderTranscript } from './render-transcript.ts';
import { cue, inputOf } from './test-support/cues.ts';

const song = inputOf(
  cue(0, 1_000, 'one\ntwo'),
  cue(1_000, 500, '[three] <i>&</i>'),
  cue(1_000, 500, '[three] <i>&</i>'),
  cue(3_600_000, 1_000, '>> Ann: four. Five.'),
);

describe('a file of the first renderer', () => {
  it('clean joins captions, with a paragraph after two seconds of silence', () => {
    expect(renderTranscript(song, 'clean', 1)).toBe(
      'one two [three] <i>&</i> [three] <i>&</i>\n\n>> Ann: four. Five.',
    );
  });

  it('md lists the captions', () => {
    expect(renderTranscript(song, 'md', 1)).toBe(
      [
        '# Title',
        '',
        '- Video: GJLlxj\\_dtq8',
        '- Channel: Channel (UCTwECeGqMZee77BjdoYtI2Q)',
        '- Published: 2024-05-01',
        '- Duration: 1:02:03',
        '- Language: en',
        '- Captions: automatic (asr)',
        '',
        '## Transcript',
        '',
        '- **[00:00]** one two',
        '- **[00:01]** \\[three\\] \\<i\\>\\&\\</i\\>',
        '- **[00:01]** \\[three\\] \\<i\\>\\&\\</i\\>',
        '- **[1:00:00]** \\>\\> Ann: four. Five.',
        '',
      ].join('\n'),
    );
  });

  it('has the bytes that were delivered, in every format', () => {
    const digests = transcriptFormats.map((format) => {
      const file = renderTranscript(song, format, 1);
      return `${format} ${createHash('sha256').update(file).digest('hex').slice(0, 16)}`;
    });
    expect(digests).toEqual([
      'json ad167b63cc674808',
      'clean 1000e7ab8eb61333',
      'timestamped d7174b0ed1b77733',
      'both 3323df88940b6806',
      'srt 9ad32a88102d6672',
      'vtt 08cca01247e0f6c6',
      'md b834d1109a86d929',
    ]);
  });
});
