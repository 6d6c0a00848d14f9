import { type Cue, serviceError } from '@tds/contracts';
import { withSpan } from '@tds/service-kit';
import { normalizeCues } from '@tds/transcript-format';
import { chooseTrack, type TrackChoice, type VideoInspection } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import type { Fetch } from '../store/fetches.ts';
import { findTrack } from '../store/transcripts.ts';

export type ObtainedTrack = {
  readonly inspection: VideoInspection;
  readonly choice: TrackChoice;
  /** null where the track is cached already. */
  readonly cues: readonly Cue[] | null;
  readonly cachedId: string | null;
};

/** Thrown with what was learnt of the video before one language of it failed. */
export class LanguageFailure extends Error {
  readonly inspection: VideoInspection;

  constructor(inspection: VideoInspection, cause: unknown) {
    super('the wanted language could not be obtained', { cause });
    this.inspection = inspection;
  }
}

/** Asks the platform for the best track for a wanted language; a refused translation falls back where allowed. */
export async function obtainTrack(deps: Deps, fetch: Fetch, signal: AbortSignal): Promise<ObtainedTrack> {
  const inspection = await withSpan('platform inspect-video', { kind: 'client' }, () =>
    deps.platform.inspectVideo(fetch.videoId, fetch, { signal }),
  );
  try {
    const choice = chooseTrack(inspection, fetch);
    return await obtainChoice(deps, inspection, choice, signal);
  } catch (cause) {
    throw new LanguageFailure(inspection, cause);
  }
}

async function obtainChoice(
  deps: Deps,
  inspection: VideoInspection,
  choice: TrackChoice,
  signal: AbortSignal,
): Promise<ObtainedTrack> {
  const cached = await findTrack(deps.db, trackIdentity(inspection, choice));
  if (cached) return { inspection, choice, cues: null, cachedId: cached.id };
  try {
    const fetched = await withSpan('platform fetch-track', { kind: 'client' }, () =>
      deps.platform.fetchTrack(inspection, choice, { signal }),
    );
    const cues = normalizeCues(fetched);
    if (cues.length === 0)
      throw serviceError('upstream_error', { message: 'The platform answered no captions.' });
    return { inspection, choice, cues, cachedId: null };
  } catch (error) {
    const isRefused = error instanceof Error && 'code' in error && error.code === 'translation_refused';
    if (!isRefused || !choice.fallbackChoice) throw error;
    return await obtainChoice(deps, inspection, choice.fallbackChoice, signal);
  }
}

export const trackIdentity = (inspection: VideoInspection, choice: TrackChoice) => ({
  videoId: inspection.video.id,
  languageCode: choice.delivered,
  kind: choice.track.kind,
  translated: choice.translateTo !== null,
});
