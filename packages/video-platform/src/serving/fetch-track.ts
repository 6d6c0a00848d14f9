import { type Attempt, blamesRoute, type Refusal } from '../classification/index.ts';
import { type PlatformError, platformError } from '../errors/platform-error.ts';
import type { ReadTrack } from '../player/index.ts';
import { type CaptionReader, isExpired } from '../timedtext/index.ts';
import type { Call, TrackChoice, VideoInspection } from '../types.ts';
import { askPlayer } from './ask-player.ts';
import { callError, withinCall } from './call.ts';
import { mostTelling } from './conclude.ts';
import { type Candidate, download, type TrackRequest } from './download-track.ts';
import type { Engine, Plan, Route } from './engine.ts';
import { type Source, toError } from './evidence.ts';
import { sourcesOf } from './inspect-video.ts';

/** The failures of one fetch so far. */
type Failures = {
  /** Downloads of captions that failed, or were skipped for want of a token. */
  readonly downloads: Refusal[];
  /** Players that were asked for another address and failed. */
  readonly players: Refusal[];
  readonly gatedClients: Set<string>;
  readonly blockedExits: Set<string>;
};

const noFailures = (): Failures => ({
  downloads: [],
  players: [],
  gatedClients: new Set(),
  blockedExits: new Set(),
});

const isGate = ({ meaning }: Refusal) => meaning.code === 'po_token_required';

/** Records a failed download or, if the circuit is open (`isOpen`), the failure that opened it. */
const addFailure = (failures: Failures, { strategy, exit }: Route, refusal: Refusal, isOpen: boolean): void => {
  failures.downloads.push(refusal);
  if (isGate(refusal)) failures.gatedClients.add(strategy.client);
  if (!isOpen && refusal.meaning.code === 'ip_blocked') failures.blockedExits.add(exit.name);
};

/**
 * The failure to report. If two clients require a token, the platform requires one. If only one does, a client that cannot be reached
 * now may serve the track without a token, so its failure is the one to report.
 */
const findWorstFailure = ({ downloads, players, gatedClients }: Failures): PlatformError | null => {
  const otherPlayers = gatedClients.size > 1 ? [] : players;
  const wordlessRefusal = downloads.find(({ meaning }) => meaning.code === 'no_captions');
  if (wordlessRefusal !== undefined) return toError(wordlessRefusal);
  return (
    mostTelling(downloads.filter((refusal) => !isGate(refusal))) ??
    mostTelling(otherPlayers) ??
    mostTelling(downloads)
  );
};

/** The same track in another client's answer: by its `vssId`, audio and position, else the only one of its language and kind. */
const findIn = (source: Source, { track }: TrackChoice): ReadTrack | null => {
  const alike = source.answer.captions.tracks.filter(
    (candidate) => candidate.languageCode === track.languageCode && candidate.kind === track.kind,
  );
  const same = alike.filter((candidate) => candidate.vssId === track.vssId);
  const sameAudio = same.filter((candidate) => candidate.isDefaultAudio === track.isDefaultAudio);
  const samePlace = sameAudio.find((candidate) => candidate.position === track.position);
  return samePlace ?? sameAudio[0] ?? same[0] ?? (alike.length === 1 ? (alike[0] ?? null) : null);
};

const listingFirst = (sources: readonly Source[], translateTo: string | null): readonly Source[] => {
  const lists = ({ answer }: Source) =>
    translateTo !== null && answer.captions.translationLanguages.includes(translateTo);
  return [...sources.filter(lists), ...sources.filter((source) => !lists(source))];
};

const homeExitFirst = (routes: readonly Route[], home: string | undefined): readonly Route[] => [
  ...routes.filter((route) => route.exit.name === home),
  ...routes.filter((route) => route.exit.name !== home),
];

/** Yields the known addresses, those that list the translation first; then fresh ones from the routes not tried yet. */
async function* captionCandidates(
  engine: Engine,
  plan: Plan,
  knownSources: readonly Source[],
  trackRequest: TrackRequest,
  failures: Failures,
): AsyncGenerator<Candidate> {
  const isOpen = (route: Route) => !failures.blockedExits.has(route.exit.name);
  const triedRoutes = new Set<Route>();
  for (const source of listingFirst(knownSources, trackRequest.choice.translateTo)) {
    const track = findIn(source, trackRequest.choice);
    const isUsable = plan.routes.includes(source.route) && isOpen(source.route);
    if (track === null || !isUsable || isExpired(track.path, engine.clock())) continue;
    triedRoutes.add(source.route);
    yield { route: source.route, track };
  }
  const freshRoutes = plan.routes.filter((route) => !triedRoutes.has(route));
  let attempts = 0;
  for (const route of homeExitFirst(freshRoutes, knownSources[0]?.route.exit.name)) {
    if (trackRequest.signal.aborted || attempts >= engine.limits.attemptsPerCall) return;
    if (!isOpen(route) || !route.timedtext.isReady()) continue;
    const answer = await askPlayer(engine, route, trackRequest, trackRequest.signal);
    if (answer !== null) attempts += 1;
    if (answer?.kind === 'refused' && blamesRoute(answer.refusal)) {
      failures.players.push(answer.refusal);
    }
    if (answer?.kind !== 'ok') continue;
    const track = findIn({ route, answer: answer.value }, trackRequest.choice);
    if (track !== null) yield { route, track };
  }
}

/** Two addresses with the same answer about the track are enough, and one if the platform limits translations. */
const isFinal = ({ downloads }: Failures): boolean =>
  downloads.some(({ row }) => row === 'translation_throttled') ||
  downloads.filter(({ meaning }) => trackCodes.has(meaning.code)).length > 1;

const trackCodes: ReadonlySet<string> = new Set(['translation_refused', 'no_captions']);

const refusalIn = (result: Attempt<unknown>) => (result.kind === 'refused' ? result.refusal : null);

/** Null if no address gave captions; `failures` then says why. */
async function downloadAny<Value>(
  engine: Engine,
  plan: Plan,
  knownSources: readonly Source[],
  trackRequest: TrackRequest,
  read: CaptionReader<Value>,
  failures: Failures,
): Promise<{ readonly value: Value } | null> {
  let attempts = 0;
  for await (const candidate of captionCandidates(engine, plan, knownSources, trackRequest, failures)) {
    const result = await download(engine, candidate, trackRequest, read);
    if (result?.kind === 'ok') return result;
    const isOpen = result === null;
    const refusal = isOpen ? candidate.route.timedtext.lastFailure() : refusalIn(result);
    if (refusal !== null) addFailure(failures, candidate.route, refusal, isOpen);
    attempts += 1;
    if (isFinal(failures) || trackRequest.signal.aborted || attempts >= engine.limits.attemptsPerCall) break;
  }
  return null;
}

/**
 * Downloads the chosen track from the inspection's own addresses, then from those of other strategies and exits.
 * Throws PlatformError, which is no fact about the video except `no_captions` for a track without a word.
 */
export async function fetchTrack<Value>(
  engine: Engine,
  inspection: VideoInspection,
  choice: TrackChoice,
  call: Call,
  read: CaptionReader<Value>,
): Promise<Value> {
  const knownSources = sourcesOf(inspection);
  if (knownSources === null)
    throw platformError('upstream_error', { cause: 'not an inspection of this process' });
  return withinCall(engine, call, async ({ plan, callerId, signal }) => {
    const failures = noFailures();
    const trackRequest = { videoId: inspection.video.id, callerId, choice, signal };
    const result = await downloadAny(engine, plan, knownSources, trackRequest, read, failures);
    if (result !== null) return result.value;
    const error =
      findWorstFailure(failures) ??
      platformError('upstream_error', { cause: 'no route offered an address of this track' });
    throw callError(engine, call, plan, ({ timedtext }) => timedtext, error);
  });
}
