import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientNetwork } from '@tds/base';
import { type AccessScope, accessScope, digestSecret, webhookDispatcher } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { Call, Kit } from '@tds/kit';
import { connectFailedHtml } from '@tds/site';
import type { InteractionResults, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { createPublicCallers } from '../admission/index.ts';
import type { GatewayConfig } from '../config.ts';
import type { MonotonicClock } from '../redis/index.ts';
import type { Surface } from '../surface.ts';
import { appFacts } from './app-facts.ts';
import { adaptAddress } from './app-query.ts';
import type { OauthRequest } from './grant-store.ts';

type ServerDeps = Pick<Kit<Surface>, 'call' | 'log'> & {
  readonly clock: MonotonicClock;
  readonly config: Pick<GatewayConfig, 'publicUrl' | 'cookieSecure' | 'replaySecret'>;
};

/** The cookies of the browser that an app has opened bind a request to it. */
type Browser = { readonly cookie?: string | undefined };

/** What an app asks the holder for. */
type AppRequest = {
  readonly app: { readonly name: string; readonly host: string };
  readonly scopes: readonly AccessScope[];
};

type ConnectedGrant = AppRequest & { readonly grantId: string };
type Approval = { readonly accountId: string; readonly scopes: readonly AccessScope[] };

/** 600 KB of code, which a gateway without apps never needs. */
const loadLibrary = () => import('oidc-provider');

/** The library reads where it is from the request, which its sender chooses. */
const setOrigin = (request: IncomingMessage, publicUrl: string): void => {
  const { host, protocol } = new URL(publicUrl);
  request.headers.host = host;
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  delete request.headers['x-forwarded-host'];
};

const renderFailure = (ctx: KoaContextWithOIDC, reason: string): void => {
  // It may be that of a redirect, which the page stands for.
  if (ctx.status < 400) ctx.status = 400;
  ctx.type = 'html';
  ctx.body = connectFailedHtml(reason);
};

/** By the service that reaches servers of others: a gateway connects to none. Rejects if there is no answer. */
const readDocument = async (call: Call<Surface>, context: OauthRequest, url: string): Promise<Response> => {
  const { document } = await call(webhookDispatcher.readAppDocument, { url }, context);
  if (document === null) throw new Error('the document of the app cannot be read');
  const { status, body, cacheControl } = document;
  return new Response(body, { status, ...(cacheControl && { headers: { 'cache-control': cacheControl } }) });
};

const DOCUMENTS_PER_MINUTE = 10;

/** Limits the documents that a network has read, of which this process remembers a hundred. */
const createDocumentLimit = (clock: MonotonicClock): ((context: OauthRequest) => boolean) => {
  const { count } = createPublicCallers(clock, DOCUMENTS_PER_MINUTE);
  return ({ clientAddress }) => {
    try {
      count(clientNetwork(clientAddress));
      return true;
    } catch {
      return false;
    }
  };
};

/** The request of an app as the library reads it: by the cookie of the browser alone. */
const findInteraction = async (provider: Provider, { cookie }: Browser, id: string) => {
  const request = { method: 'GET', url: '/', headers: { cookie }, socket: {} };
  const answer = { getHeader: () => undefined, setHeader: () => undefined };
  const interaction = await provider.interactionDetails(request as never, answer as never).catch(() => null);
  if (interaction?.uid !== id) throw serviceError('connection_request_not_found');
  return {
    interaction,
    finish: (result: InteractionResults) =>
      provider.interactionResult(request as never, answer as never, result),
  };
};

type Interaction = Awaited<ReturnType<typeof findInteraction>>['interaction'];

const scopesOf = ({ params }: Interaction): AccessScope[] => {
  const names = String(params.scope).split(' ');
  return accessScope.options.filter((scope) => names.includes(scope));
};

/** Of what the holder allows, what the app has asked for; reading always. */
const chooseScopes = ({ scopes }: Approval, interaction: Interaction): AccessScope[] => {
  const requestedScopes = scopesOf(interaction);
  return scopes.filter((scope) => scope === 'read' || requestedScopes.includes(scope));
};

const findApp = async (provider: Provider, { params }: Interaction): Promise<AppRequest['app']> => {
  const client = await provider.Client.find(String(params.client_id));
  if (client === undefined) throw serviceError('connection_request_not_found');
  return appFacts(client.clientName, String(params.redirect_uri));
};

/** Named by the request, so that a repeat makes the same one. */
const saveGrant = async (
  provider: Provider,
  { uid, params }: Interaction,
  { accountId, scopes }: Approval,
): Promise<string> => {
  const grant = new provider.Grant({ accountId, clientId: String(params.client_id) });
  grant.jti = digestSecret(`grant of ${uid}`);
  const resources = [params.resource].flat().map(String);
  for (const resource of resources) grant.addResourceScope(resource, scopes.join(' '));
  return grant.save();
};

type Requests = AsyncLocalStorage<OauthRequest>;

/** Its store and its documents are those of the request that it works for. */
const loadProvider = async ({ call, clock, log, config }: ServerDeps, requests: Requests) => {
  const [library, { createProvider }] = await Promise.all([loadLibrary(), import('./provider.ts')]);
  const { publicUrl, cookieSecure, replaySecret } = config;
  const mayRead = createDocumentLimit(clock);
  const provider = createProvider(library, {
    call,
    requests,
    publicUrl,
    cookieSecure,
    replaySecret: replaySecret.reveal(),
    readDocument: (url) => readDocument(call, requests.getStore() as OauthRequest, url),
    mayReadDocument: () => mayRead(requests.getStore() as OauthRequest),
    renderError: renderFailure,
  });
  provider.on('server_error', (_ctx, error) => log.error('the authorization server failed', { error }));
  return { provider, serve: provider.callback() };
};

/** The authorization server of this process. The first request of its kind loads the library. */
export const createAuthorizationServer = (deps: ServerDeps) => {
  const requests: Requests = new AsyncLocalStorage();
  let loading: ReturnType<typeof loadProvider> | undefined;
  const loadOnce = () => {
    loading ??= loadProvider(deps, requests);
    return loading;
  };
  const runInRequest = async <Result>(context: OauthRequest, work: (provider: Provider) => Promise<Result>) => {
    const { provider } = await loadOnce();
    return requests.run(context, () => work(provider));
  };
  return {
    /** Serves the protocol's addresses. */
    async serve(request: IncomingMessage, response: ServerResponse, context: OauthRequest): Promise<void> {
      const { serve } = await loadOnce();
      setOrigin(request, deps.config.publicUrl);
      request.url = adaptAddress(request.url ?? '');
      await requests.run(context, () => serve(request, response));
    },
    /** Throws `connection_request_not_found`. */
    readRequest: (browser: Browser, id: string, context: OauthRequest): Promise<AppRequest> =>
      runInRequest(context, async (provider) => {
        const { interaction } = await findInteraction(provider, browser, id);
        return { app: await findApp(provider, interaction), scopes: scopesOf(interaction) };
      }),
    /**
     * Lets the request go on, once `connect` has connected the grant. Resolves to where the browser goes on. A repeat has the same grant.
     * Throws `connection_request_not_found`.
     */
    allow: (
      browser: Browser & { readonly id: string },
      approval: Approval,
      connect: (grant: ConnectedGrant) => Promise<unknown>,
      context: OauthRequest,
    ): Promise<string> =>
      runInRequest(context, async (provider) => {
        const { interaction, finish } = await findInteraction(provider, browser, browser.id);
        const app = await findApp(provider, interaction);
        const scopes = chooseScopes(approval, interaction);
        const grantId = await saveGrant(provider, interaction, { ...approval, scopes });
        await connect({ grantId, app, scopes });
        return finish({ login: { accountId: approval.accountId, remember: false }, consent: { grantId } });
      }),
    refuse: (browser: Browser, id: string, context: OauthRequest): Promise<string> =>
      runInRequest(context, async (provider) => {
        const { finish } = await findInteraction(provider, browser, id);
        return finish({ error: 'access_denied', error_description: 'The holder of the account refused' });
      }),
  };
};
export type AuthorizationServer = ReturnType<typeof createAuthorizationServer>;
