import { describe, expect, it } from '@jest/globals';
import { transcriptFormats } from '@tds/contracts';
import fc from 'fast-check';
import { normalizeCues } from './cues.ts';
import { mergeLayers } from './layers.ts';
import { renderTranscript } from './render-transcript.ts';
import { arbitraryCues } from './test-support/arbitrary-cues.ts';
import { cue, inputOf } from './test-support/cues.ts';

const LINE = 'the same line on screen';

describe('layers of a style', () => {
  it.each(transcriptFormats)('a line that is drawn sixteen times at once stands once in %s', (format) => {
    const layers = Array.from({ length: 16 }, () => cue(1_000, 2_000, LINE));
    const file = renderTranscript(inputOf(cue(0, 900, 'before'), ...layers), format);
    // `both` has two parts.
    expect(file.split(LINE)).toHaveLength(format === 'both' ? 3 : 2);
  });

  it('between other lines of the same time are found, too', () => {
    const cues = [cue(0, 900, 'a'), cue(0, 900, 'b'), cue(0, 900, 'a'), cue(0, 900, 'b')];
    expect(mergeLayers(cues)).toEqual([cue(0, 900, 'a'), cue(0, 900, 'b')]);
  });

  it('that are drawn frame by frame are one cue from the first frame to the end of the last', () => {
    const frames = Array.from({ length: 40 }, (_, frame) => cue(frame * 50, 50, LINE));
    expect(mergeLayers(frames)).toEqual([cue(0, 2_000, LINE)]);
  });

  it('that begin and end at slightly other times are one cue', () => {
    expect(mergeLayers([cue(0, 2_000, LINE), cue(120, 2_500, LINE)])).toEqual([cue(0, 2_620, LINE)]);
  });
});

describe('a text that is said again', () => {
  it.each([
    ['after the first has gone', [cue(0, 1_000, 'la la'), cue(1_000, 1_000, 'la la')]],
    ['while recognised speech still shows the first', [cue(0, 3_600, 'yeah'), cue(800, 3_000, 'yeah')]],
    ['as captions of one word each have it', [cue(0, 250, 'no'), cue(250, 250, 'no'), cue(500, 250, 'no')]],
  ])('stays: %s', (_when, cues) => {
    expect(mergeLayers(cues)).toEqual(cues);
  });
});

it('merging keeps every text, and merging twice changes nothing', () => {
  fc.assert(
    fc.property(arbitraryCues(2_000), (cues) => {
      const normalized = normalizeCues(cues);
      const merged = mergeLayers(normalized);
      expect(mergeLayers(merged)).toEqual(merged);
      expect(new Set(merged.map(({ text }) => text))).toEqual(new Set(normalized.map(({ text }) => text)));
      expect(merged).toEqual(normalizeCues(merged));
    }),
  );
});
