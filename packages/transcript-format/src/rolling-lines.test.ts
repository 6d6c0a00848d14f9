import { describe, expect, it } from '@jest/globals';
import { renderTranscript } from './render-transcript.ts';
import { withoutRolledLines } from './rolling-lines.ts';
import { cue, inputOf } from './test-support/cues.ts';

const LINES = ['THE RIVER RISES', 'IN SPRING,', 'OUR NEIGHBOURS', 'CARRY CHAIRS', 'TO THE MILL.'];
const rolling = (height: number) =>
  LINES.map((_, at) => cue(at * 2_000, 2_000, LINES.slice(Math.max(0, at + 1 - height), at + 1).join('\n')));

describe('captions that roll', () => {
  it.each([2, 3])('of %i lines have each line once in running text, and stay in subtitles', (height) => {
    const cues = rolling(height);
    expect(withoutRolledLines(cues).map(({ text }) => text)).toEqual(LINES);
    const input = inputOf(...cues);
    for (const format of ['clean', 'md'] as const)
      expect(renderTranscript(input, format)).toContain(LINES.join(' '));
    expect(renderTranscript(input, 'srt')).toContain('THE RIVER RISES\nIN SPRING,');
  });

  it('and stand alone between have each line once', () => {
    const cues = LINES.flatMap((line, at) => [
      cue(at * 2_000, 1_900, at === 0 ? line : `${LINES[at - 1]}\n${line}`),
      cue(at * 2_000 + 1_900, 100, line),
    ]);
    expect(withoutRolledLines(cues).map(({ text }) => text)).toEqual(LINES);
  });
});

describe('what was said before', () => {
  it.each([
    ['in captions of one line', ['No.', 'No.', 'No.', 'Yes.']],
    ['in two captions of a dialogue', ['- Yes.\n- No.', '- No.\n- Why?', '- So.\n- Well.', 'Bye.']],
    [
      'in fewer than half of the captions',
      ['a\nb', 'b\nc', 'c\nd', 'd\ne', 'x\ny', 'z\nq', 'r\ns', 't\nu', 'v\nw'],
    ],
  ])('stays: %s', (_where, texts) => {
    const cues = texts.map((text, at) => cue(at * 1_000, 1_000, text));
    expect(withoutRolledLines(cues)).toEqual(cues);
  });
});
