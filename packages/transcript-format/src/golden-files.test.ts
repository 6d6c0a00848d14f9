import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { transcriptFormats } from '@tds/contracts';
import type { TranscriptInput } from './cues.ts';
import { renderTranscript } from './render-transcript.ts';
import { cue, inputOf } from './test-support/cues.ts';

/** The start of the SHA-256 of each file. */
const digestsOf = (input: TranscriptInput): string[] =>
  transcriptFormats.map((format) => {
    const file = renderTranscript(input, format);
    return `${format} ${createHash('sha256').update(file).digest('hex').slice(0, 16)}`;
  });

const DIGESTS = [
  'json d32458e4b19f5f19',
  'clean 0472fdfa47080aa6',
  'timestamped 0bd803d66078878e',
  'both 48e834c9cc559ba8',
  'srt a0408a0809942f9f',
  'vtt 5c6c14e739a9deac',
  'md ab085754ee584985',
];

describe('a rendered file', () => {
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
    expect(digestsOf(input)).toEqual(DIGESTS);
  });
});
