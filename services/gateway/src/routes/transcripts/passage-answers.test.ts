import { describe, expect, it } from '@jest/globals';
import { isFaultyForm, readPassageSize } from './passage-answers.ts';

const query = {
  ...{ format: undefined, words: false, raw: false, front_matter: false },
  ...{ passages: false, passage_characters: undefined },
};

describe('passages', () => {
  const json = { ...query, format: 'json' as const };

  it.each([
    [query, null],
    [json, null],
    [{ ...json, passages: true }, 700],
    [{ ...json, passages: true, passage_characters: 8_000 }, 8_000],
  ])('have the size that was asked for (%#)', (asked, size) => {
    expect(readPassageSize(asked)).toBe(size);
    expect(isFaultyForm(asked)).toBe(false);
  });

  it.each([
    [{ ...query, passages: true }, 'invalid_passages', 'format=json'],
    [{ ...query, format: 'srt' as const, passages: true }, 'invalid_passages', 'format=json'],
    [{ ...json, raw: true, passages: true }, 'invalid_passages', 'send no raw=1'],
    [{ ...json, passage_characters: 300 }, 'invalid_passage_characters', 'Send passages=true'],
  ])('are refused with what to do if something is missing (%#)', (asked, code, remedy) => {
    expect(() => readPassageSize(asked)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(remedy) }),
    );
    expect(isFaultyForm(asked)).toBe(true);
  });
});
