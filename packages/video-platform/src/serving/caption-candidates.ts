import { blamesRoute, type Refusal } from '../classification/refusal.ts';
import type { PlatformError } from '../errors/platform-error.ts';
import type { Asked } from '../health/monitored-circuit.ts';
import type { Route } from '../health/route.ts';
import type { ReadTrack } from '../player/captions.ts';
import { isExpired } from '../timedtext/caption-url.ts';
import type { TrackChoice } from '../types.ts';
import { askPlayer } from './ask-player.ts';
import { mostTelling } from './conclude.ts';
import type { Engine, Plan } from './engine.ts';
import type { Source } from './evidence.ts';

export type WantedTrack = Asked & {
  readonly choice: TrackChoice;
  readonly signal: AbortSignal;
};

/** An address of the wanted track and the route it belongs to. */
export type Candidate = { readonly route: Route; readonly track: ReadTrack };

/** What went wrong so far in one fetch. */
export type Failures = {
  /** Of downloads of captions, tried or skipped because they need a token. */
  readonly downloads: Refusal[];
  /** Of players that were asked for another address. */
  readonly players: Refusal[];
  readonly gatedClients: Set<string>;
  readonly blockedEgresses: Set<string>;
};

export const noFailures = (): Failures => ({
  downloads: [],
  players: [],
  gatedClients: new Set(),
  blockedEgresses: new Set(),
});

const isGate = ({ verdict }: Refusal) => verdict.code === 'po_token_required';

/** Notes a failed download, or, if the circuit is open (`isOpen`), the failure that opened it. */
export const addFailure = (
  failures: Failures,
  { strategy, egress }: Route,
  refusal: Refusal,
  isOpen: boolean,
): void => {
  failures.downloads.push(refusal);
  if (isGate(refusal)) failures.gatedClients.add(strategy.client);
  if (!isOpen && refusal.verdict.code === 'ip_blocked') failures.blockedEgresses.add(egress.name);
};

/**
 * The error that the caller gets. If two clients ask for a token, the platform asks for one, whoever else did not answer; if
 * only one does, another client that cannot be reached now may serve the track without.
 */
export const worstFailure = ({ downloads, players, gatedClients }: Failures): PlatformError | null => {
  const otherPlayers = gatedClients.size > 1 ? [] : players;
  return (
    mostTelling(downloads.filter((refusal) => !isGate(refusal))) ??
    mostTelling(otherPlayers) ??
    mostTelling(downloads)
  );
};

/** The same track in another client's answer: by its identity, else the only one of its language and kind. */
const findIn = (source: Source, { track }: TrackChoice): ReadTrack | null => {
  const alike = source.answer.captions.tracks.filter(
    (candidate) => candidate.languageCode === track.languageCode && candidate.kind === track.kind,
  );
  const same = alike.find((candidate) => candidate.vssId === track.vssId);
  return same ?? (alike.length === 1 ? (alike[0] ?? null) : null);
};

const listingFirst = (sources: readonly Source[], translateTo: string | null): readonly Source[] => {
  const lists = ({ answer }: Source) =>
    translateTo !== null && answer.captions.translationLanguages.includes(translateTo);
  return [...sources.filter(lists), ...sources.filter((source) => !lists(source))];
};

const homeExitFirst = (routes: readonly Route[], home: string | undefined): readonly Route[] => [
  ...routes.filter((route) => route.egress.name === home),
  ...routes.filter((route) => route.egress.name !== home),
];

/** The addresses at hand, those that list the translation first; then fresh ones from the routes not tried yet. */
export async function* captionCandidates(
  engine: Engine,
  plan: Plan,
  known: readonly Source[],
  wanted: WantedTrack,
  failures: Failures,
): AsyncGenerator<Candidate> {
  const isOpen = (route: Route) => !failures.blockedEgresses.has(route.egress.name);
  const tried = new Set<Route>();
  for (const source of listingFirst(known, wanted.choice.translateTo)) {
    const track = findIn(source, wanted.choice);
    const isUsable = plan.routes.includes(source.route) && isOpen(source.route);
    if (track === null || !isUsable || isExpired(track.path, engine.clock())) continue;
    tried.add(source.route);
    yield { route: source.route, track };
  }
  const fresh = plan.routes.filter((route) => !tried.has(route));
  let asked = 0;
  for (const route of homeExitFirst(fresh, known[0]?.route.egress.name)) {
    if (wanted.signal.aborted || asked >= engine.limits.attemptsPerCall) return;
    if (!isOpen(route) || !route.timedtext.isReady()) continue;
    const answer = await askPlayer(engine, route, wanted, wanted.signal);
    if (answer !== null) asked += 1;
    if (answer?.kind === 'refused' && blamesRoute(answer.refusal)) {
      failures.players.push(answer.refusal);
    }
    if (answer?.kind !== 'ok') continue;
    const track = findIn({ route, answer: answer.value }, wanted.choice);
    if (track !== null) yield { route, track };
  }
}
