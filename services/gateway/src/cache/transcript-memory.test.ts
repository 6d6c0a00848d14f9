import { describe, expect, it } from '@jest/globals';
import { transcriptFormats } from '@tds/contracts';
import { transcriptBody } from '@tds/http-api';
import { renderTranscript } from '@tds/transcript-format';
import fc from 'fast-check';
import { newTranscript } from '../test-support/builders.ts';
import { TranscriptEntry } from './transcript-memory.ts';

const cue = fc.record({
  startMs: fc.nat(1_000_000),
  durationMs: fc.nat(60_000),
  text: fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
});

describe('a transcript in memory', () => {
  it('is wrapped as if its content had been serialized, whatever it contains', () => {
    fc.assert(
      fc.property(fc.array(cue, { maxLength: 5 }), fc.constantFrom(...transcriptFormats), (cues, format) => {
        const delivered = newTranscript('', { format });
        const input = { video: delivered.video, language: delivered.language, cues } as never;
        const entry = new TranscriptEntry(delivered, Buffer.from(renderTranscript(input, format)));
        const body: unknown = JSON.parse(entry.wrapped.toString());
        const raw = entry.raw.toString();
        const content = format === 'json' ? { cues: JSON.parse(raw) } : { text: raw };
        expect(transcriptBody.parse(body)).toEqual({
          ok: true,
          video: delivered.video,
          format,
          language: delivered.language,
          fetched_at: delivered.fetchedAt,
          ...content,
        });
      }),
    );
  });

  it('has a file name without line ends, whatever the title', () => {
    const delivered = newTranscript('');
    const video = { ...delivered.video, title: 'A "title"\r\nSet-Cookie: of \u{1F600}' };
    const { disposition } = new TranscriptEntry({ ...delivered, video }, Buffer.from(''));
    expect(disposition).toMatch(/^attachment; [\x20-\x7e]+$/);
  });
});
