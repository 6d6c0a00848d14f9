import { describe, expect, it } from '@jest/globals';
import { MAX_LIBRARY_QUERY_LENGTH } from '@tds/contracts';
import { parseQuery, toLexemeQuery, wordsIn } from './library-query.ts';

const same = (word: string): string => word;
const queryOf = (text: string): string => toLexemeQuery(parseQuery(text), 'simple', same).query;

describe('a query', () => {
  it.each([
    ['harbour crane', "('harbour') & ('crane')"],
    ['"night shift" crane', "('night' <1> 'shift') & ('crane')"],
    ['night-shift', "('night' <1> 'shift')"],
    ['crane -steel', "('crane') & !('steel':D)"],
    ['crane -"steel bridge"', "('crane') & !('steel':D <1> 'bridge')"],
    ['crane –steel −bridge', "('crane') & !('steel':D) & !('bridge':D)"],
    ['“Night shift” „the crane“ «café»', "('night' <1> 'shift') & ('the' <1> 'crane') & ('cafe')"],
    ['東京都', "('東京' <2> '京都')"],
    ['서울 AI는', "('서울') & ('ai' <1> '는')"],
    ['"ship 東京都 crane"', "('ship' <2> '東京' <2> '京都' <2> 'crane')"],
    ['an "open quote', "('an') & ('open' <1> 'quote')"],
    ['crane OR & | ! <-> steel:*', "('crane') & ('or') & ('steel')"],
    ["'; DROP TABLE x; --", "('drop') & ('table') & ('x')"],
    ['^(a+)+$ [', "('a')"],
  ])('%j means %s', (text, query) => expect(queryOf(text).replaceAll('<->', '<1>')).toBe(query));

  it('asks for what begins in the passage itself, all of it or some', () => {
    const { whole, begun } = toLexemeQuery(parseQuery('crane "night shift" -steel'), 'simple', same);
    expect(whole).toBe("('crane':D) & ('night':D <1> 'shift')");
    expect(begun).toBe("('crane':D) | ('night':D <1> 'shift')");
  });

  it('needs in a transcript what it does not exclude', () => {
    const { keys, otherKeys } = toLexemeQuery(parseQuery('red -green "blue red"'), 'simple', same);
    expect({ keys, otherKeys }).toEqual({ keys: ['red', 'blue'], otherKeys: null });
    expect(wordsIn(parseQuery('red -green'))).toEqual(['red', 'green']);
  });

  it('has both lexemes of a word whose accents have a meaning to its language', () => {
    const stem = (word: string) => word.replace(/(é|d)$/, '');
    const query = toLexemeQuery(parseQuery('café "red café" naïve'), 'simple', stem);
    expect(query.query).toBe("(('cafe' | 'caf')) & ('re' <1> ('cafe' | 'caf')) & ('naive')");
    expect(query.begun).toContain("(('cafe':D | 'caf':D))");
    expect(query).toMatchObject({ keys: ['re', 'naive', 'cafe'], otherKeys: ['re', 'naive', 'caf'] });
  });

  it('names each phrase once, so that a repeated word costs no more than one', () => {
    const { phrases } = toLexemeQuery(
      parseQuery(`${'red '.repeat(20)} "red blue" "red  blue"`),
      'simple',
      same,
    );
    expect(phrases.map((phrase) => phrase.flatMap(({ lexemes }) => lexemes))).toEqual([
      ['red'],
      ['red', 'blue'],
    ]);
  });

  it.each([
    ['operators only', '"" - & | ! ( ) :*'],
    ['exclusions only', '-red -"green blue"'],
    ['signs', '…—·'],
    ['more than 32 words', 'word '.repeat(33)],
    ['a run of more than 33 characters', '東'.repeat(34)],
  ])('of %s is refused', (_, text) => {
    expect(() => parseQuery(text)).toThrow(expect.objectContaining({ code: 'invalid_library_query' }));
  });

  it('of the greatest length is parsed in one pass, whatever it holds', () => {
    for (const sign of ['"', '-', '-"', '" ', 'a-', '\\', "'"]) {
      const text = sign.repeat(MAX_LIBRARY_QUERY_LENGTH).slice(0, MAX_LIBRARY_QUERY_LENGTH - 2);
      expect(() => parseQuery(`${text} a`)).not.toThrow(RangeError);
    }
  });
});
