import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { transcriptFormats } from '@tds/contracts';
import type { TranscriptInput } from './cues.ts';
import { CURRENT_RENDERER, type Renderer, renderTranscript } from './render-transcript.ts';
import { cue, inputOf } from './test-support/cues.ts';

const song = inputOf(
  cue(0, 1_000, 'one\ntwo'),
  cue(1_000, 500, '[three] <i>&</i>'),
  cue(1_000, 500, '[three] <i>&</i>'),
  cue(3_600_000, 1_000, '>> Ann: four. Five.'),
);

/** The start of the SHA-256 of each file. */
const digestsOf = (input: TranscriptInput, renderer: Renderer): string[] =>
  transcriptFormats.map((format) => {
    const file = renderTranscript(input, format, renderer);
    return `${format} ${createHash('sha256').update(file).digest('hex').slice(0, 16)}`;
  });

const FIRST = [
  'json ad167b63cc674808',
  'clean 1000e7ab8eb61333',
  'timestamped d7174b0ed1b77733',
  'both 3323df88940b6806',
  'srt 9ad32a88102d6672',
  'vtt 08cca01247e0f6c6',
  'md b834d1109a86d929',
];
const CURRENT = [
  'json d32458e4b19f5f19',
  'clean 8c2f3157fe7c1eb1',
  'timestamped 0bd803d66078878e',
  'both d9f4b62f1e7dac26',
  'srt a0408a0809942f9f',
  'vtt 5c6c14e739a9deac',
  'md c2258167cd5e638b',
];

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
    expect(digestsOf(song, 1)).toEqual(FIRST);
  });
});

describe('a file of the current renderer', () => {
  const chapters = [
    { start: 0, title: 'The *start*' },
    { start: 600, title: '日本語' },
  ];
  const speech = [
    'Everyone knows Mr. Smith from the U.S. office, e.g. by mail.',
    '>> He said “it works.” And it does! Why not?',
    'so we go on without any mark and nobody knows where it ends',
    '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ',
    'สวัสดีครับวันนี้เราจะมาพูดถึงเรื่องภาษาไทย',
    '[Music]',
  ];
  // Five minutes of each kind of speech, with pauses of several lengths.
  const cues = speech.flatMap((text, kind) =>
    Array.from({ length: 40 }, (_, at) => cue(kind * 300_000 + at * 7_000 + (at % 7) * 90, 6_400, text)),
  );
  const talk = inputOf(...cues, ...cues.slice(0, 3));

  it('has the bytes that were delivered, also with another Node: other bytes are another renderer', () => {
    const input = { ...talk, video: { ...talk.video, chapters } };
    expect(digestsOf(input, CURRENT_RENDERER)).toEqual(CURRENT);
    expect(digestsOf(input, 2)).toEqual(CURRENT);
  });

  it('of the second one keeps what it left in titles and captions', () => {
    const marked = inputOf(cue(0, 1_000, 'a\u202eb\u{e0041}c'));
    const titled = { ...marked, video: { ...marked.video, title: 'T\u{e0041}' } };
    expect(renderTranscript(titled, 'md', 2)).toMatch(/^# T\u{e0041}\n[\s\S]*a\u202eb\u{e0041}c\n$/u);
  });
});
