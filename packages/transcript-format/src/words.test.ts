import { describe, expect, it } from '@jest/globals';
import type { Cue } from '@tds/contracts';
import fc from 'fast-check';
import { normalizeCues } from './cues.ts';
import { renderTranscript } from './render-transcript.ts';
import { inputOf } from './test-support/cues.ts';

const FORMATS = ['json', 'clean', 'timestamped', 'both', 'srt', 'vtt', 'md'] as const;
const spoken = (startMs: number, ...words: readonly string[]): Cue => ({
  startMs,
  durationMs: 1_000,
  text: words.join(''),
  words: words.map((text, at) => ({ startMs: startMs + at * 100, text })),
});
const rendered = (...cues: Cue[]) => JSON.parse(renderTranscript(inputOf(...cues), 'words'));
const withoutSpace = (text: string) => text.replaceAll(/\s/g, '');

describe('words with times', () => {
  it('stand in json beside the text of their cue, in seconds', () => {
    expect(
      rendered(spoken(1_500, 'hello', ' there'), { startMs: 3_000, durationMs: 500, text: 'written' }),
    ).toEqual([
      {
        ...{ start: 1.5, duration: 1, text: 'hello there' },
        words: [
          { start: 1.5, text: 'hello' },
          { start: 1.6, text: 'there' },
        ],
      },
      { start: 3, duration: 0.5, text: 'written', words: null },
    ]);
  });

  it('change no byte of any other format', () => {
    const cues = [spoken(0, 'hello', ' there', '\n'), spoken(2_500, '日本', '語')];
    const plain = cues.map(({ words: _, ...cue }) => cue);
    for (const format of FORMATS)
      expect(renderTranscript(inputOf(...cues), format)).toBe(renderTranscript(inputOf(...plain), format));
  });

  it('are left out for a cue whose text they do not make up', () => {
    const odd = { ...spoken(0, 'hello'), text: 'good bye' };
    expect(rendered(odd)).toMatchObject([{ text: 'good bye', words: null }]);
    // Halves of one character.
    expect(rendered(spoken(0, '\ud83d', '\ude00'))).toMatchObject([{ text: '\u{1F600}', words: null }]);
  });

  it('make up the text of their cue, white space apart, whatever a stranger wrote', () => {
    const parts = fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(parts, (words) => {
        for (const { text, words: kept } of normalizeCues([spoken(0, ...words)])) {
          if (kept === undefined) continue;
          expect(withoutSpace(kept.map((word) => word.text).join(''))).toBe(withoutSpace(text));
          for (const word of kept) expect(word.text).toBe(word.text.trim());
        }
      }),
    );
    const letters = fc.array(fc.stringMatching(/^ ?[a-zà-ÿ一-龠あ-ん]{1,8}$/), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(letters, (words) => {
        const [cue] = normalizeCues([spoken(0, ...words)]);
        expect(cue?.words).toHaveLength(words.length);
      }),
    );
  });
});
