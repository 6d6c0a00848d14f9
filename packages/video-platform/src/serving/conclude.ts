import type { VideoDetails } from '@tds/contracts';
import type { Refusal } from '../classification/refusal.ts';
import { notReady, UNKNOWN_REASON_TTL_S, UPCOMING_TTL_S } from '../classification/verdict.ts';
import {
  durableFact,
  type Fact,
  type PlatformError,
  type PlatformErrorCode,
  platformError,
  shortLivedFact,
  withoutAsking,
} from '../errors/platform-error.ts';
import type { Route } from '../health/route.ts';
import type { Broadcast } from '../types.ts';
import { clientsOf, type Evidence, type Refused, refusalsThat, type Silence } from './evidence.ts';

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
  // One client that is not sure for good is enough: then nothing may be stored for good.
  const weakest = refusals.find((refusal) => refusal.verdict.fact.kind !== 'durable') ?? first;
  return toError(first, fact ?? weakest.verdict.fact, detailed(refusals.map((refusal) => refusal.video)));
};

const silent = (silences: readonly Silence[], isConfirmed: boolean): PlatformError | null => {
  const [first] = silences;
  if (first === undefined) return null;
  const video = detailed(silences.map((silence) => silence.video));
  // If only some clients know of a broadcast, they are believed: captions may still come.
  const { broadcast } = silences.find((silence) => silence.broadcast !== 'none') ?? first;
  const fact = silentFact[broadcast];
  if (broadcast === 'live' || broadcast === 'upcoming') {
    const { code, ...told } = notReady[broadcast];
    return platformError(code, { ...told, fact, video });
  }
  const isUnconfirmed = fact.kind === 'durable' && !isConfirmed;
  return platformError('no_captions', {
    fact: isUnconfirmed ? shortLivedFact(UNCONFIRMED_TTL_S) : fact,
    video,
  });
};

const WITNESSES = 2;

/** The error if the answers so far settle it, so that no further route is asked; null if they do not. */
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

/** The caller is told one failure of several: the first of these that occurred. */
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

/** The failure that closed the routes. It was met with other videos, so none of its facts are told about this one. */
const nobodyAsked = (routes: readonly Route[]): PlatformError => {
  const told =
    mostTelling(routes.flatMap((route) => route.player.lastFailure() ?? [])) ??
    platformError('upstream_error', { cause: 'no route could be asked' });
  return withoutAsking(told);
};

/** The error of a call that has no route left to ask. `routes` are all that are configured. */
export const conclude = (evidence: Evidence, routes: readonly Route[]): PlatformError => {
  const isOnlyClient = clientsOf(routes.map((route) => ({ route }))).size === 1;
  const said = silent(evidence.silences, isOnlyClient) ?? notHere(evidence, routes);
  if (said !== null) return said;
  const failures = evidence.refusals
    .map(({ refusal }) => refusal)
    .filter(({ verdict }) => verdict.about !== 'video');
  return (
    mostTelling(failures) ??
    (evidence.refusals.length === 0 ? nobodyAsked(routes) : null) ??
    platformError('upstream_error', { cause: 'no second client could confirm what the first one said' })
  );
};
