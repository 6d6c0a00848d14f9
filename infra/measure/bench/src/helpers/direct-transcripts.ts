import { normalizeCues, renderTranscript } from '@tds/transcript-format';
import { chooseTrack, createVideoPlatform, readCues } from '@tds/video-platform';
import { type DriveResult, drive } from '../support/drive.ts';
import { serveHelper } from '../support/helper.ts';
import { sha256 } from '../support/http-connection.ts';

/** The peer of the cold read: the same adapter and renderer in one script, without cache or charges. */

export type DirectOptions = { readonly videoIds: readonly string[]; readonly concurrency: number };
export type DirectResult = DriveResult & { readonly hashes: Readonly<Record<string, string>> };

const platform = createVideoPlatform({ origin: process.env.PLATFORM_ORIGIN ?? '' });
const request = { language: 'en', fallback: true };

const transcribe = async (videoId: string): Promise<string> => {
  const signal = new AbortController().signal;
  const inspection = await platform.inspectVideo(videoId, request, { signal });
  const choice = chooseTrack(inspection, request);
  const cues = normalizeCues(await platform.fetchTrack(inspection, choice, { signal }, readCues));
  const language = { delivered: choice.delivered, kind: choice.track.kind };
  return renderTranscript({ cues, video: inspection.video, language }, 'both');
};

serveHelper({
  transcribeAll: async ({ videoIds, concurrency }: DirectOptions): Promise<DirectResult> => {
    const hashes: Record<string, string> = {};
    const driven = await drive({ clients: concurrency, count: videoIds.length }, async (n) => {
      const videoId = videoIds[n] ?? '';
      hashes[videoId] = sha256(await transcribe(videoId));
    });
    return { ...driven, hashes };
  },
});
