import { byClient } from '../catalogue/video.ts';
import type { Endpoint } from '../faults/fault.ts';
import type { PlatformRequest } from '../faults/fault-scope.ts';
import { embedPage } from '../wire/embed-page.ts';
import { plainPage, watchPage } from '../wire/pages.ts';
import { playerAnswer, responseContext, visitorData } from '../wire/player-answer.ts';
import { type Answer, htmlAnswer, jsonAnswer } from './answer.ts';
import { captionAnswer } from './caption-answer.ts';
import { dataApiAnswer } from './data-api-answer.ts';
import { browseAnswer, feedAnswer, resolveAnswer, searchAnswer } from './discovery-answers.ts';
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
  const video = id.length === VIDEO_ID_LENGTH ? simulation.content.video(id) : undefined;
  return playerAnswer(video, {
    origin: simulation.origin,
    client: request.client,
    seed: simulation.seed,
    now: simulation.now(),
    gated: options.gated ?? false,
  });
};

const toWatchPage = (request: PlatformRequest, response: ReturnType<typeof playerAnswer>): Answer => {
  const title = response.videoDetails?.title ?? '';
  return htmlAnswer(watchPage(title, visitorData(request.videoId), response));
};

/** The parts of an answer that `$fields` names; all without it. */
const pickFields = ({ parameters }: PlatformRequest, answer: object): object => {
  const names = parameters.get('$fields')?.split(',');
  return names ? Object.fromEntries(Object.entries(answer).filter(([name]) => names.includes(name))) : answer;
};

type Writer = (simulation: Simulation, request: PlatformRequest, options: AnswerOptions) => Answer;

/** As the platform's player, it says in the frame that a video cannot be played. */
const embedAnswer: Writer = ({ content }, { videoId, client }) => {
  const video = content.video(videoId);
  const isPlayable = video && !byClient(video.playability, client);
  return htmlAnswer(isPlayable ? embedPage(video.title) : plainPage('Video unavailable'));
};

const writers: Record<Endpoint, Writer> = {
  player: (simulation, request, options) =>
    jsonAnswer(pickFields(request, playerResponse(simulation, request, options))),
  watch: (simulation, request, options) => toWatchPage(request, playerResponse(simulation, request, options)),
  timedtext: captionAnswer,
  search: searchAnswer,
  browse: browseAnswer,
  resolve_url: resolveAnswer,
  data_api: dataApiAnswer,
  get_pot: ({ tokens }, { videoId }, options) => jsonAnswer(tokens.tokenFor(options.videoId ?? videoId)),
  embed: embedAnswer,
  ping: () => jsonAnswer({ server_uptime: process.uptime(), version: 'simulated' }),
  feed: feedAnswer,
  visitor_id: () => jsonAnswer({ responseContext: responseContext('visitor') }),
};

/** What the platform answers when nothing is wrong with it. */
export const rightAnswer = (
  simulation: Simulation,
  request: PlatformRequest,
  options: AnswerOptions = {},
): Answer => writers[request.endpoint](simulation, request, options);
