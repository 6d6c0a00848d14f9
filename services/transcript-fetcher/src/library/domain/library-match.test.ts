import { describe, expect, it } from '@jest/globals';
import { MAX_MATCH_LENGTH, MAX_SENTENCE_LENGTH } from '@tds/contracts';
import { foldForms, foldText } from '@tds/transcript-format/fold';
import { toIndexPages } from './index-pages.ts';
import { findMatch, type LexemePlaces } from './library-match.ts';
import { parseQuery, toLexemeQuery } from './library-query.ts';
import { toTokens } from './library-words.ts';

const same = (word: string): string => word;
const placesOf = (text: string): LexemePlaces => {
  const places: Record<string, number[]> = {};
  for (const { word, at } of toTokens(foldForms(text))) places[word] = [...(places[word] ?? []), at];
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
    expect(matchIn(['東京都の港で', '働いています'], '働いて', '')).toMatchObject({ start: 1, text: '働いて' });
    expect(matchIn(['東京都の港で', '働いています'], '港', '')).toMatchObject({ start: 0, text: '港' });
    expect(matchIn(['東京都の港で働', 'いています'], '働いて')).toMatchObject({ start: 0, text: '働 いて' });
    expect(matchIn(['서울에서 왔어요'], '서울')).toMatchObject({ text: '서울' });
  });

  it('stands in the text as it is there, also where folding makes it longer or shorter', () => {
    const captions = ['ﬁne ½ cup of İstanbul', 'Cafe\u0301 au lait', 'ＦＵＬＬ of 💥 rain'];
    expect(captions.join(' ').length).not.toBe(foldText(captions.join(' ')).length);
    expect(matchIn(captions, 'istanbul')).toMatchObject({ start: 0, text: 'İstanbul' });
    expect(matchIn(captions, 'au lait')).toMatchObject({ start: 1, text: 'au lait' });
    expect(matchIn(captions, 'cafe')).toMatchObject({ start: 1, text: 'Cafe\u0301' });
    expect(matchIn(captions, 'full rain')).toMatchObject({ start: 2, text: 'ＦＵＬＬ of 💥 rain' });
  });

  it('of words that stand far apart is cut', () => {
    const { text } = matchIn([`first ${'x '.repeat(MAX_MATCH_LENGTH)}last`], 'first last');
    expect(text).toHaveLength(MAX_MATCH_LENGTH);
  });

  it('begins with the passage if its captions or its words are not known', () => {
    const { phrases } = toLexemeQuery(parseQuery('word'), 'simple', same);
    const passage = { start: 7, text: 'A word', captions: [] };
    const sentence = 'A word';
    expect(findMatch({ ...passage, places: { word: [2] } }, phrases)).toEqual({
      start: 7,
      text: 'word',
      sentence,
    });
    expect(findMatch({ ...passage, places: {} }, phrases)).toEqual({ start: 7, text: 'A word', sentence });
  });
});

describe('a match that goes on in the next passage', () => {
  /** In the first of two passages, as they are indexed. */
  const matchOver = (texts: readonly string[], query: string) => {
    const passages = texts.map((text) => ({ startMs: 0, endMs: 1, text, captions: [], chapters: [] }));
    const places: Record<string, number[]> = {};
    const [{ tokens, signs } = { tokens: [], signs: '' }] = [...toIndexPages(passages)].flat();
    for (const { word, at } of tokens) places[word] = [...(places[word] ?? []), at];
    for (const [, sign = '', at = ''] of signs.matchAll(/'([^']+)':([\d,A]+)/g))
      places[sign] = at.split(',').map((place) => Number.parseInt(place, 10));
    const { phrases } = toLexemeQuery(parseQuery(query), 'simple', same);
    return findMatch({ start: 0, text: texts[0] ?? '', captions: [], places }, phrases).text;
  };

  it.each([
    ['a phrase', ['Well, Dan is here', 'today to help.'], '"is here today"', 'is here'],
    ['words', ['Well, Dan is here', 'today to help.'], 'help dan', 'Dan is here'],
    ['its own words, though they stand closer there', ['a b c', 'c a'], '"c" a', 'a b c'],
    ['the character before the edge', ['東京都', '港区'], '都港', '都'],
    ['a pair of characters', ['東京都', '港区'], '京都港', '京都'],
  ])('shows %s', (_, texts, query, text) => expect(matchOver(texts, query)).toBe(text));
});

describe('the sentence of a match', () => {
  const sentenceIn = (text: string, query: string) => matchIn([text], query).sentence;

  it.each([
    ['One here. Two are there! Three?', 'there', 'Two are there!'],
    ['One here. Two are there! Three?', 'here there', 'One here. Two are there!'],
    ['東京です。港で働いています。はい。', '働いて', '港で働いています。'],
    ['no marks at all', 'marks', 'no marks at all'],
    ['He left. They asked Dr. Keller for a map. So.', 'keller map', 'They asked Dr. Keller for a map.'],
    [
      'It is by A. B. C. Winter and has pictures. So.',
      'pictures',
      'It is by A. B. C. Winter and has pictures.',
    ],
    ['Mrs. Hill met us in St. James. We ate.', 'met', 'Mrs. Hill met us in St. James.'],
    ['Il part. Nous avons vu M. Dupont ici. Puis non.', 'dupont', 'Nous avons vu M. Dupont ici.'],
    ['Se fue. Vino el Sr. García con perros. Nadie.', 'garcía', 'Vino el Sr. García con perros.'],
    ['Ecco. È arrivato il dott. Rossi con i cani. Poi.', 'cani', 'È arrivato il dott. Rossi con i cani.'],
    ['Nein. Am 3. Mai kam Prof. Lang z. B. nicht. Gut.', 'lang', 'Am 3. Mai kam Prof. Lang z. B. nicht.'],
    ['Não. Falou o Dr. Souza na sala. Fim.', 'souza', 'Falou o Dr. Souza na sala.'],
  ])('of %j by %j', (text, query, sentence) => expect(sentenceIn(text, query)).toBe(sentence));

  it.each([
    ['words', 'so we go on and on ', 'harbour ', '"harbour"'],
    ['characters', '東京都の港で働いて', '船', '船'],
    ['emoji', '👩‍👩‍👧‍👦', ' word ', 'word'],
  ])('without marks is made of the %s around it, none of which is cut', (_, unit, found, query) => {
    for (const [before, after] of [
      [60, 60],
      [0, 60],
      [60, 0],
    ]) {
      const sentence = sentenceIn(unit.repeat(before ?? 0) + found + unit.repeat(after ?? 0), query);
      expect(sentence.length).toBeLessThanOrEqual(MAX_SENTENCE_LENGTH);
      expect(sentence.length).toBeGreaterThan(MAX_SENTENCE_LENGTH / 3);
      expect(sentence).toContain(found.trim());
      expect(sentence.isWellFormed()).toBe(true);
      if (unit.includes(' '))
        expect(` ${unit.repeat(60)}${found}${unit.repeat(60)}`).toContain(` ${sentence} `);
    }
  });

  it('is no longer than it may be, whatever the match is', () => {
    for (const text of [`a ${'x '.repeat(900)}b`, `a${'\u0301'.repeat(1_900)} b`, `a ${'b'.repeat(1_900)}`])
      for (const query of ['a', 'a b', 'b']) {
        const { sentence } = matchIn([text], query);
        expect(sentence.length).toBeLessThanOrEqual(MAX_SENTENCE_LENGTH);
        expect(sentence).not.toBe('');
      }
  });
});
