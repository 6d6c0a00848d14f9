import { pick } from '@tds/base';
import { languagesIn, ORIGINAL_LANGUAGE, type TranslationOutcome } from '@tds/contracts';
import { languageUnavailable, platformError, shortLivedFact } from '../errors/platform-error.ts';
import type { PlatformTrack, TrackChoice, VideoInspection } from '../types.ts';
import { isExactly, isSamePrimaryLanguage, nearestCode, sameLanguage } from './language.ts';

type Tracks = readonly PlatformTrack[];
type Search = (tracks: Tracks, target: string) => PlatformTrack | null;

/** Names of tracks that are not the whole of what is said: of foreign parts, signs and songs, or about the video. */
const PARTIAL = /\b(?:forced|signs?|songs?|lyrics|karaoke|foreign parts|commentary)\b/i;
const isPartial = (track: PlatformTrack) => track.isNamed && PARTIAL.test(track.name);

const manual = (track: PlatformTrack) => track.kind === 'manual' && !isPartial(track);
const partial = (track: PlatformTrack) => track.kind === 'manual' && isPartial(track);
const speech = (track: PlatformTrack) => track.kind === 'asr';

/** Of several tracks of one language: the one without a name of its own, then the platform's default, then the first. */
const plainest = (tracks: Tracks): PlatformTrack | null =>
  tracks.find((track) => !track.isNamed) ?? tracks.find((track) => track.isDefault) ?? tracks[0] ?? null;

const exact =
  (fits: (track: PlatformTrack) => boolean): Search =>
  (tracks, target) =>
    plainest(tracks.filter((track) => fits(track) && isExactly(target, track.languageCode)));

const sameLanguageAmong =
  (fits: (track: PlatformTrack) => boolean): Search =>
  (tracks, target) => {
    const fitting = tracks.filter(fits);
    const code = nearestCode(
      target,
      fitting.map((track) => track.languageCode),
    );
    const sameCode = fitting.filter((track) => track.languageCode === code);
    return sameCode.find((track) => speech(track) && track.isDefaultAudio) ?? plainest(sameCode);
  };

/** Manual before recognised, the spoken language before a dub, the exact code before its variants; what is not the whole stands last. */
const searches: readonly Search[] = [
  exact(manual),
  exact((track) => speech(track) && track.isDefaultAudio),
  sameLanguageAmong(manual),
  sameLanguageAmong(speech),
  exact(partial),
  sameLanguageAmong(partial),
];

/** The track that is in the wanted language without translation, or null. */
const findNativeTrack: Search = (tracks, target) => {
  for (const search of searches) {
    const track = search(tracks, target);
    if (track !== null) return track;
  }
  return null;
};

/** The track in the spoken language, if the platform says which that is: manual before recognised. */
const findSpokenTrack = (tracks: Tracks): PlatformTrack | null =>
  plainest(tracks.filter((track) => manual(track) && track.isDefaultAudio)) ??
  tracks.find((track) => speech(track) && track.isDefaultAudio) ??
  plainest(tracks.filter((track) => partial(track) && track.isDefaultAudio));

/** The native track of the first language of a preference that has one, or null. */
const findPreferredTrack: Search = (tracks, preference) => {
  for (const language of languagesIn(preference)) {
    const track = language === ORIGINAL_LANGUAGE ? findSpokenTrack(tracks) : findNativeTrack(tracks, language);
    if (track !== null) return track;
  }
  return null;
};

/** The language to translate to if no track is native: the first that has a name. */
const findNamed = (preference: string): string | null =>
  languagesIn(preference).find((language) => language !== ORIGINAL_LANGUAGE) ?? null;

const LAST_RESORT = 'en';

/** If the spoken language is known, captions in another language are no source, even if the platform shows them first. */
const isBelievable = (tracks: Tracks, track: PlatformTrack): boolean =>
  track.isDefaultAudio || !tracks.some(({ isDefaultAudio }) => isDefaultAudio);

/**
 * The source of fallbacks and translations: a track of the wanted language in another script (zh-Hans for zh-TW), else one in the video's
 * own language.
 */
const findSourceTrack = (tracks: Tracks, target: string | null): PlatformTrack | null => {
  const matchingTracks = tracks.filter(
    (track) => target !== null && isSamePrimaryLanguage(track.languageCode, target),
  );
  return findOriginalTrack(matchingTracks.length > 0 ? matchingTracks : tracks);
};

const findOriginalTrack = (tracks: Tracks): PlatformTrack | null => {
  const only = (fits: (track: PlatformTrack) => boolean) => {
    const fitting = tracks.filter(fits);
    return fitting.length === 1 ? (fitting[0] ?? null) : null;
  };
  return (
    tracks.find((track) => track.isDefault && !isPartial(track) && isBelievable(tracks, track)) ??
    findSpokenTrack(tracks) ??
    only(speech) ??
    // The spoken language is unknown: English if there is any, since the order of the list means nothing.
    findNativeTrack(tracks, LAST_RESORT) ??
    plainest(tracks)
  );
};

/** `language` is a preference in canonical form. */
type LanguageOptions = { readonly language: string; readonly fallback: boolean };
type TracksChooseTrack = Pick<VideoInspection, 'tracks' | 'translationLanguages'>;

const toChoice = (
  track: PlatformTrack,
  details: Pick<TrackChoice, 'isFallback' | 'translation'> & Partial<TrackChoice>,
): TrackChoice => ({
  track: pick(track, 'languageCode', 'kind', 'vssId', 'position', 'isDefaultAudio'),
  translateTo: null,
  delivered: details.translateTo ?? track.languageCode,
  fallbackChoice: null,
  ...details,
});

type Translation = { readonly source: PlatformTrack; readonly translateTo: string };

/** The translation to the first named language; null if no track may be translated to it. */
const findTranslation = (inspection: TracksChooseTrack, preference: string): Translation | null => {
  const language = findNamed(preference);
  if (language === null) return null;
  const source = findSourceTrack(
    inspection.tracks.filter((track) => track.isTranslatable),
    language,
  );
  const translateTo = nearestCode(language, inspection.translationLanguages);
  if (source === null || translateTo === null) return null;
  // A track "translated" to its own language comes back damaged.
  return sameLanguage(source.languageCode, translateTo) ? null : { source, translateTo };
};

/** True if asking further strategies cannot change what is delivered. */
export const isChoiceFinal = (inspection: TracksChooseTrack, preference: string): boolean =>
  findPreferredTrack(inspection.tracks, preference) !== null ||
  findTranslation(inspection, preference) !== null ||
  findNamed(preference) === null ||
  !inspection.tracks.some((track) => track.isTranslatable);

const LANGUAGE_FACT_TTL_S = 3600;

const refuse = (inspection: VideoInspection, outcome: TranslationOutcome): never => {
  const { video, tracks } = inspection;
  if (outcome === 'refused') throw platformError('translation_refused', { video, tracks });
  throw languageUnavailable([...new Set(tracks.map((track) => track.languageCode))], {
    fact: shortLivedFact(LANGUAGE_FACT_TTL_S),
    video,
    tracks,
  });
};

/**
 * Chooses the track to deliver (specification, part 2, language contract): of a preference the first language with a native track, else what
 * a request for its first named language gets. Pure. Throws `no_captions` if there is no track. In strict
 * mode throws `language_unavailable` with the codes of the video's own tracks, or `translation_refused` if the lists of languages are
 * incomplete.
 */
export const chooseTrack = (inspection: VideoInspection, languageOptions: LanguageOptions): TrackChoice => {
  const native = findPreferredTrack(inspection.tracks, languageOptions.language);
  if (native !== null) return toChoice(native, { isFallback: false, translation: 'not_requested' });
  const source = findSourceTrack(inspection.tracks, findNamed(languageOptions.language));
  if (source === null) throw platformError('no_captions', { video: inspection.video });
  const fallBack = (translation: TranslationOutcome) =>
    languageOptions.fallback ? toChoice(source, { isFallback: true, translation }) : null;
  const translation = findTranslation(inspection, languageOptions.language);
  if (translation !== null) {
    return toChoice(translation.source, {
      translateTo: translation.translateTo,
      isFallback: false,
      translation: 'served',
      fallbackChoice: fallBack('refused'),
    });
  }
  const isKnown = inspection.translationsComplete || isChoiceFinal(inspection, languageOptions.language);
  const outcome = isKnown ? 'unavailable' : 'refused';
  return fallBack(outcome) ?? refuse(inspection, outcome);
};
