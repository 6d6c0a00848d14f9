import { describe, expect, it } from '@jest/globals';
import { renderTranscript } from './render-transcript.ts';
import { cue, inputOf } from './test-support/cues.ts';

const song = inputOf(cue(0, 1000, 'one\ntwo'), cue(1000, 500, 'three'), cue(3_600_000, 1000, '[four] <&>'));

describe('clean', () => {
  it('fragments are joined by spaces, and a pause of two seconds opens a paragraph', () => {
    expect(renderTranscript(song, 'clean')).toBe('one two three\n\n[four] <&>');
  });

  it('a shorter pause, or one that another cue covers, opens none', () => {
    const input = inputOf(cue(0, 9000, 'a'), cue(1000, 100, 'b'), cue(10_999, 100, 'c'));
    expect(renderTranscript(input, 'clean')).toBe('a b c');
  });

  it('a late first cue does not begin with a blank line', () => {
    expect(renderTranscript(inputOf(cue(60_000, 1, 'a')), 'clean')).toBe('a');
  });
});

describe('timestamped', () => {
  it('every cue is one line behind [MM:SS], from one hour on [H:MM:SS]', () => {
    expect(renderTranscript(song, 'timestamped')).toBe(
      '[00:00] one two\n[00:01] three\n[1:00:00] [four] <&>',
    );
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
