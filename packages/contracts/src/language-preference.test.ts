import { describe, expect, it } from '@jest/globals';
import { languagePreference, languagesIn } from './language-preference.ts';

describe('a preference of languages', () => {
  it.each([
    ['en', 'en'],
    ['PT-br', 'pt-BR'],
    ['orig', 'orig'],
    ['ORIG', 'orig'],
    ['de,en', 'de,en'],
    [' de , EN-gb ', 'de,en-GB'],
    ['orig,iw,he,orig', 'orig,he'],
    ['de,en,fr,es,it,ja,ko,zh-Hans', 'de,en,fr,es,it,ja,ko,zh-Hans'],
  ])('%j is kept as %j, however often it is read', (given, canonical) => {
    expect(languagePreference.parse(given)).toBe(canonical);
    expect(languagePreference.parse(canonical)).toBe(canonical);
    expect(languagesIn(canonical).join()).toBe(canonical);
  });

  it.each([
    ['nothing', ''],
    ['an empty place', 'de,,en'],
    ['a comma at the end', 'de,'],
    ['what is no language', 'de,english'],
    ['a word like the original', 'original'],
    ['a variant of the original', 'orig-DE'],
    ['nine languages', 'de,en,fr,es,it,ja,ko,zh,ar'],
    ['more than 64 characters', Array.from({ length: 8 }, (_, at) => `zh-Hant-0${10 + at}`).join()],
    ['an endless text', ','.repeat(1_000_000)],
  ])('never has %s', (_, given) => {
    expect(languagePreference.safeParse(given).success).toBe(false);
  });
});
