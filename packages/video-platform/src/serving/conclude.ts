import { isYoung, type Refusal } from '../classification/index.ts';
import {
  type PlatformError,
  type PlatformErrorCode,
  platformError,
  withoutAsking,
} from '../errors/platform-error.ts';
import type { Broadcast } from '../types.ts';
import type { Route } from './engine.ts';
import {
  ageIn,
  broadcastIn,
  clientsOf,
  type Evidence,
  exitsOf,
  familiesOf,
  hasDetails,
  isConfirmed,
  noCaptionsError,
  refusalsThat,
  type Silence,
  toError,
  unavailableError,
  unconfirmedError,
  videoIn,
} from './evidence.ts';

/** Believe a client that knows of a broadcast, even if others do not: captions may still come. */
const onAirIn = (silences: readonly Silence[]): Broadcast | null =>
  silences.find(({ broadcast }) => broadcast === 'live' || broadcast === 'upcoming')?.broadcast ?? null;

/** The error if the answers so far are enough to conclude; null if another route has to be asked. */
export const findCertainError = (evidence: Evidence): PlatformError | null => {
  const { sources, silences } = evidence;
  if (sources.length > 0) return null;
  const onAir = onAirIn(silences);
  if (onAir !== null) return noCaptionsError(silences, onAir);
  if (familiesOf(silences).size > 1) return noCaptionsError(silences, broadcastIn(silences));
  if (silences.length > 0) return null;
  const [passing] = refusalsThat(evidence, 'at_once');
  if (passing !== undefined) return toError(passing.refusal);
  const definite = refusalsThat(evidence, 'if_confirmed');
  const vague = refusalsThat(evidence, 'by_two_clients');
  if (definite.length > 0 && isConfirmed([...definite, ...vague])) return unavailableError(definite);
  return familiesOf(vague).size > 1 ? unavailableError(vague) : null;
};

/** Of several failures the caller gets the first in this order. */
const CODES_IN_ORDER: readonly PlatformErrorCode[] = [
  'ip_blocked',
  'rate_limited',
  'translation_refused',
  'upstream_error',
  'po_token_required',
];

export const mostTelling = (refusals: readonly Refusal[]): PlatformError | null => {
  const code = CODES_IN_ORDER.find((candidate) =>
    refusals.some((refusal) => refusal.meaning.code === candidate),
  );
  const refusal = refusals.find((candidate) => candidate.meaning.code === code);
  return refusal === undefined ? null : toError(refusal);
};

/** What one family of clients said, when no route is left that could confirm it. */
const singleWitnessError = (evidence: Evidence, routes: readonly Route[]): PlatformError | null => {
  const definite = refusalsThat(evidence, 'if_confirmed');
  const vague = refusalsThat(evidence, 'by_two_clients');
  const abroad = refusalsThat(evidence, 'after_all_exits');
  if (isYoung(ageIn(evidence.silences))) return noCaptionsError(evidence.silences, 'none');
  if (evidence.silences.length > 0) return unconfirmedError('no_captions', evidence.silences[0]?.video ?? null);
  const isEverywhere = exitsOf(abroad).size === exitsOf(routes.map((route) => ({ route }))).size;
  // Other addresses of a rotating exit may be in other countries.
  const mayLeaveElsewhere = routes.some((route) => route.exit.isRotating);
  if (abroad.length > 0 && isEverywhere && !mayLeaveElsewhere && isConfirmed([...abroad, ...definite]))
    return unavailableError(abroad);
  if (definite.length > 0 || isEverywhere || exitsOf(abroad).size > 1)
    return unconfirmedError('video_unavailable', videoIn([...definite, ...abroad]));
  return clientsOf(vague).size > 1 && vague.some(hasDetails) ? unavailableError(vague) : null;
};

/** The failure that closed the routes. Other videos caused it, so it carries no facts about this one. */
const notAskedError = (routes: readonly Route[]): PlatformError =>
  withoutAsking(
    mostTelling(routes.flatMap((route) => route.player.lastFailure() ?? [])) ??
      platformError('upstream_error', { cause: 'no route could be asked' }),
  );

/** The error of a call that has no route left to ask. `routes` are all configured routes. */
export const conclude = (evidence: Evidence, routes: readonly Route[]): PlatformError => {
  const error = singleWitnessError(evidence, routes);
  if (error !== null) return error;
  const failures = evidence.refusals
    .map(({ refusal }) => refusal)
    .filter(({ meaning }) => meaning.about !== 'video');
  return (
    mostTelling(failures) ??
    (evidence.refusals.length === 0 ? notAskedError(routes) : null) ??
    platformError('upstream_error', { cause: 'no second client could confirm the first one' })
  );
};
