import type { VideoDetails } from '@tds/contracts';
import { type Meaning, meanings } from '../classification/index.ts';
import { isoDate } from '../reading/index.ts';
import {
  askRoutes,
  callError,
  conclude,
  type Engine,
  findCertainError,
  noEvidence,
  withinCall,
} from '../serving/index.ts';
import type { Call } from '../types.ts';
import type { SeenVideo } from './types.ts';

const toSeenVideo = (id: string, video: VideoDetails | null, broadcast: SeenVideo['broadcast']): SeenVideo => ({
  id,
  title: video?.title ?? null,
  publishedAt: isoDate(video?.published_at),
  durationSeconds: video?.duration ?? null,
  thumbnailUrl: null,
  isShort: null,
  broadcast,
});

const hides = new Set<Meaning>([meanings.hidden, meanings.membersFirst]);

/** The details of a video from its player; null if it cannot be seen. @throws PlatformError if no route could say. */
export const lookUpVideo = (engine: Engine, videoId: string, call: Call): Promise<SeenVideo | null> =>
  withinCall(engine, call, async (open) => {
    let evidence = noEvidence;
    for await (const asked of askRoutes(engine, open, videoId)) {
      const { answer } = asked;
      if (answer.kind === 'ok') return toSeenVideo(videoId, answer.value.video, answer.value.broadcast);
      const { meaning, video, broadcast } = answer.refusal;
      evidence = asked.evidence;
      const isHidden = evidence.refusals.some(({ refusal }) => hides.has(refusal.meaning));
      const hidden = isHidden ? toSeenVideo(videoId, video, 'hidden') : null;
      if (meaning.code === 'transcript_not_ready') return hidden ?? toSeenVideo(videoId, video, broadcast);
      if (findCertainError(evidence) !== null) return hidden;
    }
    throw callError(engine, call, open.plan, ({ player }) => player, conclude(evidence, engine.routes));
  });
