import { describe, expect, it } from '@jest/globals';
import type { Passage } from '@tds/transcript-format';
import { toIndexPages } from './index-pages.ts';
import { NEXT_WEIGHT } from './library-words.ts';

const passage = (startMs: number, text: string, fields: Partial<Passage> = {}): Passage => {
  return { startMs, endMs: startMs + 5_000, text, captions: [[0, startMs]], chapters: [], ...fields };
};
/** Words that the first passage has of the second one. */
const continuation = (second: Passage): string[] => {
  const [page = []] = toIndexPages([passage(0, 'vivo aquí'), second]);
  const tokens = page[0]?.tokens ?? [];
  return tokens.filter(({ weight }) => weight === NEXT_WEIGHT).map(({ word }) => word);
};

describe('a sentence goes on in the next passage', () => {
  it('if nothing stands between them', () =>
    expect(continuation(passage(6_000, 'las luces'))).toEqual(['las', 'luces']));
  it('and not over a long silence', () => expect(continuation(passage(125_000, 'las luces'))).toEqual([]));
  it('and not into a chapter', () =>
    expect(continuation(passage(6_000, 'las luces', { chapters: ['Luces'] }))).toEqual([]));
});
