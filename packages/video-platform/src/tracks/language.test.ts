import { describe, expect, it } from '@jest/globals';
import { isExactly, nearestCode, sameLanguage } from './language.ts';

const mixed = ['iw', 'no', 'fil', 'zh', 'zh-Hans', 'zh-TW', 'es-419', 'pt-BR'];

describe('nearestCode', () => {
  it.each([
    ['he', mixed, 'iw'],
    ['nb', mixed, 'no'],
    ['tl', mixed, 'fil'],
    ['zh-Hant', mixed, 'zh-TW'],
    ['zh-HK', mixed, 'zh-TW'],
    ['zh-CN', mixed, 'zh-Hans'],
    ['es', mixed, 'es-419'],
    ['es-MX', mixed, 'es-419'],
    ['pt', mixed, 'pt-BR'],
    ['pt-PT', mixed, 'pt-BR'],
    ['de-AT', ['de'], 'de'],
    ['fr', mixed, null],
    ['en', ['en-GB'], 'en-GB'],
    ['he', ['he', 'iw'], 'he'],
    ['no', ['nb'], 'nb'],
    ['fil', ['tl'], 'tl'],
    ['sr-Cyrl', ['sr-Latn', 'sr'], 'sr'],
    ['zh-Hant', ['zh', 'zh-HK'], 'zh-HK'],
  ] as const)('finds for %s in %j: %s', (wanted, codes, expected) => {
    expect(nearestCode(wanted, codes)).toBe(expected);
  });

  it.each([
    ['ca', ['es']],
    ['da', ['no', 'nb']],
    ['id', ['ms']],
    ['gsw', ['de']],
    ['yue', ['zh-HK']],
    ['hr', ['bs', 'sr-Latn']],
    ['zh-Hans', ['zh-TW']],
    ['zh-TW', ['zh-Hans']],
    ['sr-Cyrl', ['sr-Latn']],
    ['hi-Latn', ['hi']],
    ['ja-Latn', ['ja']],
    ['uz-Latn', ['uz-Cyrl']],
  ] as const)('takes no neighbour for the wanted %s out of %j', (wanted, codes) => {
    expect(nearestCode(wanted, codes)).toBeNull();
  });

  it('ignores codes that are no language tags', () => {
    expect(nearestCode('en', ['', 'a_b', '*', 'en'])).toBe('en');
    expect(nearestCode('not a tag', ['en'])).toBeNull();
  });
});

describe('isExactly', () => {
  it('compares canonical forms, so a request for he meets the track iw', () => {
    expect(isExactly('he', 'iw')).toBe(true);
    expect(isExactly('en', 'EN')).toBe(true);
    expect(isExactly('en', 'en-GB')).toBe(false);
  });
});

describe('sameLanguage', () => {
  it('holds in both directions', () => {
    expect(sameLanguage('en', 'en-US')).toBe(true);
    expect(sameLanguage('en-US', 'en')).toBe(true);
    expect(sameLanguage('no', 'da')).toBe(false);
  });
});
