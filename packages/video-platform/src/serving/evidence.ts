import type { VideoDetails } from '@tds/contracts';
import type { Attempt } from '../classification/attempt-result.ts';
import type { Refusal } from '../classification/refusal.ts';
import type { Route } from '../health/route.ts';
import type { ReadCaptions } from '../player/captions.ts';
import type { PlayerAnswer } from '../player/read-player.ts';
import type { Broadcast } from '../types.ts';

/** An answer with captions, and the way it came. */
export type Source = { readonly route: Route; readonly answer: PlayerAnswer };
export type Silence = { readonly route: Route; readonly video: VideoDetails; readonly broadcast: Broadcast };
export type Refused = { readonly route: Route; readonly refusal: Refusal };

/** What the routes asked so far said of one video. */
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

export const refusalsThat = (
  evidence: Evidence,
  settles: Refusal['verdict']['settles'],
): readonly Refused[] => evidence.refusals.filter((refused) => refused.refusal.verdict.settles === settles);

export const clientsOf = (witnesses: readonly { readonly route: Route }[]): ReadonlySet<string> =>
  new Set(witnesses.map((witness) => witness.route.strategy.client));

const exitsOf = (witnesses: readonly { readonly route: Route }[]): ReadonlySet<string> =>
  new Set(witnesses.map((witness) => witness.route.egress.name));

const BLOCKS_THAT_CLOSE_AN_EXIT = 2;

/** False if the route could tell nothing new, or is known to be blocked for this call. */
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
