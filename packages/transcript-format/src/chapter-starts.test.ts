import { describe, expect, it } from '@jest/globals';
import type { Cue } from '@tds/contracts';
import { toPassages } from './passages.ts';
import { cue } from './test-support/cues.ts';

/** Captions of two seconds, one after the other. */
const said = (...texts: string[]): Cue[] => texts.map((text, index) => cue(index * 2_000, 2_000, text));

describe('a chapter begins', () => {
  const begun = (cues: readonly Cue[], ...starts: number[]) => {
    const chapters = starts.map((start) => ({ start, title: `at ${start}` }));
    return toPassages(cues, { chapters, language: 'en' }).map((passage) => [
      passage.chapters.join(),
      passage.text,
    ]);
  };

  it('with the end of a sentence that is nearest to the second of a chapter, within three seconds', () => {
    const cues = said(
      'One.',
      'Two. And this',
      'goes on. Three',
      'is said.',
      'Four',
      'goes on',
      'and on',
      'and ends.',
    );
    expect(begun(cues, 0, 4)).toEqual([
      ['at 0', 'One. Two. And this goes on.'],
      ['at 4', 'Three is said. Four goes on and on and ends.'],
    ]);
    expect(begun(cues, 0, 7)).toEqual([
      ['at 0', 'One. Two. And this goes on. Three is said.'],
      ['at 7', 'Four goes on and on and ends.'],
    ]);
  });

  it('between two clauses at a chapter if there are no marks, and else with its first caption', () => {
    const cues = said('we look', 'at the', 'size of', 'the house', 'now', 'we go', 'on to', 'the garden');
    expect(begun(cues, 5)).toEqual([
      ['', 'we look at the size of the house'],
      ['at 5', 'now we go on to the garden'],
    ]);
    const unlisted = toPassages(cues, { chapters: [{ start: 5, title: 'x' }], language: 'xx' });
    expect(unlisted.map(({ text }) => text)).toEqual([
      'we look at the size of',
      'the house now we go on to the garden',
    ]);
  });

  it('with each chapter once, and a chapter behind the last words has none', () => {
    const cues = [...said('One.', '[Music]', 'Two.'), cue(40_000, 1_000, 'Three.')];
    expect(begun(cues, 0, 1, 3.5, 20, 39, 41, 50)).toEqual([
      ['at 0,at 1', 'One.'],
      ['', '[Music]'],
      ['at 3.5', 'Two.'],
      ['at 20,at 39', 'Three.'],
    ]);
  });
});
