import { pick } from '@tds/base';
import type { VideoDetails } from '@tds/contracts';
import {
  type Attempt,
  believedFor,
  isYoung,
  meanings,
  type Refusal,
  refusal,
  UNKNOWN_AGE_FACT,
} from '../classification/index.ts';
import { familyOf } from '../config/strategies.ts';
import { durableFact, type PlatformError, platformError, shortLivedFact } from '../errors/platform-error.ts';
import type { PlayerAnswer, ReadCaptions } from '../player/index.ts';
import type { Broadcast, VideoInspection } from '../types.ts';
import type { Route } from './engine.ts';

/** An answer with captions, and the route it came by. */
export type Source = { readonly route: Route; readonly answer: PlayerAnswer };
export type Silence = { readonly route: Route } & Pick<PlayerAnswer, 'video' | 'broadcast' | 'ageSeconds'>;
type RouteRefusal = { readonly route: Route; readonly refusal: Refusal };
type Witness = { readonly route: Route };

/** The answers of the routes asked so far about one video. */
export type Evidence = {
  readonly sources: readonly Source[];
  /** Playable, but without captions. */
  readonly silences: readonly Silence[];
  readonly refusals: readonly RouteRefusal[];
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
  const silence = { route, ...pick(answer, 'video', 'broadcast', 'ageSeconds') };
  return { ...evidence, silences: [...evidence.silences, silence] };
};

export const refusalsThat = (
  evidence: Evidence,
  ...settles: readonly Refusal['meaning']['settles'][]
): readonly RouteRefusal[] =>
  evidence.refusals.filter((refused) => settles.includes(refused.refusal.meaning.settles));

export const clientsOf = (witnesses: readonly Witness[]): ReadonlySet<string> =>
  new Set(witnesses.map((witness) => witness.route.strategy.client));

export const familiesOf = (witnesses: readonly Witness[]): ReadonlySet<string> =>
  new Set(witnesses.map((witness) => familyOf(witness.route.strategy)));

export const exitsOf = (witnesses: readonly Witness[]): ReadonlySet<string> =>
  new Set(witnesses.map((witness) => witness.route.exit.name));

export const hasDetails = ({ refusal }: RouteRefusal): boolean => refusal.video !== null;

/** What the clients of one family alone say is no fact, unless they show the video itself. */
export const isConfirmed = (witnesses: readonly RouteRefusal[]): boolean =>
  familiesOf(witnesses).size > 1 || witnesses.some(hasDetails);

const BLOCKS_THAT_CLOSE_AN_EXIT = 2;

/** Returns false if the route can add nothing, or is known to be blocked for this call. */
const isWorthAsking = (evidence: Evidence, route: Route): boolean => {
  const replies = [
    ...evidence.sources,
    ...evidence.silences,
    ...refusalsThat(evidence, 'if_confirmed', 'by_two_clients'),
  ];
  if (clientsOf(replies).has(route.strategy.client)) return false;
  const abroad = refusalsThat(evidence, 'after_all_exits');
  const confirmsAbroad = !isConfirmed(abroad) && !familiesOf(abroad).has(familyOf(route.strategy));
  if (exitsOf(abroad).has(route.exit.name) && !confirmsAbroad) return false;
  // Player and captions of one video go through one exit.
  if (evidence.sources.length > 0) return exitsOf(evidence.sources).has(route.exit.name);
  const blocks = evidence.refusals.filter(
    ({ route: blocked, refusal }) =>
      blocked.exit.name === route.exit.name && refusal.meaning.code === 'ip_blocked',
  );
  return clientsOf(blocks).size < BLOCKS_THAT_CLOSE_AN_EXIT;
};

/** Two clients got no answer of the platform through its exit: another exit may be a better way. */
const isDoubted = ({ refusals }: Evidence, { exit }: Route): boolean => {
  const failures = refusals.filter(
    ({ route, refusal }) => route.exit === exit && refusal.meaning.endsSession !== undefined,
  );
  return clientsOf(failures).size > 1;
};

/** The next route to ask: after a statement against the video one of the other family, which may confirm or refute it. */
export const nextRoute = (evidence: Evidence, routes: readonly Route[]): Route | null => {
  const candidates = routes
    .filter((route) => isWorthAsking(evidence, route))
    .toSorted((one, other) => Number(isDoubted(evidence, one)) - Number(isDoubted(evidence, other)));
  const denials = [
    ...evidence.silences,
    ...refusalsThat(evidence, 'if_confirmed', 'by_two_clients', 'after_all_exits'),
  ];
  const families = evidence.sources.length > 0 ? new Set() : familiesOf(denials);
  return candidates.find((route) => !families.has(familyOf(route.strategy))) ?? candidates[0] ?? null;
};

/** How long a statement stays that only one family of clients could make. */
const UNCONFIRMED_TTL_S = 10 * 60;

export const toError = ({ meaning, ...refusal }: Refusal): PlatformError => {
  const { code, errorClass, message, passes } = meaning;
  const { retryAfterSeconds, video } = refusal;
  const fact = passes === undefined ? meaning.fact : believedFor(passes, refusal.ageSeconds);
  return platformError(code, {
    fact,
    video,
    cause: refusal.cause ?? `${refusal.row}: ${refusal.reason ?? refusal.subreason ?? 'no reason given'}`,
    ...(errorClass && { errorClass }),
    ...(message && { message }),
    ...(retryAfterSeconds !== null && { retryAfterSeconds }),
  });
};

const pickVideo = (videos: readonly (VideoDetails | null)[]): VideoDetails | null =>
  videos.find((video) => video?.title) ?? videos.find((video) => video !== null) ?? null;

/** A broadcast that some client knows of; the answer with the publish date, which has the time of the end as well, knows best. */
export const broadcastIn = (answers: readonly Pick<Refusal, 'video' | 'broadcast'>[]): Broadcast =>
  (answers.find(({ video }) => video?.published_at) ?? answers.find(({ broadcast }) => broadcast !== 'none'))
    ?.broadcast ?? 'none';

/** A statement that another client may still refute: it is worth another request soon. */
export const unconfirmedError = (
  code: 'video_unavailable' | 'no_captions',
  video: VideoDetails | null,
): PlatformError =>
  platformError(code, {
    message: 'The platform gave no transcript, which could not be confirmed. Ask again later.',
    retryable: true,
    retryAfterSeconds: UNCONFIRMED_TTL_S,
    fact: shortLivedFact(UNCONFIRMED_TTL_S),
    video,
  });

export const videoIn = (witnesses: readonly RouteRefusal[]) =>
  pickVideo(witnesses.map(({ refusal }) => refusal.video));

/** The age by the clients that know it: by the youngest, because a broadcast has ended after it was published. */
export const ageIn = (answers: readonly Pick<Silence, 'ageSeconds'>[]): number | null => {
  const ages = answers.flatMap(({ ageSeconds }) => ageSeconds ?? []);
  return ages.length === 0 ? null : Math.min(...ages);
};

export const unavailableError = (witnesses: readonly RouteRefusal[]): PlatformError | null => {
  const [first] = witnesses;
  if (first === undefined) return null;
  // For hours after a broadcast its recording is missing in the words of a deleted video.
  const isVague = first.refusal.meaning.settles === 'by_two_clients';
  const hasEnded = broadcastIn(witnesses.map(({ refusal }) => refusal)) === 'ended_recently';
  const meaning = isVague && hasEnded ? meanings.ended : first.refusal.meaning;
  const ageSeconds = ageIn(witnesses.map((witness) => witness.refusal));
  return toError({ ...first.refusal, meaning, ageSeconds, video: videoIn(witnesses) });
};

const whileOnAir: Readonly<Record<Exclude<Broadcast, 'none'>, Refusal['meaning']>> = {
  live: meanings.liveWithoutCaptions,
  upcoming: meanings.upcoming,
  ended_recently: meanings.endedWithoutCaptions,
};

const passingError = (
  meaning: Refusal['meaning'],
  silences: readonly Silence[],
  ageSeconds: number | null,
): PlatformError =>
  toError(
    refusal('no_captions_yet', meaning, {
      ageSeconds,
      video: pickVideo(silences.map(({ video }) => video)),
    }),
  );

export const noCaptionsError = (silences: readonly Silence[], broadcast: Broadcast): PlatformError => {
  const ageSeconds = ageIn(silences);
  if (broadcast !== 'none') return passingError(whileOnAir[broadcast], silences, ageSeconds);
  if (isYoung(ageSeconds)) return passingError(meanings.youngWithoutCaptions, silences, ageSeconds);
  const video = pickVideo(silences.map((silence) => silence.video));
  return platformError('no_captions', { fact: ageSeconds === null ? UNKNOWN_AGE_FACT : durableFact, video });
};

/** The answer in the place of a track without a word: of a young video it may be in the making. Null if the video is not young. */
export const wordlessYetError = ({
  video,
  lacksForSeconds,
}: Pick<VideoInspection, 'video' | 'lacksForSeconds'>): PlatformError | null => {
  if (lacksForSeconds === null) return null;
  const { code, errorClass, message } = meanings.youngWithoutCaptions;
  return platformError(code, {
    ...(errorClass && { errorClass }),
    ...(message && { message }),
    fact: shortLivedFact(lacksForSeconds),
    video,
  });
};
