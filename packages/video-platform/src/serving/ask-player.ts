import { type Attempt, meanings, type Refusal, RefusedAnswer, refusal } from '../classification/index.ts';
import type { Limits } from '../config/limits.ts';
import type { Strategy } from '../config/strategies.ts';
import type { Subject } from '../health/index.ts';
import { extractPlayerJson, type PlayerAnswer, readPlayer } from '../player/index.ts';
import { type HttpRequest, INTERFACE_LANGUAGE, innertubeRequest } from '../transport/index.ts';
import type { Call } from '../types.ts';
import { attempt } from './attempt.ts';
import { withinCall } from './call.ts';
import type { Engine, Route } from './engine.ts';

const watchPage = (strategy: Strategy, videoId: string, capBytes: number): HttpRequest => ({
  method: 'GET',
  path: `/watch?v=${videoId}&hl=${INTERFACE_LANGUAGE}&gl=${strategy.gl}&bpctr=9999999999&has_verified=1`,
  headers: { 'accept-language': INTERFACE_LANGUAGE, ...strategy.headers },
  capBytes,
});

/** The parts of a player's answer that are read: a tenth of its bytes. */
const FIELDS = 'playabilityStatus,videoDetails,captions,microformat';
/** Those that hold the publish date and the refusals. */
const DATE_FIELDS = 'playabilityStatus,videoDetails,microformat';

type PlayerParts = { readonly poToken?: string | null; readonly fields?: string };

/** A strategy's request about a video. `poToken` is for a player call that itself needs one; `fields` limits the answer of the player endpoint. */
export const playerRequest = (
  strategy: Strategy,
  videoId: string,
  limits: Limits,
  { poToken = null, fields = FIELDS }: PlayerParts = {},
): HttpRequest => {
  const token = poToken === null ? {} : { serviceIntegrityDimensions: { poToken } };
  const payload = { videoId, contentCheckOk: true, racyCheckOk: true, ...token };
  switch (strategy.endpoint) {
    case 'player':
      return innertubeRequest(
        strategy,
        `/youtubei/v1/player?prettyPrint=false&$fields=${fields}`,
        payload,
        limits.playerBytes,
      );
    case 'reel':
      return innertubeRequest(
        strategy,
        `/youtubei/v1/reel/reel_item_watch?prettyPrint=false&id=${videoId}&$fields=playerResponse`,
        { playerRequest: payload, disablePlayerResponse: false },
        limits.playerBytes,
      );
    case 'watch_page':
      return watchPage(strategy, videoId, limits.watchBytes);
  }
};

/** An answer without a request: a token is needed, and there is none. */
const tokenGate = refusal('token_gate', meanings.tokenNeeded);

/** A token for this video and client, or why there is none. */
export const tokenFor = (
  engine: Engine,
  route: Route,
  videoId: string,
  signal: AbortSignal,
): Promise<string | Refusal> =>
  engine.poToken.tokenFor({ videoId, client: route.strategy.client, exit: route.exit.name, signal }).then(
    (token) => token ?? tokenGate,
    (error) =>
      error instanceof RefusedAnswer
        ? error.refusal
        : refusal('token_failed', meanings.tokenFailed, { cause: error }),
  );

/** True if no request was made for want of a token. */
export const isWithoutToken = ({ row }: Refusal): boolean => row === 'token_gate' || row === 'token_failed';

/** A statement against a video: the words of its refusal, or none if it has no captions. Null for any other answer. */
const statementIn = (answer: Attempt<PlayerAnswer>): string | null => {
  if (answer.kind === 'ok') return answer.value.captions.tracks.length === 0 ? '' : null;
  if (answer.kind === 'cancelled' || answer.refusal.meaning.code !== 'video_unavailable') return null;
  return `${answer.refusal.reason ?? ''}\n${answer.refusal.subreason ?? ''}`;
};

/**
 * Asks one route about a video; null if its circuit is open. A statement that the route makes about a known video as well is the route's
 * own fault.
 */
export const askPlayer = async (
  engine: Engine,
  route: Route,
  subject: Subject,
  signal: AbortSignal,
  parts: Pick<PlayerParts, 'fields'> = {},
): Promise<Attempt<PlayerAnswer> | null> => {
  const answer = await sendPlayer(engine, route, subject, signal, parts);
  const statement = answer && statementIn(answer);
  if (engine.asksKnownVideo && (statement !== null || answer?.kind === 'ok')) {
    route.knownVideoStatement = statement;
  } else if (statement !== null && statement === route.knownVideoStatement) {
    return { kind: 'refused', refusal: refusal('says_it_of_any_video', meanings.clientRefused) };
  }
  return answer;
};

const sendPlayer = (
  engine: Engine,
  route: Route,
  subject: Subject,
  signal: AbortSignal,
  parts: Pick<PlayerParts, 'fields'>,
): Promise<Attempt<PlayerAnswer> | null> =>
  route.player.run({ ...subject, signal }, async (turn) => {
    const { videoId } = subject;
    const { strategy } = route;
    const isPage = strategy.endpoint === 'watch_page';
    const poToken = strategy.needs === 'po_token' ? await tokenFor(engine, route, videoId, turn.signal) : null;
    if (poToken !== null && typeof poToken !== 'string') return { kind: 'refused', refusal: poToken };
    return attempt(engine, {
      route,
      endpoint: isPage ? 'watch_page' : 'player',
      videoId,
      request: playerRequest(strategy, videoId, engine.limits, { ...parts, poToken }),
      isTranslation: false,
      ...turn,
      read(body) {
        const value = readPlayer(isPage ? extractPlayerJson(body) : body, videoId, engine.clock());
        return { value, omitted: value.captions.omitted };
      },
    });
  });

/** The UTC day on which a video was published. Asks one healthy client that knows it; null if it does not answer in time. */
export const findPublishDate = (engine: Engine, videoId: string, call: Call): Promise<string | null> =>
  withinCall(
    engine,
    call,
    async ({ plan, callerId, signal }) => {
      const route = plan.routes.find(({ strategy, player }) => strategy.hasDate && player.isReady());
      if (route === undefined) return null;
      const parts = { fields: DATE_FIELDS };
      const answer = await askPlayer(engine, route, { videoId, callerId }, signal, parts);
      return answer?.kind === 'ok' ? answer.value.video.published_at : null;
    },
    engine.limits.dateMs,
  );
