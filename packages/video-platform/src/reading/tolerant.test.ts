import { describe, expect, it } from '@jest/globals';
import { bounds } from '../config/limits.ts';
import { captionText, parseAnswer, plainLine } from './tolerant.ts';

const many = bounds.answerMarks;

describe('an answer of the platform', () => {
  it.each([
    ['lists within lists', '['.repeat(many + 1) + ']'.repeat(many + 1)],
    ['empty objects', `[${'{},'.repeat(many)}{}]`],
    ['fields', `{${Array.from({ length: many / 2 + 1 }, (_, n) => `"k${n}":1`).join(',')}}`],
    ['what is no JSON at all', '['.repeat(2 * many)],
  ])('is rejected before it is parsed if it has too many of them: %s', (_, body) => {
    expect(() => parseAnswer(body)).toThrow('too_dense');
  });

  it('may have one long text', () => {
    expect(parseAnswer(`["${'words '.repeat(many)}"]`)).toHaveLength(1);
  });

  it('may come after a byte order mark and blanks', () => {
    expect(parseAnswer('\ufeff\n {"a":1}')).toEqual({ a: 1 });
  });

  it('that is no JSON throws the error of the parser', () => {
    expect(() => parseAnswer('{"a":')).toThrow(SyntaxError);
  });
});

describe('captionText', () => {
  it.each([
    ['\u200bpadded\u200b', 'padded'],
    ['one\r\ntwo\rthree', 'one\ntwo\nthree'],
    ['a\n\nb', 'a\n\nb'],
    ['nul\u0000bell\u0007', 'nulbell'],
    ['a\vb\fc\u0085d\u2028e\u2029f\u001cg', 'a\nb\nc\nd\ne\nf\ng'],
    ['no\ufffecharacter\u{1ffff}s\ufdd0', 'nocharacters'],
    ['lone \ud83d surrogate', 'lone \ufffd surrogate'],
    ['\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
    ['<b>a</b> &amp; b --> c', '<b>a</b> &amp; b --> c'],
    [' \u200b \n', ''],
  ])('reads %j as %j', (raw, expected) => {
    expect(captionText(raw)).toBe(expected);
  });
});

describe('plainLine', () => {
  it('keeps a title on one line, without characters that no file may hold', () => {
    expect(plainLine(' a\tb\nc\vd\u0085e\u0000 \ud800\uffff ', 100)).toBe('a b c d e \ufffd');
  });

  it('is cut between characters, never within one', () => {
    expect(plainLine('ab\u{1f600}', 3)).toBe('ab');
    expect(plainLine('ab\u{1f600}', 4)).toBe('ab\u{1f600}');
  });
});
