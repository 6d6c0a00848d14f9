import { ServiceError } from '@tds/contracts';
import { chooseTrack, cuesOf, type VideoPlatform } from '@tds/video-platform';

const LANGUAGE = 'en';
/** What no known video has a track of, so that it has to be translated. */
const TRANSLATED_TO = 'eo';
/** Its failures are those of one caller. */
const CALLER = 'canary';

export type Canary = {
  /** Null where no videos are known. */
  next(): string | null;
};

/** Each check is of another video: circuits open by the failures of several. */
export const createCanary = (videoIds: readonly string[]): Canary => {
  let checks = 0;
  return {
    next() {
      checks += 1;
      return videoIds[checks % videoIds.length] ?? null;
    },
  };
};

const isRefusal = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'translation_refused';

/** Whether the platform translates; null where the video, or a failure of another kind, does not tell. */
export const checkTranslation = async (
  platform: VideoPlatform,
  videoId: string,
  signal: AbortSignal,
): Promise<'served' | 'refused' | null> => {
  const call = { signal, callerId: CALLER };
  try {
    const inspection = await platform.inspectVideo(videoId, { language: TRANSLATED_TO }, call);
    const choice = chooseTrack(inspection, { language: TRANSLATED_TO, fallback: true });
    if (choice.translation !== 'served') return choice.translation === 'refused' ? 'refused' : null;
    await platform.fetchTrack(inspection, choice, call, cuesOf);
    return 'served';
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // Of all other failures the routes tell.
    return isRefusal(error) ? 'refused' : null;
  }
};

export const checkRoutes = (platform: VideoPlatform, videoId: string, signal: AbortSignal) =>
  platform.checkRoutes(videoId, { language: LANGUAGE }, { signal, callerId: CALLER });
