import { describe, expect, it } from '@jest/globals';
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

describe('the original language', () => {
  it.each([
    [
      'the manual track in the spoken language',
      [track('en'), asr('ja'), track('ja', { isDefaultAudio: true })],
      '.ja',
    ],
    ['its recognised track, not that of a dub', [asr('en', { isDefaultAudio: false }), asr('ja')], 'a.ja'],
    ['not what the platform shows first', [track('en', { isDefault: true }), asr('ja')], 'a.ja'],
  ])('is %s', (_, tracks, vssId) => {
    const choice = chooseTrack(inspection(tracks, ['en', 'de']), strict('orig'));
    expect(choice).toMatchObject({
      track: { vssId },
      translateTo: null,
      isFallback: false,
      translation: 'not_requested',
    });
  });

  it('is never guessed or translated to: if it is unknown, the fallback is labelled, and strict mode refuses', () => {
    const unknown = inspection([track('af'), track('en')], ['ja']);
    expect(chooseTrack(unknown, lenient('orig'))).toMatchObject({
      track: { vssId: '.en' },
      translateTo: null,
      isFallback: true,
      translation: 'unavailable',
    });
    expect(thrownBy(() => chooseTrack(unknown, strict('orig')))).toMatchObject({
      code: 'language_unavailable',
      data: { extras: { available_languages: ['af', 'en'] } },
    });
    expect(isChoiceFinal(inspection([track('en')]), 'orig')).toBe(true);
  });
});

describe('a list of languages', () => {
  const video = inspection([track('fr'), asr('en'), track('pt-BR')], ['de', 'es']);

  it.each([
    ['de,en', 'en'],
    ['en,fr', 'en'],
    ['fr,en', 'fr'],
    ['de,pt,en', 'pt-BR'],
    ['de,orig,fr', 'en'],
    ['orig,fr', 'en'],
  ])('%s leads to the first that has a track, even in strict mode: %s', (language, delivered) => {
    expect(chooseTrack(video, strict(language))).toMatchObject({
      delivered,
      translateTo: null,
      isFallback: false,
      translation: 'not_requested',
    });
    expect(isChoiceFinal(video, language)).toBe(true);
  });

  it('without a track is translated to its first language with a name', () => {
    expect(chooseTrack(video, strict('de,es'))).toMatchObject({ translateTo: 'de', translation: 'served' });
    const unspoken = inspection([track('fr'), track('nl')], ['es']);
    expect(chooseTrack(unspoken, lenient('orig,es'))).toMatchObject({
      translateTo: 'es',
      translation: 'served',
    });
    expect(isChoiceFinal(unspoken, 'orig,ja')).toBe(false);
  });

  it('without a track or a translation falls back, or is refused in strict mode', () => {
    expect(chooseTrack(video, lenient('ja,ko'))).toMatchObject({
      isFallback: true,
      translation: 'unavailable',
    });
    expect(thrownBy(() => chooseTrack(video, strict('ja,ko')))).toMatchObject({
      code: 'language_unavailable',
    });
  });
});
