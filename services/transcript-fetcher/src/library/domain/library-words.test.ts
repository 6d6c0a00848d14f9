import { describe, expect, it } from '@jest/globals';
import { foldForms, foldMarks } from '@tds/transcript-format/fold';
import fc from 'fast-check';
import { dictionaryOf, languagePrefixes } from './dictionaries.ts';
import { createLexemes, toTokens, toVector } from './library-words.ts';

const wordsOf = (text: string): string[] => toTokens(foldForms(text)).map(({ word }) => word);

describe('the words of a text', () => {
  it.each([
    ['Night-shift, 2nd floor!', ['night', 'shift', '2nd', 'floor']],
    ["L’eau, don't", ['l', 'eau', 'don', 't', 'dont']],
    ['ＦＵＬＬ ﬁne', ['full', 'fine']],
    ['Ärger und ÜBER', ['arger', 'und', 'uber']],
    ['soft\u00adhyphen Café', ['softhyphen', 'cafe']],
    ['Ёлка, йод', ['елка', 'йод']],
    ['हिन्दी में', ['हिंदी', 'में']],
    ['ag\u0303a rohayhu', ['aga', 'rohayhu']],
    ['💥 ♪ <b>', ['b']],
  ])('of %j are in lower case, without signs', (text, words) => expect(wordsOf(text)).toEqual(words));

  it('are characters and pairs of neighbours in scripts without spaces', () => {
    expect(wordsOf('東京都 NHK')).toEqual(['東', '東京', '京', '京都', '都', 'nhk']);
    expect(wordsOf('港、船')).toEqual(['港', '船']);
    expect(wordsOf('ラーメン')).toContain('ーメ');
    expect(wordsOf('東京 都')).toEqual(wordsOf('東京都'));
  });

  it('are characters and pairs in Hangul, whose words end with their particles', () => {
    expect(wordsOf('서울에서 AI는')).toEqual(['서', '서울', '울', '울에', '에', '에서', '서', 'ai', '는']);
    expect(wordsOf('한국어'.normalize('NFD'))).toEqual(wordsOf('한국어'));
  });

  it('that are longer than anybody says are cut, and stay well formed', () => {
    const [word = ''] = wordsOf('𝔞'.normalize('NFC') + '𐐨'.repeat(100));
    expect(word.length).toBeLessThanOrEqual(64);
    expect(word.isWellFormed()).toBe(true);
  });

  it('are a vector with the places of each lexeme', () => {
    expect(
      toVector(
        toTokens('a b a'),
        createLexemes((word) => word.toUpperCase()),
      ),
    ).toBe(`'A':1,3 'B':2`);
  });

  it('are the same words with and without their accents, whatever the text holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        for (const { word, accented = word } of toTokens(foldForms(text)))
          if (accented.length < 60) expect(foldMarks(accented)).toBe(word);
      }),
      { numRuns: 200 },
    );
  });

  it('hold no sign that has a meaning to Postgres, whatever the text holds', () => {
    const signs = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code)).join('');
    expect(wordsOf(signs).join('')).not.toMatch(/['"\\:&|!<>()*\s]/);
  });
});

describe('the rules of a language', () => {
  it.each([
    ['en', 'english_stem'],
    ['pt-BR', 'portuguese_stem'],
    ['in', 'indonesian_stem'],
    ['ja', 'simple'],
    ['x', 'simple'],
  ])('of %s are %s', (language, dictionary) => expect(dictionaryOf(language)).toBe(dictionary));

  it('concern its regions, and the code that it had before', () => {
    expect(languagePrefixes('pt-BR')).toEqual(['pt-br']);
    expect(languagePrefixes('he')).toEqual(['he', 'iw']);
  });
});
