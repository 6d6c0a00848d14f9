import { describe, expect, it } from '@jest/globals';
import { MAX_MATCH_LENGTH } from '@tds/contracts';
import { findMatch, type LexemePlaces } from './library-match.ts';
import { parseQuery, toLexemeQuery } from './library-query.ts';
import { foldText, toTokens } from './library-words.ts';

const same = (word: string): string => word;
const placesOf = (text: string): LexemePlaces => {
  const places: Record<string, number[]> = {};
  for (const { word, at } of toTokens(text)) places[word] = [...(places[word] ?? []), at];
  return places;
};
/** The match in a text of captions, each a second long. */
const matchIn = (captions: readonly string[], query: string, separator = ' ') => {
  const text = captions.join(separator);
  let offset = 0;
  const starts = captions.map((caption, index): [number, number] => {
    const start: [number, number] = [offset, index * 1_000];
    offset += caption.length + separator.length;
    return start;
  });
  const { phrases } = toLexemeQuery(parseQuery(query), 'simple', same);
  return findMatch({ start: 0, text, captions: starts, places: placesOf(text) }, phrases);
};

describe('a match', () => {
  it.each([
    ['a word', ['One thing.', 'Then the crane', 'lifts.'], 'crane', { start: 1, text: 'crane' }],
    [
      'a phrase over two captions',
      ['the old', 'stone bridge'],
      '"old stone"',
      { start: 0, text: 'old\u00a0stone' },
    ],
    ['the first of several', ['rain', 'rain'], 'rain', { start: 0, text: 'rain' }],
    [
      'words in any order, where they stand closest together',
      ['Green leaves,', 'much later a tea.', 'Tea is green.'],
      'green tea',
      { start: 2, text: 'Tea is green' },
    ],
    [
      'a phrase, not its words elsewhere',
      ['or not to be', 'to be or'],
      '"to be or"',
      { start: 1, text: 'to be or' },
    ],
    ['what is not excluded', ['steel is', 'not wood'], 'wood -iron', { start: 1, text: 'wood' }],
  ])('is %s', (_, captions, query, match) => {
    const { start, text } = matchIn(captions, query);
    expect({ start, text: text.replace(/\s/g, ' ') }).toEqual({
      ...match,
      text: match.text.replace(/\s/g, ' '),
    });
  });

  it('is of characters in scripts without spaces', () => {
    expect(matchIn(['東京都の港で', '働いています'], '働いて', '')).toEqual({ start: 1, text: '働いて' });
    expect(matchIn(['東京都の港で', '働いています'], '港', '')).toEqual({ start: 0, text: '港' });
  });

  it('stands in the text as it is there, also where folding makes it longer or shorter', () => {
    const captions = ['ﬁne ½ cup of İstanbul', 'Cafe\u0301 au lait', 'ＦＵＬＬ of 💥 rain'];
    expect(captions.join(' ').length).not.toBe(foldText(captions.join(' ')).length);
    expect(matchIn(captions, 'au lait')).toEqual({ start: 1, text: 'au lait' });
    expect(matchIn(captions, 'caf\u00e9')).toEqual({ start: 1, text: 'Cafe\u0301' });
    expect(matchIn(captions, 'full rain')).toEqual({ start: 2, text: 'ＦＵＬＬ of 💥 rain' });
  });

  it('of words that stand far apart is cut', () => {
    const { text } = matchIn([`first ${'x '.repeat(MAX_MATCH_LENGTH)}last`], 'first last');
    expect(text).toHaveLength(MAX_MATCH_LENGTH);
  });

  it('begins with the passage if its captions or its words are not known', () => {
    const { phrases } = toLexemeQuery(parseQuery('word'), 'simple', same);
    const passage = { start: 7, text: 'A word', captions: [] };
    expect(findMatch({ ...passage, places: { word: [2] } }, phrases)).toEqual({ start: 7, text: 'word' });
    expect(findMatch({ ...passage, places: {} }, phrases)).toEqual({ start: 7, text: 'A word' });
  });
});
