import { completeVideo, type VideoDetails, videoId as wellFormedId } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { Subject } from '../health/monitored-circuit.ts';
import { isSettled } from '../tracks/choose-track.ts';
import type { Broadcast, Call, PlatformTrack, VideoInspection } from '../types.ts';
import { askPlayer } from './ask-player.ts';
import { callError, withinCall } from './call.ts';
import type { Engine, Plan } from './engine.ts';
import {
  certainty,
  clientsOf,
  conclude,
  type Evidence,
  nextRoute,
  noEvidence,
  type Source,
  withAnswer,
} from './evidence.ts';

const merged = ([first, ...others]: readonly [Source, ...Source[]]): VideoDetails =>
  others.reduce((known, { answer }) => completeVideo(known, answer.video), first.answer.video);

/** An inspection that keeps the addresses of its tracks. They are private: signed, and valid for hours only. */
export class Inspection implements VideoInspection {
  readonly video: VideoDetails;
  readonly tracks: readonly PlatformTrack[];
  readonly spokenLanguage: string | null;
  readonly translationLanguages: readonly string[];
  readonly translationsComplete: boolean;
  readonly broadcast: Broadcast;
  readonly strategy: string;
  readonly exit: string;
  readonly #sources: readonly Source[];

  constructor(first: Source, others: readonly Source[], translationsComplete: boolean) {
    const sources = [first, ...others] as const;
    this.#sources = sources;
    this.video = merged(sources);
    this.tracks = first.answer.captions.tracks.map(({ path: _path, ...track }) => track);
    this.spokenLanguage = first.answer.captions.spokenLanguage;
    this.translationLanguages = [
      ...new Set(sources.flatMap((source) => source.answer.captions.translationLanguages)),
    ];
    this.translationsComplete = translationsComplete;
    this.broadcast = first.answer.broadcast;
    this.strategy = first.route.strategy.name;
    this.exit = first.route.exit.name;
  }

  /** Null if another process made the inspection. */
  static sourcesOf(inspection: VideoInspection): readonly Source[] | null {
    return inspection instanceof Inspection ? inspection.#sources : null;
  }
}

const inspectionFrom = (engine: Engine, { sources }: Evidence): Inspection | null => {
  const [first, ...others] = sources;
  if (first === undefined) return null;
  const isOnlyClient = clientsOf(engine.routes.map((route) => ({ route }))).size === 1;
  return new Inspection(first, others, isOnlyClient || clientsOf(sources).size > 1);
};

async function gather(engine: Engine, plan: Plan, about: Subject, language: string, signal: AbortSignal) {
  let evidence = noEvidence;
  let asked = 0;
  let left = plan.routes;
  while (!signal.aborted && asked < engine.limits.attemptsPerCall) {
    const route = nextRoute(evidence, left);
    if (route === null) break;
    left = left.filter((other) => other !== route);
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
 * Asks strategy after strategy until it is certain what captions a video has: tracks in the wanted language, a definite refusal, or two
 * clients that agree. Throws PlatformError.
 */
export async function inspectVideo(
  engine: Engine,
  videoId: string,
  wanted: { readonly language: string },
  call: Call,
): Promise<VideoInspection> {
  if (!wellFormedId.safeParse(videoId).success) throw serviceError('invalid_video_id');
  return withinCall(engine, call, async ({ plan, callerId, signal }) => {
    const evidence = await gather(engine, plan, { videoId, callerId }, wanted.language, signal);
    const inspection = inspectionFrom(engine, evidence);
    if (inspection !== null && !call.signal?.aborted) return inspection;
    throw callError(engine, call, plan, ({ player }) => player, conclude(evidence, engine.routes));
  });
}
