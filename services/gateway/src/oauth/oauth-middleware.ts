import { clientNetwork } from '@tds/base';
import type { ServiceError } from '@tds/errors';
import { connectFailedHtml } from '@tds/site';
import { type Answer, jsonAnswer } from '../http/answer.ts';
import type { ClientAddress } from '../http/client-address.ts';
import type { Middleware } from '../http/create-app.ts';
import { asServiceError, errorAnswer } from '../http/error-answer.ts';
import type { GatewayRequest } from '../http/exchange.ts';
import type { Finish } from '../http/finish.ts';
import type { BodyShare, PublicCallers } from '../http/public-callers.ts';
import { endBodySoon, readBytes } from '../http/request-body.ts';
import { openToAnySite, pageHeaders } from '../pages/page-headers.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { oauthRoutes, SERVER_METADATA_PATH } from './oauth-paths.ts';

type Edge = Pick<Finish, 'finish' | 'note'> & {
  readonly readAddress: ClientAddress;
  readonly publicCallers: Pick<PublicCallers, 'bodyShare' | 'count' | 'countGrant'>;
  readonly publicUrl: string;
};

/** No answer of the protocol is shown in a frame, runs a script or is kept. */
const headers: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; script-src 'none'; base-uri 'none'; frame-ancestors 'none'",
};

/** The library keeps each piece of a body that it reads itself, so it gets the whole as one. */
const readWhole = async (request: GatewayRequest, share: BodyShare): Promise<GatewayRequest> => {
  if (request.method !== 'POST') return request;
  const body = await readBytes(request, share).finally(share.release);
  return Object.create(request, { readable: { value: true }, iterator: { value: () => [body] } });
};

const TOO_MANY_REQUESTS = 429;

/** A failure as the protocol has it (RFC 6749, 5.2), and to a person who is to allow an app as a page. */
const failedAnswer = (request: GatewayRequest, failure: ServiceError, { headers = [] }: Answer): Answer => {
  const { status, message } = failure;
  if (request.method === 'GET' && request.headers.accept?.includes('text/html'))
    return {
      ...{ status, failure, headers: [...pageHeaders, ...headers], contentType: 'text/html; charset=utf-8' },
      body: connectFailedHtml(message.replace(/\.$/, '')),
    };
  const error = status < TOO_MANY_REQUESTS ? 'invalid_request' : 'temporarily_unavailable';
  return jsonAnswer(status, { error, error_description: message }, { failure, headers });
};

/** A hosted assistant refreshes the tokens of all its users from one network: ten for one that is refused. */
const GRANT_COST = 0.1;
const REFUSALS = [400, 401];

/** Lets the authorization server answer, within the limits of callers without a credential. */
export const createOauthMiddleware =
  (server: AuthorizationServer, { finish, note, readAddress, publicCallers, publicUrl }: Edge): Middleware =>
  async (request, response) => {
    const { exchange } = response.locals;
    const { requestId } = exchange;
    const [path] = request.url.split('?', 1);
    exchange.route = 'oauth';
    // An app that is a page registers itself. For its other addresses the library knows the sites of an app.
    exchange.isOpen = path === oauthRoutes.registration;
    // An app that cannot read them sends people to addresses that it guesses.
    const isDocument = path === SERVER_METADATA_PATH || path === oauthRoutes.jwks;
    try {
      const clientAddress = readAddress(request);
      const network = clientNetwork(clientAddress);
      const grants = path === oauthRoutes.token ? publicCallers.countGrant(network, GRANT_COST) : null;
      if (!isDocument && grants === null) publicCallers.count(network);
      const whole = await readWhole(request, publicCallers.bodyShare(network));
      response.setHeader('X-Request-Id', requestId);
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      if (isDocument) response.setHeader('Cache-Control', 'public, max-age=3600');
      if (exchange.isOpen) response.setHeader(...openToAnySite);
      response.once('close', () => note(request, response));
      const signal = new AbortController().signal;
      await server.serve(whole, response, { requestId, accountId: null, signal, clientAddress });
      endBodySoon(request);
      if (grants && REFUSALS.includes(response.statusCode)) grants.count += 1 - GRANT_COST;
    } catch (thrown) {
      exchange.isOpen = true;
      const failure = asServiceError(thrown);
      finish(request, response, failedAnswer(request, failure, errorAnswer(failure, requestId, publicUrl)));
    }
  };
