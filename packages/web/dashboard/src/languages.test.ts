import { describe, expect, it } from '@jest/globals';
import {
  freeLanguages,
  isMetBy,
  jobTranslationWarning,
  languageChoices,
  languageName,
  languageSentence,
  otherName,
  receivedLanguage,
  rowLanguage,
  rowNote,
  translationWarning,
  type VideoFacts,
  wishName,
} from './languages.ts';

const factsOf = (given: {
  tracks?: string[];
  cached?: string[];
  translated?: string[];
  spoken?: string;
}): VideoFacts => {
  const cached = (codes: string[] = [], translated = false) =>
    codes.map((language_code) => ({ language_code, translated }));
  return {
    caption_tracks: (given.tracks ?? []).map((language_code) => ({ language_code })),
    cached_languages: [...cached(given.cached), ...cached(given.translated, true)],
    original_language: given.spoken ?? null,
  } as unknown as VideoFacts;
};

describe('a language', () => {
  it('is named, and any other code stays as it is', () => {
    expect(languageName('ja')).toBe('Japanese (ja)');
    expect(languageName('qqx')).toBe('qqx');
    expect(languageName('not a tag')).toBe('not a tag');
    expect(wishName('orig')).toBe('the spoken language');
    expect(wishName('de,orig')).toBe('German (de), else the spoken language');
  });

  it.each([
    ['en', 'en-GB', true],
    ['he', 'iw', true],
    ['de,ja', 'ja', true],
    ['orig', 'ja', true],
    ['en', 'ja', false],
    ['en', 'not a tag', false],
  ])('%s is met by %s: %p', (wish, code, isMet) => expect(isMetBy(wish, code)).toBe(isMet));
});

describe('what was delivered', () => {
  const language = { requested: 'en', delivered: 'en', kind: 'manual', fallback: false } as const;
  const sentence = (more: object) =>
    languageSentence({ language: { ...language, translation: 'not_requested', ...more } });

  it('says how its text came about, and why it is another one', () => {
    expect(sentence({})).toBe('English (en)');
    expect(sentence({ kind: 'asr' })).toBe('English (en), recognised speech');
    expect(sentence({ kind: 'asr', translation: 'served' })).toBe('English (en), translated by machine');
    const other = { requested: 'es', fallback: true };
    expect(sentence({ ...other, translation: 'unavailable' })).toBe(
      'English (en), because Spanish (es) is not there',
    );
    expect(sentence({ ...other, translation: 'refused' })).toBe(
      'English (en), because Spanish (es) could not be translated now',
    );
    expect(sentence({ ...other, requested: 'orig', translation: 'unavailable' })).toBe(
      "English (en), the author's captions",
    );
    expect(sentence({ ...other, requested: 'orig', kind: 'asr' })).toBe(
      'English (en), recognised speech, the video platform names no spoken language',
    );
  });

  it('is called a translation in rows of jobs and of the library', () => {
    const row = { requested_language: 'en', delivered_language: 'en', fallback: false } as const;
    expect(rowLanguage({ ...row, translation: 'served' })).toBe('English (en), translated by machine');
    expect(rowNote({ ...row, translation: 'served' })).toBeNull();
    const other = { ...row, requested_language: 'fr', fallback: true, translation: 'refused' } as const;
    expect([rowLanguage(other), rowNote(other)]).toEqual([
      'English (en)',
      'because French (fr) could not be translated now',
    ]);
    expect(rowNote({ ...other, requested_language: 'orig' })).toBeNull();
    expect(rowLanguage({ ...row, delivered_language: null, translation: null })).toBeNull();
    const received = { language: 'en', translated: true } as Parameters<typeof receivedLanguage>[0];
    expect(receivedLanguage(received)).toBe('English (en), translated by machine');
    expect(receivedLanguage({ ...received, translated: false })).toBe('English (en)');
  });
});

describe('the choice of a language', () => {
  it('begins with the one that is spoken, then has the tracks, then translations to other languages', () => {
    const facts = factsOf({ tracks: ['en', 'ja', 'en'], cached: ['ja'], translated: ['es'], spoken: 'ja' });
    const { first, tracks, translations } = languageChoices(facts, 'orig');
    expect(first).toEqual([['orig', 'The spoken language: Japanese (ja)']]);
    expect(tracks).toEqual([
      ['en', 'English (en)'],
      ['ja', 'Japanese (ja), cached'],
    ]);
    expect(translations).toContainEqual(['es', 'Spanish (es), cached']);
    expect(translations).toContainEqual(['fr', 'French (fr)']);
    expect(translations.map(([code]) => code)).not.toContain('en');
  });

  it('has a name for each translation, in the order of the names', () => {
    const { translations } = languageChoices(null, 'orig');
    for (const [code, name] of translations)
      expect([code, name]).toEqual([code, expect.stringContaining(`(${code})`)]);
    const names = translations.map(([, name]) => name);
    expect(names).toEqual([...names].sort((one, other) => one.localeCompare(other)));
    expect(new Set(translations.map(([code]) => code)).size).toBe(translations.length);
  });

  it('has what is chosen now, and needs no video', () => {
    expect(languageChoices(null, 'de,en').first.map(([code]) => code)).toEqual(['orig', 'de,en']);
    expect(languageChoices(null, 'en').first).toHaveLength(1);
    expect(languageChoices(null, 'orig').tracks).toEqual([]);
  });
});

describe('before a transcript is bought', () => {
  it('what is cached under another name is read, and never sold', () => {
    expect(otherName(factsOf({ cached: ['ja'], spoken: 'ja' }), 'orig')).toBe('ja');
    expect(otherName(factsOf({ tracks: ['en'], cached: ['en'] }), 'orig')).toBe('en');
    expect(otherName(factsOf({ tracks: ['en', 'ja'], cached: ['en'] }), 'orig')).toBeNull();
    expect(otherName(factsOf({ spoken: 'iw' }), 'he')).toBe('orig');
    expect(otherName(factsOf({ spoken: 'ja' }), 'en')).toBeNull();
    expect(otherName(factsOf({}), 'en')).toBeNull();
    expect(freeLanguages(factsOf({ cached: ['ja', 'ja'], translated: ['en'] }))).toEqual(['ja']);
  });

  it('a translation is called one, and nothing is said of what is not known', () => {
    const japanese = factsOf({ tracks: ['ja'], spoken: 'ja' });
    expect(translationWarning(japanese, 'en')).toBe(
      'The video has no captions in English (en): they would be translated by machine from Japanese (ja), which is spoken.',
    );
    for (const wish of ['orig', 'ja', 'en,ja']) expect(translationWarning(japanese, wish)).toBeNull();
    expect(translationWarning(factsOf({}), 'en')).toBeNull();
  });

  it('a job says how many of its videos would be translated', () => {
    const spoken = (...codes: (string | null)[]) => codes.map((original_language) => ({ original_language }));
    expect(jobTranslationWarning(spoken('ja', 'ar', 'en', 'en'), 'en')).toMatch(
      /^2 of 4 are spoken in another language than you chose: .*translated by machine\.$/,
    );
    expect(jobTranslationWarning(spoken('ja', null, null), 'en')).toMatch(
      /^1 of 3 are spoken in another language than you chose, and 2 may be: /,
    );
    expect(jobTranslationWarning(spoken(null), 'en')).toMatch(/^Videos that are spoken in another language/);
    expect(jobTranslationWarning(spoken('en', 'en-GB'), 'en')).toBeNull();
    expect(jobTranslationWarning(spoken('ja', null), 'orig')).toBeNull();
    expect(jobTranslationWarning([], 'en')).toBeNull();
  });
});
