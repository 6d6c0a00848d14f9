import { type Attempt, meanings, RefusedAnswer, refusal } from '../classification/index.ts';
import type { Subject, Turn } from '../health/index.ts';
import type { ReadTrack } from '../player/index.ts';
import { type CaptionReader, captionPath, needsToken } from '../timedtext/index.ts';
import type { TrackChoice } from '../types.ts';
import { isWithoutToken, tokenFor } from './ask-player.ts';
import { attempt } from './attempt.ts';
import type { Engine, Route } from './engine.ts';

export type TrackRequest = Subject & {
  readonly choice: TrackChoice;
  readonly signal: AbortSignal;
};

/** An address of the wanted track and the route it belongs to. */
export type Candidate = { readonly route: Route; readonly track: ReadTrack };

/**
 * Downloads one track through its own route. Skips a gated address if there is no token. A translation runs beside the circuit, because
 * its failures say nothing about the captions themselves, and each of them is a refusal to translate.
 */
export const download = async <Value>(
  engine: Engine,
  candidate: Candidate,
  trackRequest: TrackRequest,
  read: CaptionReader<Value>,
): Promise<Attempt<Value> | null> => {
  const { timedtext } = candidate.route;
  const send = (turn: Turn) => sendDownload(engine, candidate, trackRequest, turn, read);
  if (trackRequest.choice.translateTo === null) return timedtext.run(trackRequest, send);
  if (!timedtext.isReady()) return null;
  const result = await send({ ...trackRequest, isProbe: false });
  return result.kind === 'refused' && !isWithoutToken(result.refusal)
    ? { kind: 'refused', refusal: { ...result.refusal, meaning: meanings.translationRefused } }
    : result;
};

/** An empty body, in place of captions. */
const isEmpty = (result: Attempt<unknown>): boolean =>
  result.kind === 'refused' && result.refusal.row === 'empty_captions';

/**
 * An empty answer asks for a token, or refuses the one that came along: a second request brings a new token. A token that is refused is
 * thrown away.
 */
const sendDownload = async <Value>(
  engine: Engine,
  candidate: Candidate,
  trackRequest: TrackRequest,
  turn: Turn,
  read: CaptionReader<Value>,
): Promise<Attempt<Value>> => {
  const { route, track } = candidate;
  const subject = { videoId: trackRequest.videoId, exit: route.exit.name };
  const newToken = () => tokenFor(engine, route, trackRequest.videoId, turn.signal);
  const isGated = needsToken(track.path);
  const token = isGated ? await newToken() : null;
  if (token !== null && typeof token !== 'string') return { kind: 'refused', refusal: token };
  const first = await sendWithToken(engine, candidate, trackRequest, turn, read, token);
  if (!isEmpty(first)) return first;
  if (token !== null) engine.poToken.discard(token, subject);
  const freshToken = await newToken();
  if (typeof freshToken !== 'string')
    return freshToken.meaning === meanings.tokenNeeded ? first : { kind: 'refused', refusal: freshToken };
  const second = await sendWithToken(engine, candidate, trackRequest, turn, read, freshToken);
  if (!isEmpty(second)) return second;
  engine.poToken.discard(freshToken, subject);
  return isGated ? { kind: 'refused', refusal: refusal('empty_captions', meanings.tokenNeeded) } : second;
};

const sendWithToken = <Value>(
  engine: Engine,
  { route, track }: Candidate,
  trackRequest: TrackRequest,
  { callerId, signal, isProbe }: Turn,
  read: CaptionReader<Value>,
  value: string | null,
): Promise<Attempt<Value>> => {
  const { translateTo } = trackRequest.choice;
  const token = value === null ? null : { value, client: route.strategy.client };
  return attempt(engine, {
    route,
    endpoint: 'timedtext',
    videoId: trackRequest.videoId,
    request: {
      method: 'GET',
      path: captionPath(track.path, { translateTo, token }),
      headers: { 'accept-language': 'en', ...route.strategy.headers },
      capBytes: engine.limits.timedtextBytes,
    },
    isTranslation: translateTo !== null,
    callerId,
    signal,
    isProbe,
    async read(body) {
      const reading = await read(body, signal);
      if (reading.kind === 'refused') throw new RefusedAnswer(reading.refusal);
      return reading;
    },
  });
};
