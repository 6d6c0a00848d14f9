import { loadVideoId } from '../catalogue/catalogue.ts';
import type { Playability } from '../catalogue/video.ts';
import type { answerFaults, FaultName } from '../faults/fault.ts';
import type { PlatformRequest } from '../faults/fault-scope.ts';
import { hostileFeed } from '../wire/feed.ts';
import { consentPage, plainPage, sorryPage, watchPage } from '../wire/pages.ts';
import {
  botCheck,
  captchaScreen,
  refusedAnswer,
  responseContext,
  tryAgainLater,
  unknownStatus,
  visitorData,
} from '../wire/player-answer.ts';
import { type Answer, errorAnswer, htmlAnswer, JSON_TYPE, jsonAnswer } from './answer.ts';
import { quotaExceeded } from './data-api-answer.ts';
import { FEED_TYPE, noFeed } from './discovery-answers.ts';
import { rightAnswer } from './right-answer.ts';
import type { Simulation } from './simulation.ts';

type AnswerFault = (typeof answerFaults)[number];
type Maker = (simulation: Simulation, request: PlatformRequest) => Answer;

const TOO_MANY_REQUESTS = 429;
const FOUND = 302;
const otherThan = (videoId: string): string => loadVideoId(videoId === loadVideoId(1) ? 2 : 1);

/** A player response by itself, or inside of the watch page. */
const asAsked = (request: PlatformRequest, response: unknown): Answer =>
  request.endpoint === 'watch'
    ? htmlAnswer(watchPage('', visitorData(request.videoId), response))
    : jsonAnswer(response);

const refuse =
  (playability: Playability): Maker =>
  (_, request) =>
    asAsked(request, refusedAnswer(playability));

const redirect =
  (location: string): Maker =>
  () => ({ ...htmlAnswer('', FOUND), headers: { location } });

const sorry: Maker = () => htmlAnswer(sorryPage(), TOO_MANY_REQUESTS);

const makers: Record<AnswerFault, Maker> = {
  block: refuse(botCheck),
  captcha: refuse(captchaScreen),
  try_again_later: refuse(tryAgainLater),
  unknown_status: refuse(unknownStatus),
  no_playability_status: (_, request) =>
    asAsked(request, { responseContext: responseContext(request.videoId) }),
  wrong_video: (simulation, request) =>
    rightAnswer(simulation, request, { videoId: otherThan(request.videoId) }),
  token_required: (simulation, request) =>
    request.endpoint === 'timedtext' ? htmlAnswer('') : rightAnswer(simulation, request, { gated: true }),
  refused_token: ({ tokens }, { videoId }) => jsonAnswer(tokens.refusedFor(videoId)),
  consent: (_, request) => htmlAnswer(consentPage(request.videoId)),
  too_many_requests: sorry,
  translation_too_many_requests: sorry,
  empty: () => htmlAnswer(''),
  garbage: () => ({
    status: 200,
    contentType: JSON_TYPE,
    body: '\u0000\u0001{"events":[{"tStartMs":\ufffd<<',
  }),
  html: () => htmlAnswer(plainPage('Something else entirely')),
  redirect_private: redirect('http://127.0.0.1:1/private'),
  redirect_metadata: redirect('http://169.254.169.254/latest/meta-data/'),
  quota_exceeded: quotaExceeded,
  not_found: noFeed,
  hostile_xml: () => ({ status: 200, contentType: FEED_TYPE, body: hostileFeed }),
  server_error: () => errorAnswer(500, 'Internal error encountered.'),
};

const isAnswerFault = (fault: FaultName): fault is AnswerFault => Object.hasOwn(makers, fault);

/** The answer under a fault; faults of delivery spoil a right answer later. */
export const answerUnder = (
  fault: FaultName | undefined,
  simulation: Simulation,
  request: PlatformRequest,
): Answer =>
  fault !== undefined && isAnswerFault(fault)
    ? makers[fault](simulation, request)
    : rightAnswer(simulation, request);
