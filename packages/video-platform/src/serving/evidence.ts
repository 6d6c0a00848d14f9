import type { VideoDetails } from '@tds/contracts';
import {
  type Attempt,
  notReady,
  type Refusal,
  UNKNOWN_REASON_TTL_S,
  UPCOMING_TTL_S,
} from '../classification/refusal.ts';
import {
  durableFact,
  type Fact,
  type PlatformError,
  type PlatformErrorCode,
  platformError,
  shortLivedFact,
  withoutAsking,
} from '../errors/platform-error.ts';
import type { ReadCaptions } from '../player/captions.ts';
import type { PlayerAnswer } from '../player/read-player.ts';
import type { Broadcast } from '../types.ts';
import type { Route } from './engine.ts';

/** An answer with captions, and the route it came by. */
export type Source = { readonly route: Route; readonly answer: PlayerAnswer };
type Silence = { readonly route: Route; readonly video: VideoDetails; readonly broadcast: Broadcast };
type Refused = { readonly route: Route; readonly refusal: Refusal };

/** The answers of the routes asked so far about one video. */
export type Evidence = {
  readonly sources: readonly Source[];
  /** Playable, but without captions. */
  readonly silences: readonly Silence[];
  readonly refusals: readonly Refused[];
};

export const noEvidence: Evidence = { sources: [], silences: [], refusals: [] };

const hasTracks = (captions: ReadCaptions) => captions.tracks.length > 0;

export const withAnswer = (
  evidence: Evidence,
  route: Route,
  attempt: Exclude<Attempt<PlayerAnswer>, { kind: 'cancelled' }>,
): Evidence => {
  if (attempt.kind === 'refused') {
    return { ...evidence, refusals: [...evidence.refusals, { route, refusal: attempt.refusal }] };
  }
  const { value: answer } = attempt;
  if (hasTracks(answer.captions)) return { ...evidence, sources: [...evidence.sources, { route, answer }] };
  const silence = { route, video: answer.video, broadcast: answer.broadcast };
  return { ...evidence, silences: [...evidence.silences, silence] };
};

const refusalsThat = (evidence: Evidence, settles: Refusal['verdict']['settles']): readonly Refused[] =>
  evidence.refusals.filter((refused) => refused.refusal.verdict.settles === settles);

export const clientsOf = (witnesses: readonly { readonly route: Route }[]): ReadonlySet<string> =>
  new Set(witnesses.map((witness) => witness.route.strategy.client));

const exitsOf = (witnesses: readonly { readonly route: Route }[]): ReadonlySet<string> =>
  new Set(witnesses.map((witness) => witness.route.egress.name));

const BLOCKS_THAT_CLOSE_AN_EXIT = 2;

/** Returns false if the route can add nothing, or is known to be blocked for this call. */
export const isWorthAsking = (evidence: Evidence, route: Route): boolean => {
  const heard = [...evidence.sources, ...evidence.silences, ...refusalsThat(evidence, 'by_two_clients')];
  if (clientsOf(heard).has(route.strategy.client)) return false;
  if (exitsOf(refusalsThat(evidence, 'after_all_exits')).has(route.egress.name)) return false;
  // Player and captions of one video go through one egress.
  if (evidence.sources.length > 0) return exitsOf(evidence.sources).has(route.egress.name);
  const blocks = evidence.refusals.filter(
    ({ route: blocked, refusal }) =>
      blocked.egress.name === route.egress.name && refusal.verdict.code === 'ip_blocked',
  );
  return clientsOf(blocks).size < BLOCKS_THAT_CLOSE_AN_EXIT;
};

const LIVE_TTL_S = 5 * 60;
const ENDED_RECENTLY_TTL_S = 3600;
const UNCONFIRMED_TTL_S = 3600;

const silentFact: Readonly<Record<Broadcast, Fact>> = {
  none: durableFact,
  live: shortLivedFact(LIVE_TTL_S),
  upcoming: shortLivedFact(UPCOMING_TTL_S),
  ended_recently: shortLivedFact(ENDED_RECENTLY_TTL_S),
};

export const toError = (
  { verdict, ...refusal }: Refusal,
  fact: Fact = verdict.fact,
  video = refusal.video,
): PlatformError => {
  const { code, errorClass, message } = verdict;
  const { retryAfterSeconds } = refusal;
  return platformError(code, {
    fact,
    video,
    cause: refusal.cause ?? `${refusal.row}: ${refusal.reason ?? refusal.subreason ?? 'no reason given'}`,
    ...(errorClass && { errorClass }),
    ...(message && { message }),
    ...(retryAfterSeconds !== null && { retryAfterSeconds }),
  });
};

const detailed = (videos: readonly (VideoDetails | null)[]): VideoDetails | null =>
  videos.find((video) => video?.title) ?? videos.find((video) => video !== null) ?? null;

const unavailable = (witnesses: readonly Refused[], fact?: Fact): PlatformError | null => {
  const refusals = witnesses.map((witness) => witness.refusal);
  const [first] = refusals;
  if (first === undefined) return null;
  // If one client's refusal is not durable, nothing may be stored for good.
  const weakest = refusals.find((refusal) => refusal.verdict.fact.kind !== 'durable') ?? first;
  return toError(first, fact ?? weakest.verdict.fact, detailed(refusals.map((refusal) => refusal.video)));
};

const silent = (silences: readonly Silence[], isConfirmed: boolean): PlatformError | null => {
  const [first] = silences;
  if (first === undefined) return null;
  const video = detailed(silences.map((silence) => silence.video));
  // Believe the clients that know of a broadcast, even if others do not: captions may still come.
  const { broadcast } = silences.find((silence) => silence.broadcast !== 'none') ?? first;
  const fact = silentFact[broadcast];
  if (broadcast === 'live' || broadcast === 'upcoming') {
    const { code, ...texts } = notReady[broadcast];
    return platformError(code, { ...texts, fact, video });
  }
  const isUnconfirmed = fact.kind === 'durable' && !isConfirmed;
  return platformError('no_captions', {
    fact: isUnconfirmed ? shortLivedFact(UNCONFIRMED_TTL_S) : fact,
    video,
  });
};

const WITNESSES = 2;

/** The error if the answers so far are enough to conclude; null if another route has to be asked. */
export const certainty = (evidence: Evidence): PlatformError | null => {
  const { sources, silences } = evidence;
  if (sources.length > 0) return null;
  if (clientsOf(silences).size >= WITNESSES) return silent(silences, true);
  const onAir = silences.filter((silence) => silence.broadcast !== 'none');
  if (silences.length > 0) return silent(onAir, false);
  const definite = unavailable(refusalsThat(evidence, 'at_once'));
  if (definite !== null) return definite;
  const agreeing = refusalsThat(evidence, 'by_two_clients');
  return clientsOf(agreeing).size >= WITNESSES ? unavailable(agreeing) : null;
};

/** Of several failures the caller gets the first in this order. */
const TELLING: readonly PlatformErrorCode[] = [
  'ip_blocked',
  'rate_limited',
  'translation_refused',
  'upstream_error',
  'po_token_required',
];

export const mostTelling = (refusals: readonly Refusal[]): PlatformError | null => {
  const code = TELLING.find((candidate) => refusals.some((refusal) => refusal.verdict.code === candidate));
  const refusal = refusals.find((candidate) => candidate.verdict.code === code);
  return refusal === undefined ? null : toError(refusal);
};

const notHere = (evidence: Evidence, routes: readonly Route[]): PlatformError | null => {
  const witnesses = refusalsThat(evidence, 'after_all_exits');
  const egresses = new Set(witnesses.map((witness) => witness.route.egress.name));
  if (egresses.size === 0) return null;
  if (egresses.size === new Set(routes.map((route) => route.egress.name)).size) return unavailable(witnesses);
  return egresses.size >= WITNESSES ? unavailable(witnesses, shortLivedFact(UNKNOWN_REASON_TTL_S)) : null;
};

/** The failure that closed the routes. Other videos caused it, so it carries no facts about this one. */
const notAsked = (routes: readonly Route[]): PlatformError =>
  withoutAsking(
    mostTelling(routes.flatMap((route) => route.player.lastFailure() ?? [])) ??
      platformError('upstream_error', { cause: 'no route could be asked' }),
  );

/** The error of a call that has no route left to ask. `routes` are all configured routes. */
export const conclude = (evidence: Evidence, routes: readonly Route[]): PlatformError => {
  const isOnlyClient = clientsOf(routes.map((route) => ({ route }))).size === 1;
  const said = silent(evidence.silences, isOnlyClient) ?? notHere(evidence, routes);
  if (said !== null) return said;
  const failures = evidence.refusals
    .map(({ refusal }) => refusal)
    .filter(({ verdict }) => verdict.about !== 'video');
  return (
    mostTelling(failures) ??
    (evidence.refusals.length === 0 ? notAsked(routes) : null) ??
    platformError('upstream_error', { cause: 'no second client could confirm the first one' })
  );
};
