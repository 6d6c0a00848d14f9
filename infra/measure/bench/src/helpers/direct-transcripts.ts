import { normalizeCues, renderTranscript } from '@tds/transcript-format';
import { chooseTrack, createVideoPlatform, cuesOf } from '@tds/video-platform';
import { type Driven, drive } from '../support/drive.ts';
import { serveHelper } from '../support/helper.ts';
import { sha256 } from '../support/http-connection.ts';

/** The peer of the cold read: the same adapter and renderer in one script, without cache or charges. */

export type DirectOptions = { readonly videoIds: readonly string[]; readonly atOnce: number };
export type DirectResult = Driven & { readonly hashes: Readonly<Record<string, string>> };

const platform = createVideoPlatform({ origin: process.env.PLATFORM_ORIGIN ?? '' });
const wanted = { language: 'en', fallback: true };

const transcribe = async (videoId: string): Promise<string> => {
  const signal = new AbortController().signal;
  const inspection = await platform.inspectVideo(videoId, wanted, { signal });
  const choice = chooseTrack(inspection, wanted);
  const cues = normalizeCues(await platform.fetchTrack(inspection, choice, { signal }, cuesOf));
  const language = { delivered: choice.delivered, kind: choice.track.kind };
  return renderTranscript({ cues, video: inspection.video, language }, 'both');
};

serveHelper({
  transcribeAll: async ({ videoIds, atOnce }: DirectOptions): Promise<DirectResult> => {
    const hashes: Record<string, string> = {};
    const driven = await drive({ clients: atOnce, count: videoIds.length }, async (n) => {
      const videoId = videoIds[n] ?? '';
      hashes[videoId] = sha256(await transcribe(videoId));
    });
    return { ...driven, hashes };
  },
});
