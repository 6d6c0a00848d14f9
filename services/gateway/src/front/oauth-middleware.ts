import { clientNetwork } from '@tds/base';
import { oauthRoutes, SERVER_METADATA_PATH } from '../oauth/index.ts';
import { openToAnySite } from '../pages/index.ts';
import { asServiceError, errorAnswer } from '../wire/index.ts';
import type { Middleware } from './create-app.ts';
import type { Finish } from './finish.ts';
import type { FrontDeps } from './front-deps.ts';
import { readBytes } from './input/request-body.ts';

/** No answer of the protocol is shown in a frame, runs a script or is kept. */
const headers: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; script-src 'none'; base-uri 'none'; frame-ancestors 'none'",
};

const TOO_MANY_REQUESTS = 429;
/** A hosted assistant refreshes the tokens of all its users from one network: ten count as one that is refused. */
const [GRANT_COST, REFUSALS] = [0.1, [400, 401]];

/** Lets the authorization server answer, within the limits of callers without a credential. Failures have its form (RFC 6749, 5.2). */
export const createOauthMiddleware =
  ({ oauth, readAddress, publicCallers, config }: FrontDeps, { finish, recordResponse }: Finish): Middleware =>
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
      const grantWindow = path === oauthRoutes.token ? publicCallers.countGrant(network, GRANT_COST) : null;
      if (!isDocument && grantWindow === null) publicCallers.count(network);
      const share = publicCallers.bodyShare(network);
      const body = await readBytes(request, share).finally(share.release);
      response.setHeader('X-Request-Id', requestId);
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      if (isDocument) response.setHeader('Cache-Control', 'public, max-age=3600');
      if (exchange.isOpen) response.setHeader(...openToAnySite);
      response.once('close', () => recordResponse(request, response));
      // The library keeps each piece of a body that it reads itself, so it gets the whole as one.
      const bufferedRequest = Object.create(request, {
        readable: { value: true },
        iterator: { value: () => [body] },
      });
      const signal = new AbortController().signal;
      await oauth.serve(bufferedRequest, response, { requestId, accountId: null, signal, clientAddress });
      if (grantWindow && REFUSALS.includes(response.statusCode)) grantWindow.count += 1 - GRANT_COST;
    } catch (thrown) {
      exchange.isOpen = true;
      const failure = asServiceError(thrown);
      const error = failure.status < TOO_MANY_REQUESTS ? 'invalid_request' : 'temporarily_unavailable';
      const body = JSON.stringify({ error, error_description: failure.message });
      finish(request, response, { ...errorAnswer(failure, requestId, config.publicUrl), body, failure });
    }
  };
