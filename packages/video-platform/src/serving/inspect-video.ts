import { serviceError, videoId as wellFormedId } from '@tds/contracts';
import type { Asked } from '../health/monitored-circuit.ts';
import { isSettled } from '../tracks/choose-track.ts';
import type { Call, VideoInspection } from '../types.ts';
import { askPlayer } from './ask-player.ts';
import { cancelled, withinCall } from './call-bounds.ts';
import { certainty, conclude } from './conclude.ts';
import { type Engine, type Plan, planRoutes } from './engine.ts';
import { clientsOf, type Evidence, isWorthAsking, noEvidence, withAnswer } from './evidence.ts';
import { Inspection } from './inspection.ts';
import { withWait } from './what-to-wait-for.ts';

const inspectionFrom = (engine: Engine, { sources }: Evidence): Inspection | null => {
  const [first, ...others] = sources;
  if (first === undefined) return null;
  const isOnlyClient = clientsOf(engine.routes.map((route) => ({ route }))).size === 1;
  return new Inspection(first, others, isOnlyClient || clientsOf(sources).size > 1);
};

async function gather(engine: Engine, plan: Plan, about: Asked, language: string, signal: AbortSignal) {
  let evidence = noEvidence;
  let asked = 0;
  for (const route of plan.routes) {
    if (signal.aborted || asked >= engine.limits.attemptsPerCall) break;
    if (!isWorthAsking(evidence, route)) continue;
    const answer = await askPlayer(engine, route, about, signal);
    if (answer === null) continue;
    if (answer.kind === 'cancelled') break;
    asked += 1;
    evidence = withAnswer(evidence, route, answer);
    const certain = certainty(evidence);
    if (certain !== null) throw certain;
    const inspection = inspectionFrom(engine, evidence);
    if (inspection !== null && isSettled(inspection, language)) break;
  }
  return evidence;
}

/**
 * Asks strategy after strategy what captions a video has, until it is known: by tracks that satisfy the wanted language,
 * by a definite refusal, or by two clients that agree. Throws PlatformError.
 */
export async function inspectVideo(
  engine: Engine,
  videoId: string,
  wanted: { readonly language: string },
  call: Call,
): Promise<VideoInspection> {
  if (!wellFormedId.safeParse(videoId).success) throw serviceError('invalid_video_id');
  const asked = { videoId, callerId: call.callerId ?? null };
  const { plan, evidence } = await withinCall(call, engine.limits.callMs, async (signal) => {
    const plan = await planRoutes(engine, asked.callerId);
    return { plan, evidence: await gather(engine, plan, asked, wanted.language, signal) };
  });
  const stopped = cancelled(call);
  if (stopped !== null) throw stopped;
  const inspection = inspectionFrom(engine, evidence);
  if (inspection === null)
    throw withWait(engine, plan, ({ player }) => player, conclude(evidence, engine.routes));
  return inspection;
}
