import type { PlatformTrack } from '../types.ts';
import { isExactly, nearestCode } from './language.ts';

type Tracks = readonly PlatformTrack[];
type Search = (tracks: Tracks, wanted: string) => PlatformTrack | null;

const manual = (track: PlatformTrack) => track.kind === 'manual';
const speech = (track: PlatformTrack) => track.kind === 'asr';

/** Of several tracks of one language: the one without a name of its own, then the platform's default, then the first. */
const plainest = (tracks: Tracks): PlatformTrack | null =>
  tracks.find((track) => !track.isNamed) ?? tracks.find((track) => track.isDefault) ?? tracks[0] ?? null;

const exact =
  (fits: (track: PlatformTrack) => boolean): Search =>
  (tracks, wanted) =>
    plainest(tracks.filter((track) => fits(track) && isExactly(wanted, track.languageCode)));

const sameLanguageAmong =
  (fits: (track: PlatformTrack) => boolean): Search =>
  (tracks, wanted) => {
    const fitting = tracks.filter(fits);
    const code = nearestCode(
      wanted,
      fitting.map((track) => track.languageCode),
    );
    const ofCode = fitting.filter((track) => track.languageCode === code);
    return ofCode.find((track) => speech(track) && track.isDefaultAudio) ?? plainest(ofCode);
  };

/** In this order: people before machines, the spoken language before a dub, the exact code before its variants. */
const searches: readonly Search[] = [
  exact(manual),
  exact((track) => speech(track) && track.isDefaultAudio),
  sameLanguageAmong(manual),
  sameLanguageAmong(speech),
];

/** The track that is in the wanted language without translation, or null. */
export const findNativeTrack: Search = (tracks, wanted) => {
  for (const search of searches) {
    const track = search(tracks, wanted);
    if (track !== null) return track;
  }
  return null;
};

const LAST_RESORT = 'en';

/** If the spoken language is known, captions in another one are no source, even if the platform shows them first. */
const isBelievable = (tracks: Tracks, track: PlatformTrack): boolean =>
  track.isDefaultAudio || !tracks.some(({ isDefaultAudio }) => isDefaultAudio);

/** The track in the video's own language: what a fallback delivers and a translation starts from. */
export const findSourceTrack = (tracks: Tracks): PlatformTrack | null => {
  const only = (fits: (track: PlatformTrack) => boolean) => {
    const fitting = tracks.filter(fits);
    return fitting.length === 1 ? (fitting[0] ?? null) : null;
  };
  return (
    tracks.find((track) => track.isDefault && isBelievable(tracks, track)) ??
    plainest(tracks.filter((track) => manual(track) && track.isDefaultAudio)) ??
    tracks.find((track) => speech(track) && track.isDefaultAudio) ??
    only(speech) ??
    // The spoken language is not known: English if there is any, since the list's order means nothing.
    findNativeTrack(tracks, LAST_RESORT) ??
    plainest(tracks)
  );
};
