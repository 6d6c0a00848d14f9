import { translationCodes } from '../catalogue/languages.ts';
import { dubbedAudio, manualTrack, singleAudio, speechTrack } from '../catalogue/tracks.ts';
import type { Track, Video } from '../catalogue/video.ts';
import { expecting, type SpecialRow, transcript } from './special-video.ts';

const captions = (...tracks: Track[]): Pick<Video, 'tracks' | 'audioTracks'> => ({
  tracks,
  audioTracks: singleAudio(tracks),
});

const manyLanguages = [
  ...translationCodes.slice(0, 40),
  ...['en-GB', 'es-419', 'es-ES', 'fr-CA', 'iw', 'no', 'fil', 'pt-BR', 'pt-PT', 'zh-Hans', 'zh-TW'],
];
const dubs = ['de', 'en', 'es', 'hi'].map(speechTrack);
const fixedTracks = [manualTrack('en'), speechTrack('en')].map((track) => ({
  ...track,
  translatable: false,
}));

/** Which tracks there are, and what can be translated. */
export const captionRows: readonly SpecialRow[] = [
  {
    id: 'manualEn001',
    behaviour: 'one manual English track',
    expect: transcript(),
    video: captions(manualTrack('en')),
  },
  {
    id: 'asrOnlyEn01',
    behaviour: 'one recognised English track',
    expect: transcript('kind asr'),
    video: captions(speechTrack('en')),
  },
  {
    id: 'manyLangs01',
    behaviour: `${new Set(manyLanguages).size} manual tracks in as many languages and a recognised one`,
    expect: transcript(),
    video: captions(...[...new Set(manyLanguages)].map((code) => manualTrack(code)), speechTrack('en')),
  },
  {
    id: 'dubbedAsr01',
    behaviour:
      'dubbed: four spoken tracks with recognised captions each; English is the default, not the first',
    expect: transcript('the default is the English asr track'),
    video: { tracks: dubs, audioTracks: dubbedAudio(dubs), defaultAudioTrackIndex: 1 },
  },
  {
    id: 'hebrewIw001',
    behaviour: 'Hebrew only, spelled `iw`',
    expect: transcript('a request for he gets iw'),
    video: captions(manualTrack('iw'), speechTrack('iw')),
  },
  {
    id: 'norwegian01',
    behaviour: 'Norwegian only, spelled `no`',
    expect: transcript('a request for nb gets no'),
    video: captions(manualTrack('no')),
  },
  {
    id: 'chinese_001',
    behaviour: 'manual `zh-Hans`, `zh-Hant`, `zh-TW` and `zh-HK`',
    expect: transcript('a request for zh-CN gets zh-Hans'),
    video: captions(...['zh-Hant', 'zh-HK', 'zh-TW', 'zh-Hans'].map((code) => manualTrack(code))),
  },
  {
    id: 'namedTrks01',
    behaviour: 'three manual English tracks, two of them with names',
    expect: transcript('the unnamed one is the plain choice'),
    video: captions(
      manualTrack('en', 'Director’s commentary'),
      manualTrack('en'),
      manualTrack('en', 'Sound & music'),
      speechTrack('en'),
    ),
  },
  {
    id: 'tlang429_01',
    behaviour: 'translations get 429; the native track works',
    expect: transcript('a translation is refused, the fallback is served'),
    video: { translation: 'refused' },
  },
  {
    id: 'tlangVisWeb',
    behaviour: 'ANDROID offers one translation language, VISIONOS and WEB offer all',
    expect: transcript('a translation to es is served'),
    video: { translation: 'wide-only' },
  },
  {
    id: 'noTransl_01',
    behaviour: '`isTranslatable` is false and no client has a translation list',
    expect: transcript('translation is unavailable'),
    video: { ...captions(...fixedTracks), translation: 'unlisted' },
  },
  {
    id: 'noTrList_01',
    behaviour: 'tracks say translatable, but no client has a translation list',
    expect: transcript('translation is unavailable'),
    video: { translation: 'unlisted' },
  },
  {
    id: 'noCaptions1',
    behaviour: 'plays, has no captions',
    expect: expecting('NoCaptions'),
    video: captions(),
  },
  {
    id: '-dashFirst1',
    title: '=1+1 "formula" --> title',
    behaviour: 'an ordinary video whose id starts with a dash and whose title starts with an equals sign',
    expect: transcript(),
  },
  {
    id: 'strayHost01',
    behaviour: 'caption URLs point to the host 169.254.169.254; path and query are right',
    expect: transcript('only path and query are used, never the host'),
    video: { captionOrigin: 'http://169.254.169.254' },
  },
];
