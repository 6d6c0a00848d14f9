import { createHash } from 'node:crypto';
import { normalizeCues, renderTranscript } from '@tds/transcript-format';
import { chooseTrack, createVideoPlatform, cuesOf } from '@tds/video-platform';
import { serveHelper } from '../support/helper.ts';

/** The peer of the cold read: the same adapter and renderer in one script, without cache or charges. */

export type DirectOptions = { readonly videoIds: readonly string[]; readonly atOnce: number };
export type DirectResult = {
  readonly wallMs: Float64Array;
  readonly hashes: Readonly<Record<string, string>>;
  readonly cpuMicros: number;
};

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

const transcribeAll = async ({ videoIds, atOnce }: DirectOptions): Promise<DirectResult> => {
  const wallMs = new Float64Array(videoIds.length);
  const hashes: Record<string, string> = {};
  let next = 0;
  const cpuBefore = process.cpuUsage();
  const work = async (): Promise<void> => {
    while (next < videoIds.length) {
      const index = next;
      next += 1;
      const videoId = videoIds[index] ?? '';
      const startedAt = performance.now();
      const text = await transcribe(videoId);
      wallMs[index] = performance.now() - startedAt;
      hashes[videoId] = createHash('sha256').update(text).digest('hex');
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const { user, system } = process.cpuUsage(cpuBefore);
  return { wallMs, hashes, cpuMicros: user + system };
};

serveHelper({ transcribeAll });
