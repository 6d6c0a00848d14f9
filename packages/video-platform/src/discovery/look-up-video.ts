import type { VideoDetails } from '@tds/contracts';
import { askPlayer } from '../serving/ask-player.ts';
import { callError, withinCall } from '../serving/call.ts';
import type { Engine } from '../serving/engine.ts';
import { conclude, findCertainError, nextRoute, noEvidence, withAnswer } from '../serving/evidence.ts';
import { isoDate } from '../tolerant.ts';
import type { Broadcast, Call } from '../types.ts';
import type { SeenVideo } from './types.ts';

const toSeenVideo = (id: string, video: VideoDetails | null, broadcast: Broadcast): SeenVideo => ({
  id,
  title: video?.title ?? null,
  publishedAt: isoDate(video?.published_at),
  durationSeconds: video?.duration ?? null,
  thumbnailUrl: null,
  isShort: null,
  broadcast,
});

/** The details of a video from its player; null if it cannot be seen. @throws PlatformError if no route could say. */
export const lookUpVideo = (engine: Engine, videoId: string, call: Call): Promise<SeenVideo | null> =>
  withinCall(engine, call, async ({ plan, callerId, signal }) => {
    let evidence = noEvidence;
    let remaining = plan.routes;
    for (let attempts = 0; !signal.aborted && attempts < engine.limits.attemptsPerCall; ) {
      const route = nextRoute(evidence, remaining);
      if (route === null) break;
      remaining = remaining.filter((other) => other !== route);
      const answer = await askPlayer(engine, route, { videoId, callerId }, signal);
      if (answer === null) continue;
      if (answer.kind === 'cancelled') break;
      if (answer.kind === 'ok') return toSeenVideo(videoId, answer.value.video, answer.value.broadcast);
      const { meaning, video, broadcast } = answer.refusal;
      if (meaning.code === 'transcript_not_ready') return toSeenVideo(videoId, video, broadcast);
      attempts += 1;
      evidence = withAnswer(evidence, route, answer);
      if (findCertainError(evidence) !== null) return null;
    }
    throw callError(engine, call, plan, ({ player }) => player, conclude(evidence, engine.routes));
  });
