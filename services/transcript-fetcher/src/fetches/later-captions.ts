import { randomUUID } from 'node:crypto';
import type { Bodies, Log, Sql } from '@tds/base';
import { DAY_MS, languagesIn, storedFormat, transcriptFetcher } from '@tds/contracts';
import type { Objects } from '@tds/objects';
import { chooseTrack, sameLanguage, type VideoInspection } from '@tds/video-platform';
import type { Choice, TrackIdentity } from '../domain/transcript.ts';
import {
  claimEndedSelections,
  type EndedSelections,
  endSelections,
  findKeptTracks,
} from '../tracks/store/selections.ts';
import { endRows } from './store/end-rows.ts';
import type { StartedFetch } from './store/rows.ts';
import { type FetchResult, MAX_FETCH_MS } from './worker.ts';

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

/** Makes what gateways answer from the cache be asked for anew. */
export const forgetProjection = async (
  { bodies }: { readonly bodies: Bodies },
  { videoId, language }: Pick<StartedFetch, 'videoId' | 'language'>,
): Promise<void> => {
  const keys = ['true', 'false'].flatMap((fallback) =>
    storedFormat.options.map((format) => [videoId, language, fallback, format] as const),
  );
  await Promise.all(keys.map((key) => bodies.forget(transcriptFetcher.renderedSelection, [...key])));
};

/** Of one process; what finds no place is looked for at a later read. */
const MAX_WAITING = 100;

type LaterDeps = {
  readonly sql: Sql;
  readonly objects: Objects;
  readonly bodies: Bodies;
  readonly log: Log;
  fetchTrack(fetch: StartedFetch, signal: AbortSignal): Promise<FetchResult>;
};

/** Asks the platform for better tracks in the place of kept ones whose time has ended, one after another, beside the readers. */
export const createLaterCaptions = (deps: LaterDeps) => {
  const stopping = new AbortController();
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();
  const replace = async (fetch: StartedFetch): Promise<void> => {
    const limit = AbortSignal.timeout(MAX_FETCH_MS);
    const { end, objects } = await deps.fetchTrack(fetch, AbortSignal.any([stopping.signal, limit]));
    // What is kept stays, and is looked for again after its claim.
    if (end.error !== null) return;
    if (objects.length > 0) await deps.objects.putAll([...objects]);
    await endRows(deps.sql, [{ ...end, reportTo: null }], randomUUID());
    await forgetProjection(deps, fetch);
  };
  const enqueue = (fetch: StartedFetch): Promise<void> => {
    waiting += 1;
    last = last
      .then(() => replace(fetch))
      .catch((error: unknown) => {
        const { videoId } = fetch;
        if (!stopping.signal.aborted) deps.log.warn('looking for later captions failed', { videoId, error });
      })
      .finally(() => {
        waiting -= 1;
      });
    return last;
  };
  return {
    /** Resolves when all that has ended was looked for; never rejects. */
    async refresh(selections: EndedSelections): Promise<void> {
      const maxFetches = Math.max(0, MAX_WAITING - waiting);
      const fetches = await claimEndedSelections(deps.sql, selections, maxFetches).catch(() => []);
      await Promise.all(fetches.map(enqueue));
    },
    async stop(): Promise<void> {
      stopping.abort(new Error('the service stops'));
      await last;
    },
  };
};
export type LaterCaptions = ReturnType<typeof createLaterCaptions>;
