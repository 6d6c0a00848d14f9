import { clientNetwork } from '@tds/base';
import type { ServiceError } from '@tds/errors';
import { boundPairs } from '@tds/http-api';
import { connectFailedHtml } from '@tds/site';
import { type Answer, jsonAnswer } from '../http/answer.ts';
import type { ClientAddress } from '../http/client-address.ts';
import type { Middleware } from '../http/create-app.ts';
import { asServiceError, errorAnswer } from '../http/error-answer.ts';
import type { GatewayRequest, GatewayResponse } from '../http/exchange.ts';
import type { Finish } from '../http/finish.ts';
import type { PublicCallers } from '../http/public-callers.ts';
import { endBodySoon, readBytes } from '../http/request-body.ts';
import { openToAnySite, pageHeaders } from '../pages/page-headers.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { oauthRoutes, SERVER_METADATA_PATH } from './oauth-paths.ts';

type Edge = Pick<Finish, 'finish' | 'note'> & {
  readonly readAddress: ClientAddress;
  readonly publicCallers: Pick<PublicCallers, 'bodyShare' | 'count' | 'grants'>;
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

/** They tell all callers the same, and an app that cannot read them sends people to addresses that it guesses. */
const documents: readonly string[] = [SERVER_METADATA_PATH, oauthRoutes.jwks];
const DOCUMENT = 'public, max-age=3600';

const pathOf = ({ url }: GatewayRequest): string => url.split('?', 1)[0] ?? url;
const isDocument = (request: GatewayRequest): boolean => documents.includes(pathOf(request));

/** The library keeps each piece of a body that it reads itself, so it gets the whole as one. Throws `malformed_request`. */
const withBody = (request: GatewayRequest, body: Buffer | null): GatewayRequest => {
  if (body === null) return request;
  if (/urlencoded/i.test(request.headers['content-type'] ?? '')) boundPairs(body.toString('latin1'));
  return Object.create(request, { readable: { value: true }, iterator: { value: () => [body] } });
};

const [TOO_MANY_REQUESTS, INTERNAL, UNAVAILABLE] = [429, 500, 503];

const protocolCode = ({ status }: ServiceError): string => {
  if (status === TOO_MANY_REQUESTS || status === UNAVAILABLE) return 'temporarily_unavailable';
  return status < INTERNAL ? 'invalid_request' : 'server_error';
};

/** A failure as the protocol has it (RFC 6749, 5.2); to a person who is to allow an app, a page. */
const failedAnswer = (request: GatewayRequest, failure: ServiceError, { headers = [] }: Answer): Answer => {
  const { status, message } = failure;
  const isPage = request.method === 'GET' && request.headers.accept?.includes('text/html');
  return isPage
    ? { status, failure, headers: [...pageHeaders, ...headers], ...htmlBody(message) }
    : jsonAnswer(status, { error: protocolCode(failure), error_description: message }, { failure, headers });
};

const htmlBody = (message: string) => ({
  contentType: 'text/html; charset=utf-8',
  body: connectFailedHtml(message.replace(/\.$/, '')),
});

/** Lets the authorization server answer, within the limits of callers without a credential. */
export const createOauthMiddleware = (server: AuthorizationServer, edge: Edge): Middleware => {
  const { finish, note, readAddress, publicCallers, publicUrl } = edge;
  /** Resolves to the status of the answer. */
  const serve = async (
    request: GatewayRequest,
    response: GatewayResponse,
    body: Buffer | null,
  ): Promise<number> => {
    const { requestId, isOpen } = response.locals.exchange;
    const read = withBody(request, body);
    response.setHeader('X-Request-Id', requestId);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (isDocument(request)) response.setHeader('Cache-Control', DOCUMENT);
    if (isOpen) response.setHeader(...openToAnySite);
    response.once('close', () => note(request, response));
    const signal = new AbortController().signal;
    const clientAddress = readAddress(request);
    await server.serve(read, response, { requestId, accountId: null, signal, clientAddress });
    endBodySoon(request);
    return response.statusCode;
  };
  return async (request, response) => {
    const { exchange } = response.locals;
    const path = pathOf(request);
    exchange.route = 'oauth';
    // An app that is a page registers itself. For its other addresses the library knows the sites of an app.
    exchange.isOpen = path === oauthRoutes.registration;
    try {
      const network = clientNetwork(readAddress(request));
      const { grants } = publicCallers;
      const isGrant = path === oauthRoutes.token;
      if (isGrant) grants.count(network);
      else if (!isDocument(request)) publicCallers.count(network);
      const share = publicCallers.bodyShare(network);
      const isRead = request.method === 'POST';
      const body = isRead ? await readBytes(request, undefined, share).finally(share.release) : null;
      const work = () => serve(request, response, body);
      await (isGrant ? grants.run(network, exchange.requestId, work) : work());
    } catch (thrown) {
      exchange.isOpen = true;
      const failure = asServiceError(thrown);
      const answer = errorAnswer(failure, exchange.requestId, publicUrl);
      finish(request, response, failedAnswer(request, failure, answer));
    }
  };
};
