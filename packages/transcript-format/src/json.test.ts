import { describe, expect, it } from '@jest/globals';
import { renderTranscript } from './render-transcript.ts';
import { cue, inputOf } from './test-support/cues.ts';

describe('json', () => {
  it('seconds are exact to the millisecond', () => {
    const file = renderTranscript(inputOf(cue(1540, 4160, 'a')), 'json');
    expect(file).toBe('[{"start":1.54,"duration":4.16,"text":"a"}]');
  });

  it('overlaps stay as the platform said them', () => {
    const input = inputOf(cue(0, 3600, 'a'), cue(2320, 3000, 'b'));
    expect(JSON.parse(renderTranscript(input, 'json'))).toEqual([
      { start: 0, duration: 3.6, text: 'a' },
      { start: 2.32, duration: 3, text: 'b' },
    ]);
  });
});
