import type { Sql } from '@tds/base';
import { DAY_MS, languagesIn } from '@tds/contracts';
import { chooseTrack, sameLanguage, type VideoInspection } from '@tds/video-platform';
import type { Choice, TrackIdentity } from '../domain/transcript.ts';
import { endSelections, findKeptTracks } from './store/selections.ts';

type RankedTrack = Pick<TrackIdentity, 'languageCode' | 'kind'>;

/** The distance is above every place in a list; a place is above the kind. The last two are fallbacks. */
const LEVELS = { not_requested: 200, served: 100, unavailable: 0, refused: -100 };
const BEST = LEVELS.not_requested + 1;

/** Native, translated, fallback, refused for now; of a list the earlier language; written before recognised. */
export const rankTrack = (
  language: string,
  { translation }: Pick<Choice, 'translation'>,
  { languageCode, kind }: RankedTrack,
): number => {
  const place = languagesIn(language).findIndex((candidate) => sameLanguage(candidate, languageCode));
  return LEVELS[translation] - Math.max(0, place) * 2 + (kind === 'manual' ? 1 : 0);
};

/** Owners write captions within days. */
const YOUNG_MS = 30 * DAY_MS;

/** When the platform is asked for a better track; null if it is not asked. */
export const nextCheckAt = (rank: number, publishedAt: string | null, now: Date): Date | null => {
  const isYoung = publishedAt === null || now.getTime() - Date.parse(publishedAt) < YOUNG_MS;
  return rank < BEST && isYoung ? new Date(now.getTime() + DAY_MS) : null;
};

/**
 * Ends the selections of a video for which the platform has a better track than the kept one, but that of `fetchedLanguage`, which is being replaced.
 * Returns their languages.
 */
export const endOutdatedSelections = async (
  { sql }: { readonly sql: Sql },
  inspection: VideoInspection,
  fetchedLanguage?: string,
): Promise<readonly string[]> => {
  const { video, tracks } = inspection;
  if (tracks.length === 0) return [];
  const outdated = (await findKeptTracks(sql, video.id)).filter(({ language, ...current }) => {
    if (language === fetchedLanguage) return false;
    const choice = chooseTrack(inspection, { language, fallback: true });
    const { delivered: languageCode, track } = choice;
    return (
      rankTrack(language, choice, { languageCode, kind: track.kind }) > rankTrack(language, current, current)
    );
  });
  return await endSelections(sql, video.id, outdated);
};
