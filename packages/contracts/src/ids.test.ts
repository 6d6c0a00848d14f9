import { describe, expect, it } from '@jest/globals';
import { languageTag, newId, uuid } from './ids.ts';

const id = '3f0a9a3e-5d0e-4c53-9d57-0a4ff3f5c0de';

describe('a UUID', () => {
  it('is the same id in either case, so that what is sealed or counted under it is found again', () => {
    expect([uuid.parse(id.toUpperCase()), uuid.parse(id)]).toEqual([id, id]);
  });

  it.each(['', 'x', `${id}0`, `{${id}}`, id.replaceAll('-', ''), ` ${id}`])('is not %j', (text) => {
    expect(uuid.safeParse(text).success).toBe(false);
  });
});

describe('a new id', () => {
  it('is a UUID of version 7: it begins with its time, and another one of that time is another id', () => {
    const ids = [newId(new Date('2028-01-31T23:59:59.999Z')), newId(new Date('2028-01-31T23:59:59.999Z'))];
    for (const each of ids) {
      expect(each).toMatch(/^01aac5e2-23ff-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
      expect(uuid.parse(each)).toBe(each);
    }
    expect(new Set(ids).size).toBe(2);
  });

  it('comes after all ids of earlier milliseconds', () => {
    const at = (ms: number) => newId(new Date(ms));
    const ids = [at(0), at(1), at(4_294_967_296), at(1_795_000_000_000), at(1_795_000_000_001)];
    expect(ids.toSorted()).toEqual(ids);
  });
});

describe('a language tag', () => {
  it.each([
    ['PT-br', 'pt-BR'],
    ['iw', 'he'],
    ['zh-hant-tw', 'zh-Hant-TW'],
    ['ES-419', 'es-419'],
    ['art-lojban', 'jbo'],
    ['ca-VALENCIA', 'ca-valencia'],
    ['sgn', 'sgn'],
    ['zxx', 'zxx'],
    ['abe', 'abe'],
    ['zh-yue', 'yue'],
    ['ZH-YUE-hant-hk', 'yue-Hant-HK'],
    ['zh-cmn-Hans', 'zh-Hans'],
    ['ar-arz', 'arz'],
    ['sgn-ase', 'ase'],
  ])('%s is canonically %s', (given, canonical) => {
    expect(languageTag.parse(given)).toBe(canonical);
  });

  it.each([
    'en-x-a1',
    'en-X-a1-b2-c3',
    'en-u-nu-latn',
    'en-u-ca-buddhist-x-y',
    'en-t-es-m0-true',
    'en-a-bbb-x-a',
    'EN-0-inventd',
  ])('%s is en: extensions name no language', (given) => {
    expect(languageTag.parse(given)).toBe('en');
  });

  it('has one variant at most, however many are put behind it', () => {
    expect(languageTag.parse('sl-rozaj-biske-1994')).toBe(languageTag.parse('sl-1994-rozaj-nedis'));
  });

  it.each([
    'x-private',
    'i-klingon',
    'en_US',
    'e',
    'en--US',
    '',
    'english',
    'engl-US',
    'en-x-',
    'xx',
    'zz-ZZ',
    'qq',
    'qaa',
    `en-${'a'.repeat(40)}`,
  ])('is not %j', (text) => {
    expect(languageTag.safeParse(text).success).toBe(false);
  });
});
