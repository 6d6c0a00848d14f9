import { completeVideo, type VideoDetails, videoId as wellFormedId } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { Subject } from '../health/monitored-circuit.ts';
import { isSettled } from '../tracks/choose-track.ts';
import type { Call, VideoInspection } from '../types.ts';
import { askPlayer } from './ask-player.ts';
import { callError, withinCall } from './call.ts';
import type { Engine, Plan } from './engine.ts';
import {
  clientsOf,
  conclude,
  type Evidence,
  findCertainError,
  nextRoute,
  noEvidence,
  type Source,
  withAnswer,
} from './evidence.ts';

const mergeVideos = ([first, ...otherSources]: readonly [Source, ...Source[]]): VideoDetails =>
  otherSources.reduce((details, { answer }) => completeVideo(details, answer.video), first.answer.video);

/** The answers behind an inspection, with the addresses of its tracks. They are private: signed, and valid for hours only. */
const answersBehind = new WeakMap<VideoInspection, readonly Source[]>();

/** Null if another process made the inspection. */
export const sourcesOf = (inspection: VideoInspection): readonly Source[] | null =>
  answersBehind.get(inspection) ?? null;

const inspectionFrom = (engine: Engine, { sources }: Evidence): VideoInspection | null => {
  const [first, ...others] = sources;
  if (first === undefined) return null;
  const { captions, broadcast } = first.answer;
  const isOnlyClient = clientsOf(engine.routes.map((route) => ({ route }))).size === 1;
  const inspection: VideoInspection = {
    video: mergeVideos([first, ...others]),
    tracks: captions.tracks.map(({ path: _path, ...track }) => track),
    spokenLanguage: captions.spokenLanguage,
    translationLanguages: [...new Set(sources.flatMap(({ answer }) => answer.captions.translationLanguages))],
    translationsComplete: isOnlyClient || clientsOf(sources).size > 1,
    broadcast,
    strategy: first.route.strategy.name,
    exit: first.route.exit.name,
  };
  answersBehind.set(inspection, sources);
  return inspection;
};

async function gather(engine: Engine, plan: Plan, subject: Subject, language: string, signal: AbortSignal) {
  let evidence = noEvidence;
  let attempts = 0;
  let remaining = plan.routes;
  while (!signal.aborted && attempts < engine.limits.attemptsPerCall) {
    const route = nextRoute(evidence, remaining);
    if (route === null) break;
    remaining = remaining.filter((other) => other !== route);
    const answer = await askPlayer(engine, route, subject, signal);
    if (answer === null) continue;
    if (answer.kind === 'cancelled') break;
    attempts += 1;
    evidence = withAnswer(evidence, route, answer);
    const error = findCertainError(evidence);
    if (error !== null) throw error;
    const inspection = inspectionFrom(engine, evidence);
    if (inspection !== null && isSettled(inspection, language)) break;
  }
  return evidence;
}

/**
 * Asks strategy after strategy until it is certain what captions a video has: tracks in the wanted language, a definite refusal, or two
 * clients that agree. Throws PlatformError.
 */
export async function inspectVideo(
  engine: Engine,
  videoId: string,
  languageOptions: { readonly language: string },
  call: Call,
): Promise<VideoInspection> {
  if (!wellFormedId.safeParse(videoId).success) throw serviceError('invalid_video_id');
  return withinCall(engine, call, async ({ plan, callerId, signal }) => {
    const evidence = await gather(engine, plan, { videoId, callerId }, languageOptions.language, signal);
    const inspection = inspectionFrom(engine, evidence);
    if (inspection !== null && !call.signal?.aborted) return inspection;
    throw callError(engine, call, plan, ({ player }) => player, conclude(evidence, engine.routes));
  });
}
