import { describe, expect, it } from '@jest/globals';
import { bounds } from './config/bounds.ts';
import { parseAnswer } from './parse-answer.ts';

const many = bounds.answerMarks;

describe('an answer of the platform', () => {
  it.each([
    ['lists within lists', '['.repeat(many + 1) + ']'.repeat(many + 1)],
    ['empty objects', `[${'{},'.repeat(many)}{}]`],
    ['fields', `{${Array.from({ length: many / 2 + 1 }, (_, n) => `"k${n}":1`).join(',')}}`],
    ['what is no JSON at all', '['.repeat(2 * many)],
  ])('is refused before its parser begins where it has too many of them: %s', (_, body) => {
    expect(() => parseAnswer(body)).toThrow('too_dense');
  });

  it('may have one long text', () => {
    expect(parseAnswer(`["${'words '.repeat(many)}"]`)).toHaveLength(1);
  });

  it('that is no JSON is its parser’s error', () => {
    expect(() => parseAnswer('{"a":')).toThrow(SyntaxError);
  });
});
