import type { VideoDetails } from '@tds/contracts';
import type { Refusal } from '../classification/refusal.ts';
import { platformError } from '../errors/platform-error.ts';
import { askPlayer } from '../serving/ask-player.ts';
import { callError, withinCall } from '../serving/call.ts';
import type { Engine } from '../serving/engine.ts';
import { toError } from '../serving/evidence.ts';
import { isoDate } from '../tolerant.ts';
import type { Broadcast, Call } from '../types.ts';
import type { SeenVideo } from './types.ts';

const seen = (id: string, video: VideoDetails | null, broadcast: Broadcast): SeenVideo => ({
  id,
  title: video?.title ?? null,
  publishedAt: isoDate(video?.published_at),
  durationSeconds: video?.duration ?? null,
  thumbnailUrl: null,
  isShort: null,
  broadcast,
});

/** `gone` if one client's word is enough, `doubtful` if a second client has to agree, null if the refusal is not about the video. */
const witness = ({ verdict }: Refusal): 'gone' | 'doubtful' | 'exists' | null => {
  if (verdict.about !== 'video') return null;
  if (verdict.code === 'transcript_not_ready') return 'exists';
  return verdict.settles === 'at_once' ? 'gone' : 'doubtful';
};

/** The details of a video from its player; null if it cannot be seen. @throws PlatformError if no route could say. */
export const lookUpVideo = (engine: Engine, videoId: string, call: Call): Promise<SeenVideo | null> =>
  withinCall(engine, call, async ({ plan, callerId, signal }) => {
    const doubting = new Set<string>();
    let refusal: Refusal | null = null;
    for (const route of plan.routes.slice(0, engine.limits.attemptsPerCall)) {
      if (doubting.has(route.strategy.client)) continue;
      const answer = await askPlayer(engine, route, { videoId, callerId }, signal);
      if (answer === null) continue;
      if (answer.kind === 'ok') return seen(videoId, answer.value.video, answer.value.broadcast);
      if (answer.kind === 'cancelled') break;
      const said = witness(answer.refusal);
      if (said === 'exists') return seen(videoId, answer.refusal.video, 'upcoming');
      if (said === 'doubtful') doubting.add(route.strategy.client);
      if (said === 'gone' || doubting.size > 1) return null;
      if (said === null) refusal = answer.refusal;
    }
    const error = refusal === null ? platformError('upstream_error') : toError(refusal);
    throw callError(engine, call, plan, ({ player }) => player, error);
  });
