import { clientNetwork } from '@tds/base';
import type { ClientAddress } from '../http/client-address.ts';
import type { Middleware } from '../http/create-app.ts';
import type { Finish } from '../http/finish.ts';
import type { PublicCallers } from '../http/public-callers.ts';
import { openToAnySite } from '../pages/page-headers.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { oauthRoutes } from './oauth-paths.ts';

type Edge = Pick<Finish, 'fail' | 'note'> & {
  readonly readAddress: ClientAddress;
  readonly publicCallers: Pick<PublicCallers, 'count'>;
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

/** Lets the authorization server answer, within the limit of callers without a credential. */
export const createOauthMiddleware =
  (server: AuthorizationServer, { fail, note, readAddress, publicCallers }: Edge): Middleware =>
  async (request, response) => {
    const { exchange } = response.locals;
    exchange.route = 'oauth';
    // An app that is a page registers itself. For its other addresses the library knows the sites of an app.
    exchange.isOpen = request.url === oauthRoutes.registration;
    try {
      const clientAddress = readAddress(request);
      publicCallers.count(clientNetwork(clientAddress));
      response.setHeader('X-Request-Id', exchange.requestId);
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      if (exchange.isOpen) response.setHeader(...openToAnySite);
      response.once('close', () => note(request, response));
      const { requestId } = exchange;
      const signal = new AbortController().signal;
      await server.serve(request, response, { requestId, accountId: null, signal, clientAddress });
    } catch (thrown) {
      fail(request, response, thrown);
    }
  };
