import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import qs from 'qs';
import { callAction } from '../http/call-action.ts';
import { answerApi } from './api.ts';
import { ApiError } from './api-error.ts';
import { answerPage } from './pages.ts';
import type { Simulation } from './simulation.ts';

const OK = 200;
const UNAUTHORIZED = 401;
const SERVER_ERROR = 500;
const CONTROL = '/control/';

const sendJson = (response: ServerResponse, status: number, body: object): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const sendError = (response: ServerResponse, error: unknown): void => {
  const isApiError = error instanceof ApiError;
  const status = isApiError ? error.status : SERVER_ERROR;
  const { code, type, message, more } = isApiError
    ? error
    : { code: 'api_error', type: 'api_error', message: String(error), more: {} };
  sendJson(response, status, { error: { code, type, message, ...more } });
};

/** The first answer to an idempotency key is the answer to all its requests. */
const answerOnce = (
  { answered }: Simulation,
  key: string | undefined,
  fingerprint: string,
  work: () => object,
): object => {
  const previous = key === undefined ? undefined : answered.get(key);
  if (previous && previous.asked !== fingerprint)
    throw new ApiError(
      400,
      'idempotency_key_in_use',
      'This key was used for another request.',
      'idempotency_error',
    );
  if (previous) return previous.answer;
  const answer = structuredClone(work());
  if (key !== undefined) answered.set(key, { asked: fingerprint, answer });
  return answer;
};

const handleApi = async (
  simulation: Simulation,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> => {
  const { state, faults, emit, origin } = simulation;
  const method = request.method ?? 'GET';
  const payload = method === 'GET' ? url.search.slice(1) : await text(request);
  if (!/^Bearer sk_test_\w+$/.test(request.headers.authorization ?? ''))
    throw new ApiError(UNAUTHORIZED, 'api_key_invalid', 'Invalid API Key provided.', 'authentication_error');
  const fault = faults.takeForRequest(`${method} ${url.pathname}`);
  if (fault?.kind === 'hang') return;
  if (fault?.kind === 'nonsense') return sendJson(response, OK, { object: 'nonsense' });
  if (fault?.kind === 'error') throw new Error('A fault that was asked for.');
  const parameters = qs.parse(payload, { depth: 6 });
  const key = method === 'POST' ? request.headers['idempotency-key']?.toString() : undefined;
  const answer = answerOnce(simulation, key, `${method} ${url.pathname} ${payload}`, () =>
    answerApi(state, { method, path: url.pathname, parameters, origin }, emit),
  );
  if (fault?.kind === 'unanswered') response.destroy();
  else sendJson(response, OK, answer);
};

/** The processor's API, the pages for people, and the simulator's own functions. */
export const handle = async (
  simulation: Simulation,
  actions: Readonly<Record<string, unknown>>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  try {
    const url = new URL(request.url ?? '/', simulation.origin);
    if (url.pathname.startsWith('/v1/')) await handleApi(simulation, request, response, url);
    else if (url.pathname.startsWith(CONTROL)) {
      const { status, answer } = await callAction(actions, url.pathname.slice(CONTROL.length), request);
      sendJson(response, status, answer);
    } else answerPage(simulation, request, response, url);
  } catch (error) {
    sendError(response, error);
  }
};
