import { describe, expect, it } from '@jest/globals';
import { renderTranscript } from './render-transcript.ts';
import { cue, inputOf } from './test-support/cues.ts';

const song = inputOf(cue(0, 1000, 'one\ntwo'), cue(1000, 500, 'three'), cue(3_600_000, 1000, '[four] <&>'));

describe('clean', () => {
  it('passages are paragraphs with a blank line between them', () => {
    expect(renderTranscript(song, 'clean')).toBe('one two three\n\n[four] <&>');
  });

  it('titles of chapters stand on lines of their own, in their order, if words follow', () => {
    const chapters = [
      { start: 7_200, title: 'The end' },
      { start: 0, title: 'The\nstart' },
      { start: 900, title: 'Nothing \u202ehere' },
      { start: 3_600, title: 'Later' },
    ];
    expect(renderTranscript({ ...song, video: { ...song.video, chapters } }, 'clean')).toBe(
      'The start\n\none two three\n\nNothing here\n\nLater\n\n[four] <&>',
    );
  });

  it('a video without chapters has none', () => {
    const without = { ...song, video: { ...song.video, chapters: null } };
    expect(renderTranscript(without, 'clean')).toBe(renderTranscript(song, 'clean'));
  });
});

describe('timestamped', () => {
  it('every cue is one line behind [MM:SS], from one hour on [H:MM:SS]', () => {
    expect(renderTranscript(song, 'timestamped')).toBe('[00:00] one two\n[00:01] three\n[1:00:00] [four] <&>');
  });

  it('a timestamp is a second already reached, and rounding carries before it is taken', () => {
    const input = inputOf(cue(1999, 1, 'a'), cue(59_999.6, 1, 'b'));
    expect(renderTranscript(input, 'timestamped')).toBe('[00:01] a\n[01:00] b');
  });
});

describe('both', () => {
  it('the clean text stands before the timestamped section, each under its heading', () => {
    expect(renderTranscript(inputOf(cue(0, 1, 'a'), cue(1, 1, 'b')), 'both')).toBe(
      'TRANSCRIPT\n\na b\n\nTRANSCRIPT WITH TIMESTAMPS\n\n[00:00] a\n[00:00] b',
    );
  });
});
