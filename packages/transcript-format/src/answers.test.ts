import { describe, expect, it } from '@jest/globals';
import { answerSources } from '@tds/simulators/platform/answers';
import { normalizeCues } from './cues.ts';
import { renderTranscript } from './render-transcript.ts';
import { inputOf } from './test-support/cues.ts';
import { readJson3 } from './test-support/json3.ts';
import { readSubtitle, readVttStrictly } from './test-support/outside-readers.ts';

const MANUAL = 'captions/manual.json3';
const AUTOMATIC = 'captions/speech.json3';

describe.each(answerSources)('captions of the platform, $name', (answers) => {
  it("a manual track gives a peer's own SRT, but for its numbering and what is drawn for less than a picture", () => {
    const rendered = renderTranscript(inputOf(...readJson3(answers.body(MANUAL))), 'srt');
    const peer = readSubtitle(answers.body('captions/manual'));
    expect(peer).toHaveLength(answers.reading(MANUAL).cues.length);
    // The last cue of the recorded track is on screen for less than a picture: here it stays to be read.
    const isDrawn = ({ startMs, endMs }: { startMs: number; endMs: number }) => endMs - startMs >= 20;
    const own = readSubtitle(rendered);
    expect(own.map(({ text }) => text)).toEqual(peer.map(({ text }) => text));
    expect(own.filter((_, index) => isDrawn(peer[index]!))).toEqual(peer.filter(isDrawn));
    expect(own.every(isDrawn)).toBe(true);
    expect(rendered).toMatch(/^1\n/);
  });

  it('an automatic track loses its window and append rows, and no word', () => {
    const wordsOf = (cues: readonly { text: string }[]) => cues.flatMap(({ text }) => text.split(/\s+/));
    const cues = normalizeCues(readJson3(answers.body(AUTOMATIC)));
    const others = answers.reading(AUTOMATIC).cues;
    expect(cues).toHaveLength(others.length);
    expect(wordsOf(cues)).toEqual(wordsOf(others));
  });

  it('an automatic track overlaps nowhere in a player', () => {
    const cues = readJson3(answers.body(AUTOMATIC));
    const { errors, spans } = readVttStrictly(renderTranscript(inputOf(...cues), 'vtt'));
    expect(errors).toEqual([]);
    expect(spans.slice(1).every(({ startMs }, index) => spans[index]!.endMs <= startMs)).toBe(true);
  });
});
