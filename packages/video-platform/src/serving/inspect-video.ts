import { completeVideo, type VideoDetails, videoId as wellFormedId } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { lacksForSeconds } from '../classification/index.ts';
import { isChoiceFinal } from '../tracks/index.ts';
import type { Call, VideoInspection } from '../types.ts';
import { askPlayer } from './ask-player.ts';
import { callError, type OpenCall, withinCall } from './call.ts';
import { conclude, findCertainError } from './conclude.ts';
import type { Engine } from './engine.ts';
import { ageIn, clientsOf, type Evidence, nextRoute, noEvidence, type Source, withAnswer } from './evidence.ts';

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
    lacksForSeconds: lacksForSeconds(ageIn(sources.map(({ answer }) => answer))),
    strategy: first.route.strategy.name,
    exit: first.route.exit.name,
  };
  answersBehind.set(inspection, sources);
  return inspection;
};

/** Asks route after route about a video while one is worth asking: each answer, and the evidence with it. */
export async function* askRoutes(engine: Engine, { plan, callerId, signal }: OpenCall, videoId: string) {
  let evidence = noEvidence;
  let remaining = plan.routes;
  for (let attempts = 0; !signal.aborted && attempts < engine.limits.attemptsPerCall; ) {
    const route = nextRoute(evidence, remaining);
    if (route === null) return;
    remaining = remaining.filter((other) => other !== route);
    const answer = await askPlayer(engine, route, { videoId, callerId }, signal);
    if (answer === null) continue;
    if (answer.kind === 'cancelled') return;
    attempts += 1;
    evidence = withAnswer(evidence, route, answer);
    yield { answer, evidence };
  }
}

async function gather(engine: Engine, open: OpenCall, videoId: string, language: string): Promise<Evidence> {
  let evidence = noEvidence;
  for await (const asked of askRoutes(engine, open, videoId)) {
    evidence = asked.evidence;
    const error = findCertainError(evidence);
    if (error !== null) throw error;
    const inspection = inspectionFrom(engine, evidence);
    if (inspection !== null && isChoiceFinal(inspection, language)) break;
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
  return withinCall(engine, call, async (open) => {
    const evidence = await gather(engine, open, videoId, languageOptions.language);
    const inspection = inspectionFrom(engine, evidence);
    if (inspection !== null && !call.signal?.aborted) return inspection;
    throw callError(engine, call, open.plan, ({ player }) => player, conclude(evidence, engine.routes));
  });
}
