import type { VideoDetails } from '@tds/contracts';
import type { Refusal } from '../classification/refusal.ts';
import { platformError } from '../errors/platform-error.ts';
import { askPlayer } from '../serving/ask-player.ts';
import { cancelled, withinCall, withWait } from '../serving/call.ts';
import { type Engine, planRoutes } from '../serving/engine.ts';
import { toError } from '../serving/evidence.ts';
import type { Broadcast, Call } from '../types.ts';
import type { SeenVideo } from './types.ts';

const dateOf = (given: string | null): string | null =>
  given === null || Number.isNaN(Date.parse(given)) ? null : new Date(given).toISOString();

const seen = (id: string, video: VideoDetails | null, broadcast: Broadcast): SeenVideo => ({
  ...{ id, title: video?.title ?? null, publishedAt: dateOf(video?.published_at ?? null) },
  ...{ durationSeconds: video?.duration ?? null, thumbnailUrl: null, isShort: null },
  broadcast,
});

/** `gone` if one client's word is enough, `doubtful` if a second one has to agree, null if the refusal is not about the video. */
const witness = ({ verdict }: Refusal): 'gone' | 'doubtful' | 'exists' | null => {
  if (verdict.about !== 'video') return null;
  if (verdict.code === 'transcript_not_ready') return 'exists';
  return verdict.settles === 'at_once' ? 'gone' : 'doubtful';
};

async function askPlayers(
  engine: Engine,
  videoId: string,
  call: Call,
  signal: AbortSignal,
): Promise<SeenVideo | null> {
  const asked = { videoId, callerId: call.callerId ?? null };
  const plan = await planRoutes(engine, asked.callerId);
  const doubting = new Set<string>();
  let refusal: Refusal | null = null;
  for (const route of plan.routes.slice(0, engine.limits.attemptsPerCall)) {
    if (doubting.has(route.strategy.client)) continue;
    const answer = await askPlayer(engine, route, asked, signal);
    if (answer === null) continue;
    if (answer.kind === 'ok') return seen(videoId, answer.value.video, answer.value.broadcast);
    if (answer.kind === 'cancelled') break;
    const said = witness(answer.refusal);
    if (said === 'exists') return seen(videoId, answer.refusal.video, 'upcoming');
    if (said === 'doubtful') doubting.add(route.strategy.client);
    if (said === 'gone' || doubting.size > 1) return null;
    if (said === null) refusal = answer.refusal;
  }
  const stopped = cancelled(call);
  if (stopped !== null) throw stopped;
  const error = refusal === null ? platformError('upstream_error') : toError(refusal);
  throw withWait(engine, plan, ({ player }) => player, error);
}

/** What the player says of a video; null if it cannot be seen. @throws PlatformError if no route could tell. */
export const lookUpVideo = (engine: Engine, videoId: string, call: Call): Promise<SeenVideo | null> =>
  withinCall(call, engine.limits.callMs, (signal) => askPlayers(engine, videoId, call, signal));
