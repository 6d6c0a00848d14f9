import { describe, expect, it } from '@jest/globals';
import { factTtlSeconds, isDurableVideoFact } from '../test-support/facts.ts';
import { asr, inspection, track } from '../test-support/tracks.ts';
import { chooseTrack, isChoiceFinal } from './choose-track.ts';

const lenient = (language: string) => ({ language, fallback: true });
const strict = (language: string) => ({ language, fallback: false });
const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (thrown) {
    return thrown;
  }
  throw new Error('nothing was thrown');
};

describe('a native track', () => {
  it.each([
    ['exact manual before everything', 'en', [asr('en'), track('en-GB'), track('en')], '.en'],
    ['exact speech of the default audio before a manual variant', 'en', [track('en-GB'), asr('en')], 'a.en'],
    [
      'a manual variant before the speech of a dub',
      'es',
      [asr('es', { isDefaultAudio: false }), track('es-419')],
      '.es-419',
    ],
    ['a manual variant before a speech variant', 'en', [asr('en-US'), track('en-GB')], '.en-GB'],
    [
      'the speech of the default audio among variants',
      'pt',
      [asr('pt-PT', { isDefaultAudio: false }), asr('pt-BR')],
      'a.pt-BR',
    ],
    [
      'a dub’s speech if nothing else is in the language',
      'es',
      [asr('en'), asr('es', { isDefaultAudio: false })],
      'a.es',
    ],
    ['iw for he', 'he', [track('en'), track('iw')], '.iw'],
    ['no for nb', 'nb', [track('en'), track('no')], '.no'],
    ['fil for tl', 'fil', [track('en'), track('fil')], '.fil'],
    [
      'zh-Hans for zh-CN',
      'zh-CN',
      ['zh-Hant', 'zh-HK', 'zh-TW', 'zh-Hans'].map((code) => track(code)),
      '.zh-Hans',
    ],
    [
      'zh-TW itself among the Chinese',
      'zh-TW',
      ['zh-Hans', 'zh-Hant', 'zh-TW'].map((code) => track(code)),
      '.zh-TW',
    ],
    [
      'the unnamed one of several manual tracks',
      'en',
      [track('en', { vssId: '.en.x-y', isNamed: true, isDefault: true }), track('en')],
      '.en',
    ],
    [
      'the default one if all are named',
      'en',
      [
        track('en', { vssId: '.en.a', isNamed: true }),
        track('en', { vssId: '.en.b', isNamed: true, isDefault: true }),
      ],
      '.en.b',
    ],
    [
      'the whole before signs and foreign parts',
      'en',
      [
        track('en', { vssId: '.en.a', isNamed: true, isDefault: true, name: 'English - Forced' }),
        track('en', { vssId: '.en.b', isNamed: true, name: 'English - SDH' }),
      ],
      '.en.b',
    ],
    [
      'recognised speech before songs, and before a commentary',
      'en',
      [
        track('en', { vssId: '.en.a', isNamed: true, name: 'English - Signs & Songs' }),
        track('en', { vssId: '.en.b', isNamed: true, name: "English - Director's commentary" }),
        asr('en'),
      ],
      'a.en',
    ],
    [
      'foreign parts if nothing else is in the language',
      'en',
      [track('de'), track('en', { vssId: '.en.a', isNamed: true, name: 'English - Forced' })],
      '.en.a',
    ],
  ])('is chosen in order: %s', (_, language, tracks, vssId) => {
    const choice = chooseTrack(inspection(tracks), strict(language));
    expect(choice).toMatchObject({
      track: { vssId },
      translateTo: null,
      isFallback: false,
      translation: 'not_requested',
    });
  });

  it('is delivered under its own code, and a variant of the language is no fallback', () => {
    const choice = chooseTrack(inspection([track('en-GB')]), strict('en'));
    expect(choice).toMatchObject({ delivered: 'en-GB', isFallback: false });
  });
});

describe('a translation', () => {
  const english = inspection([track('en', { isDefault: true })], ['es', 'iw', 'no', 'zh-Hans', 'pt']);

  it.each([
    ['es', 'es'],
    ['he', 'iw'],
    ['nb', 'no'],
    ['zh-CN', 'zh-Hans'],
    ['pt-BR', 'pt'],
  ])('to %s requests %s', (wanted, translateTo) => {
    expect(chooseTrack(english, strict(wanted))).toMatchObject({
      track: { languageCode: 'en' },
      translateTo,
      delivered: translateTo,
      isFallback: false,
      translation: 'served',
      fallbackChoice: null,
    });
  });

  it('has the labelled fallback if fallback is allowed', () => {
    expect(chooseTrack(english, lenient('es')).fallbackChoice).toMatchObject({
      track: { languageCode: 'en' },
      translateTo: null,
      delivered: 'en',
      isFallback: true,
      translation: 'refused',
    });
  });

  it.each([
    ['zh-TW', ['en', 'zh-Hans'], 'zh-Hans', 'zh-Hant'],
    ['zh-Hans', ['en', 'zh-HK'], 'zh-HK', 'zh-Hans'],
  ])('to %s starts from the other script of the language, not from English', (wanted, codes, source, to) => {
    const video = inspection(
      codes.map((code) => track(code)),
      ['zh-Hans', 'zh-Hant'],
    );
    expect(chooseTrack(video, lenient(wanted))).toMatchObject({
      track: { languageCode: source },
      delivered: to,
      translation: 'served',
      fallbackChoice: { delivered: source, isFallback: true },
    });
  });

  it('starts from a translatable track only', () => {
    const tracks = [track('de', { isDefault: true, isTranslatable: false }), track('fr')];
    expect(chooseTrack(inspection(tracks, ['es']), lenient('es'))).toMatchObject({
      track: { languageCode: 'fr' },
      fallbackChoice: { track: { languageCode: 'de' } },
    });
  });

  it('is never to the language of the source', () => {
    const choice = chooseTrack(inspection([track('zh')], ['zh']), lenient('zh-Hant'));
    expect(choice.translateTo).toBeNull();
  });
});

describe('a fallback', () => {
  it.each([
    ['the platform’s default caption', [track('af'), track('en'), track('de', { isDefault: true })], '.de'],
    [
      'the spoken language, if the platform’s default caption is in another',
      [track('ab', { isDefault: true }), track('de'), asr('en')],
      'a.en',
    ],
    [
      'the manual track of the default audio',
      [track('af'), track('ko', { isDefaultAudio: true }), asr('ko')],
      '.ko',
    ],
    ['the speech of the default audio', [track('af'), asr('ja'), asr('en', { isDefaultAudio: false })], 'a.ja'],
    ['the only speech track', [track('af'), asr('ko', { isDefaultAudio: false })], 'a.ko'],
    ['English if the spoken language is unknown', [track('af'), track('ar'), track('en-GB')], '.en-GB'],
  ])('is %s, never the first of the alphabet', (_, tracks, vssId) => {
    const choice = chooseTrack(inspection(tracks), lenient('es'));
    expect(choice).toMatchObject({ track: { vssId }, isFallback: true, translation: 'unavailable' });
  });

  it('is labelled refused if the lists could not be completed', () => {
    const incomplete = inspection([track('en')], [], { translationsComplete: false });
    expect(chooseTrack(incomplete, lenient('es')).translation).toBe('refused');
  });

  it('is labelled unavailable if no track is translatable, however many lists were read', () => {
    const fixed = inspection([track('en', { isTranslatable: false })], ['es'], {
      translationsComplete: false,
    });
    expect(chooseTrack(fixed, lenient('es')).translation).toBe('unavailable');
  });
});

describe('strict mode', () => {
  it('throws the codes of the own tracks of the video', () => {
    const error = thrownBy(() => chooseTrack(inspection([track('iw'), asr('iw'), track('en')]), strict('es')));
    expect(error).toMatchObject({
      code: 'language_unavailable',
      errorClass: 'NoCaptions',
      data: { extras: { available_languages: ['iw', 'en'] } },
    });
    expect(isDurableVideoFact(error)).toBe(false);
    expect(factTtlSeconds(error)).toBe(3600);
  });

  it('treats an incomplete list as a refusal for now, never a fact', () => {
    const incomplete = inspection([track('en')], [], { translationsComplete: false });
    const error = thrownBy(() => chooseTrack(incomplete, strict('es')));
    expect(error).toMatchObject({ code: 'translation_refused', data: { retryable: true } });
    expect(factTtlSeconds(error)).toBeNull();
  });

  it('throws no_captions without any track', () => {
    expect(thrownBy(() => chooseTrack(inspection([]), lenient('en')))).toMatchObject({ code: 'no_captions' });
  });
});

describe('isChoiceFinal', () => {
  it('continues only if a translation may still be found', () => {
    expect(isChoiceFinal(inspection([track('en')]), 'en')).toBe(true);
    expect(isChoiceFinal(inspection([track('en')], ['es']), 'es')).toBe(true);
    expect(isChoiceFinal(inspection([track('en')]), 'es')).toBe(false);
    expect(isChoiceFinal(inspection([track('en', { isTranslatable: false })]), 'es')).toBe(true);
  });
});
