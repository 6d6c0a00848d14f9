import { findTrack, findVideo } from '../catalogue/catalogue.ts';
import { nativeCues, translateCues } from '../catalogue/cues.ts';
import { translationCodes } from '../catalogue/languages.ts';
import type { Track, Video } from '../catalogue/video.ts';
import type { Endpoint } from '../faults/fault.ts';
import type { PlatformRequest } from '../faults/fault-scope.ts';
import { captionFormat } from '../timedtext/formats.ts';
import { isGenuine, needsToken } from '../wire/caption-url.ts';
import { plainPage, sorryPage, watchPage } from '../wire/pages.ts';
import { playerAnswer, responseContext, visitorData } from '../wire/player-answer.ts';
import { type Answer, htmlAnswer, jsonAnswer } from './answer.ts';
import type { Simulation } from './simulation.ts';

export type AnswerOptions = {
  /** Answer about this video, whichever was asked for. */
  videoId?: string;
  /** Hand out caption URLs that ask for a token. */
  gated?: boolean;
};

const VIDEO_ID_LENGTH = 11;

const playerResponse = (simulation: Simulation, request: PlatformRequest, options: AnswerOptions) => {
  const id = options.videoId ?? request.videoId;
  const video = id.length === VIDEO_ID_LENGTH ? findVideo(id, simulation.seed) : undefined;
  return playerAnswer(video, {
    origin: simulation.origin,
    client: request.client,
    seed: simulation.seed,
    now: simulation.now(),
    gated: options.gated ?? false,
  });
};

const pageAround = (request: PlatformRequest, response: ReturnType<typeof playerAnswer>): Answer => {
  const title = response.videoDetails?.title ?? '';
  return htmlAnswer(watchPage(title, visitorData(request.videoId), response));
};

const translationOf = (video: Video, track: Track, target: string | null): 'native' | 'served' | Answer => {
  if (target === null || target === '') return 'native';
  if (video.translation === 'refused') return htmlAnswer(sorryPage(), 429);
  const offered = track.translatable && video.translation !== 'unlisted' && translationCodes.includes(target);
  return offered ? 'served' : htmlAnswer(plainPage('Error 400 (Bad Request)'), 400);
};

/** Asked for a translation into its own language the platform returns damaged text. */
const damage = (text: string): string => `\ufffd${text.slice(1, 3)}\ufffd`;

const captionsOf = (seed: number, video: Video, track: Track, parameters: URLSearchParams): Answer => {
  const target = parameters.get('tlang');
  const translation = translationOf(video, track, target);
  if (typeof translation === 'object') return translation;
  const native = nativeCues(video, track, seed);
  const intoItself = target === track.languageCode;
  const cues = intoItself
    ? native.map((cue) => ({ ...cue, text: damage(cue.text) }))
    : translation === 'served' && target !== null
      ? translateCues(native, target)
      : native;
  const format = captionFormat(parameters.get('fmt'));
  const body = format.write({
    kind: track.kind,
    lengthMs: video.lengthSeconds * 1000,
    style: video.cueStyle,
    translated: translation === 'served',
    cues,
  });
  return { status: 200, contentType: format.contentType, body };
};

const timedText = ({ seed, now }: Simulation, request: PlatformRequest): Answer => {
  const { parameters, videoId, hasToken } = request;
  if (!isGenuine(parameters, seed, now())) return htmlAnswer(plainPage('Error 403 (Forbidden)'), 403);
  if (needsToken(parameters) && !hasToken) return htmlAnswer('');
  const video = findVideo(videoId, seed);
  const kind = parameters.get('kind') === 'asr' ? 'asr' : 'manual';
  const name = parameters.get('name') ?? '';
  const track = video && findTrack(video, parameters.get('lang') ?? '', kind, name);
  if (!track) return htmlAnswer(plainPage('Error 404 (Not Found)'), 404);
  return captionsOf(seed, video, track, parameters);
};

type Writer = (simulation: Simulation, request: PlatformRequest, options: AnswerOptions) => Answer;

const writers: Record<Endpoint, Writer> = {
  player: (simulation, request, options) => jsonAnswer(playerResponse(simulation, request, options)),
  watch: (simulation, request, options) => pageAround(request, playerResponse(simulation, request, options)),
  timedtext: timedText,
  visitor_id: (_, request) => jsonAnswer({ responseContext: responseContext(request.client, 'visitor') }),
};

/** What the platform answers when nothing is wrong with it. */
export const rightAnswer = (
  simulation: Simulation,
  request: PlatformRequest,
  options: AnswerOptions = {},
): Answer => writers[request.endpoint](simulation, request, options);
