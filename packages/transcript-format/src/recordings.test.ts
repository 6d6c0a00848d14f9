import { describe, expect, it } from '@jest/globals';
import { normalizeCues } from './normalize-cues.ts';
import { renderTranscript } from './render-transcript.ts';
import { inputOf } from './test-support/cues.ts';
import { readSubtitle, readVttStrictly } from './test-support/outside-readers.ts';
import { readJson3, readRecording, recordingsAreThere } from './test-support/recordings.ts';

const whereRecorded = recordingsAreThere ? describe : describe.skip;

whereRecorded('recorded captions', () => {
  it("a manual track gives a peer's own SRT, but for its numbering from 0", () => {
    const rendered = renderTranscript(inputOf(...readJson3('y2bcaptions-manual.json3.json')), 'srt');
    const peer = readSubtitle(readRecording('y2bcaptions-manual.expected.srt'));
    expect(peer).toHaveLength(151);
    expect(readSubtitle(rendered)).toEqual(peer);
    expect(rendered).toMatch(/^1\n/);
  });

  it('an automatic track loses its window and append rows, and no word', () => {
    const cues = normalizeCues(readJson3('vido-asr-short.json3.json'));
    expect(cues).toHaveLength(52);
    expect(cues.flatMap(({ text }) => text.split(/\s+/))).toHaveLength(291);
  });

  it('an automatic track overlaps nowhere in a player', () => {
    const cues = readJson3('vido-asr-short.json3.json');
    const { errors, spans } = readVttStrictly(renderTranscript(inputOf(...cues), 'vtt'));
    expect(errors).toEqual([]);
    expect(spans.slice(1).every(({ startMs }, index) => spans[index]!.endMs <= startMs)).toBe(true);
  });
});
