import { describe, expect, it } from '@jest/globals';
import type { Cue } from '@tds/contracts';
import fc from 'fast-check';
import { displaySpans, normalizeCues } from './cues.ts';
import { mergeLayers } from './layers.ts';
import { renderTranscript } from './render-transcript.ts';
import { arbitraryCues } from './test-support/arbitrary-cues.ts';
import { cue, inputOf } from './test-support/cues.ts';
import { readVttAsPlayer, readVttStrictly } from './test-support/outside-readers.ts';

const vttOf = (...cues: Cue[]) => renderTranscript(inputOf(...cues), 'vtt');

describe('vtt', () => {
  it('a signature, then cues whose ends are clamped', () => {
    expect(vttOf(cue(0, 3600, 'a\nb'), cue(2320, 1000, 'c'))).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:02.320\na\nb\n\n00:00:02.320 --> 00:00:03.320\nc\n',
    );
  });

  it('two who speak at once are one cue with both lines, in order', () => {
    expect(vttOf(cue(1000, 2000, 'left person'), cue(1000, 2500, 'right person'))).toBe(
      'WEBVTT\n\n00:00:01.000 --> 00:00:03.500\nleft person\nright person\n',
    );
  });

  it('&, < and > are escaped, so that no tag, entity or arrow can appear', () => {
    expect(vttOf(cue(0, 1, '<i>a</i> --> &amp;'))).toContain('&lt;i&gt;a&lt;/i&gt; --&gt; &amp;amp;\n');
  });

  it('a transcript without cues is still a valid file', async () => {
    expect(readVttStrictly(vttOf())).toEqual({ errors: [], spans: [] });
    expect(await readVttAsPlayer(vttOf())).toEqual([]);
  });

  it('the W3C validator accepts every file and reads back the same times and the very same text', () => {
    fc.assert(
      fc.property(arbitraryCues(400_000_000), (cues) => {
        const spans = displaySpans(mergeLayers(normalizeCues(cues)));
        expect(readVttStrictly(vttOf(...cues))).toEqual({ errors: [], spans });
      }),
    );
  });

  it("a player's strict reader finds the same times and text", async () => {
    await fc.assert(
      // media-captions knows two digits of hours.
      fc.asyncProperty(arbitraryCues(350_000_000), async (cues) => {
        expect(await readVttAsPlayer(vttOf(...cues))).toEqual(displaySpans(mergeLayers(normalizeCues(cues))));
      }),
    );
  });
});
