import type { TranslationOutcome } from '@tds/contracts';
import { languageUnavailable, platformError, shortLivedFact } from '../errors/platform-error.ts';
import type { PlatformTrack, TrackChoice, VideoInspection } from '../types.ts';
import { findNativeTrack, findSourceTrack } from './find-track.ts';
import { nearestCode, sameLanguage } from './language.ts';

export type Wanted = { readonly language: string; readonly fallback: boolean };
type Tracks = Pick<VideoInspection, 'tracks' | 'translationLanguages'>;

const choiceOf = (
  track: PlatformTrack,
  rest: Pick<TrackChoice, 'isFallback' | 'translation'> & Partial<TrackChoice>,
): TrackChoice => ({
  track: { languageCode: track.languageCode, kind: track.kind, vssId: track.vssId },
  translateTo: null,
  delivered: rest.translateTo ?? track.languageCode,
  fallbackChoice: null,
  ...rest,
});

export type Translation = { readonly source: PlatformTrack; readonly translateTo: string };

/** How the wanted language can be had by translation; null if no track may be translated to it. */
export const findTranslation = (inspection: Tracks, language: string): Translation | null => {
  const source = findSourceTrack(inspection.tracks.filter((track) => track.isTranslatable));
  const translateTo = nearestCode(language, inspection.translationLanguages);
  if (source === null || translateTo === null) return null;
  // A track "translated" to its own language comes back damaged.
  return sameLanguage(source.languageCode, translateTo) ? null : { source, translateTo };
};

/** True if asking further strategies cannot change what is delivered. */
export const isSettled = (inspection: Tracks, language: string): boolean =>
  findNativeTrack(inspection.tracks, language) !== null ||
  findTranslation(inspection, language) !== null ||
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
 * Decides what to deliver (specification, part 2, language contract). Pure. In strict mode throws
 * `language_unavailable` with the codes of the video's own tracks, or `translation_refused` where the lists of
 * languages could not be completed; `no_captions` where there is no track at all.
 */
export const chooseTrack = (inspection: VideoInspection, wanted: Wanted): TrackChoice => {
  const native = findNativeTrack(inspection.tracks, wanted.language);
  if (native !== null) return choiceOf(native, { isFallback: false, translation: 'not_requested' });
  const source = findSourceTrack(inspection.tracks);
  if (source === null) throw platformError('no_captions', { video: inspection.video });
  const fallBack = (translation: TranslationOutcome) =>
    wanted.fallback ? choiceOf(source, { isFallback: true, translation }) : null;
  const translation = findTranslation(inspection, wanted.language);
  if (translation !== null) {
    return choiceOf(translation.source, {
      translateTo: translation.translateTo,
      isFallback: false,
      translation: 'served',
      fallbackChoice: fallBack('refused'),
    });
  }
  const isKnown = inspection.translationsComplete || isSettled(inspection, wanted.language);
  const outcome = isKnown ? 'unavailable' : 'refused';
  return fallBack(outcome) ?? refuse(inspection, outcome);
};
