import { createPrivateKey, hkdfSync } from 'node:crypto';
import { accessScope, HOUR_MS, SECOND_MS } from '@tds/contracts';
import type { Configuration, KoaContextWithOIDC, Provider, TokenEndpointGrantContext } from 'oidc-provider';
import { isAllowedRedirect, makePublic } from './app-facts.ts';
import { createGrantStore, type StoreDeps } from './grant-store.ts';
import { compareByAddress, nameTokens, readEmptySecrets } from './library-changes.ts';
import { oauthRoutes } from './oauth-paths.ts';
import { exchangeTokens, isOwnResource } from './token-exchange.ts';

type Library = typeof import('oidc-provider');

type ProviderDeps = Pick<StoreDeps, 'call' | 'requests'> & {
  readonly publicUrl: string;
  readonly cookieSecure: boolean;
  /** Signs its cookies and names its tokens: the same for all gateways. */
  readonly replaySecret: string;
  /** Reads the document by which an app describes itself. */
  readDocument(url: string): Promise<Response>;
  /** Whether the network of this request may have one more document read. */
  mayReadDocument(): boolean;
  renderError(ctx: KoaContextWithOIDC, reason: string): void;
};

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = HOUR_MS / SECOND_MS;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** Times in seconds. A request of an app has to outlast a sign-in by mail. */
const ttl = {
  Interaction: 30 * MINUTE_SECONDS,
  AuthorizationCode: MINUTE_SECONDS,
  AccessToken: HOUR_SECONDS,
  /** Each refresh begins it anew. */
  RefreshToken: 90 * DAY_SECONDS,
  /** A connection has no end of its own. */
  Grant: 3_650 * DAY_SECONDS,
  Session: MINUTE_SECONDS,
};

const COOKIE_PATH = '/v1/connections/requests';
const KEY_BYTES = 32;
/** The beginning of an Ed25519 key in PKCS 8, before its 32 bytes. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

const derive = (secret: string, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `oauth/${use}`, KEY_BYTES));

/** The library wants a key for identity tokens, which it never issues here. All gateways derive the same one. */
const signingKey = (secret: string) => ({
  ...createPrivateKey({
    key: Buffer.concat([PKCS8, derive(secret, 'signing')]),
    format: 'der',
    type: 'pkcs8',
  }).export({ format: 'jwk' }),
  use: 'sig',
  alg: 'EdDSA',
});

/** Every request of an app is confirmed, also that of a known one: a silent grant would let any page of an app spend credits. */
const createPolicy = ({ interactionPolicy: { Check, Prompt } }: Library) => {
  const consentCheck = new Check(
    'not_allowed',
    'The holder of the account has to allow it',
    'interaction_required',
    (ctx) => (ctx.oidc.result?.consent === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT),
  );
  return [new Prompt({ name: 'consent' }, consentCheck)];
};

const createFeatures = (
  { errors }: Library,
  { publicUrl, mayReadDocument }: ProviderDeps,
): Configuration['features'] => {
  const scope = accessScope.options.join(' ');
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    userinfo: { enabled: false },
    registration: { enabled: true, issueRegistrationAccessToken: false },
    revocation: {
      enabled: true,
      allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
    },
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      allowFetch: () => mayReadDocument(),
      allowClient: (_ctx, { redirectUris = [] }) => redirectUris.every(isAllowedRedirect),
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: (_ctx, _client, oneOf) => oneOf?.[0] ?? publicUrl,
      useGrantedResource: () => true,
      getResourceServerInfo: (_ctx, resource) => {
        if (!isOwnResource(publicUrl, resource)) throw new errors.InvalidTarget();
        return { scope, audience: publicUrl, accessTokenFormat: 'opaque', accessTokenTTL: ttl.AccessToken };
      },
    },
  };
};

/** Apps on computers of people keep no secret. Each proves by PKCE that it began what it ends. */
const clientRules = ({ errors }: Library) =>
  ({
    clientAuthMethods: ['none'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'EdDSA',
    },
    pkce: { required: () => true },
    extraClientMetadata: {
      properties: ['redirect_uris'],
      // The library calls it before it checks types.
      validator: (_ctx, _key, uris, metadata) => {
        if (!Array.isArray(uris) || !uris.every(isAllowedRedirect))
          throw new errors.InvalidClientMetadata(
            'redirect_uris are https, of this computer, or of a scheme of the app',
          );
        makePublic(metadata);
      },
    },
  }) satisfies Configuration;

const buildCookies = ({ cookieSecure, replaySecret }: ProviderDeps) => {
  const cookie = { httpOnly: true, sameSite: 'lax', secure: cookieSecure, signed: true } as const;
  return {
    names: { session: 'svc_oauth', interaction: 'svc_connect', resume: 'svc_connect_resume' },
    keys: [derive(replaySecret, 'cookies').toString('base64url')],
    short: { ...cookie, path: COOKIE_PATH },
    long: cookie,
  };
};

/** The library's words for an app whose registration is forgotten say nothing to a person. */
const errorText = ({ error, error_description: text }: { error?: unknown; error_description?: unknown }) =>
  text === 'client is invalid' ? 'this service does not know the app' : String(text ?? error);

const createConfiguration = (library: Library, deps: ProviderDeps): Configuration => {
  const { publicUrl, replaySecret, renderError } = deps;
  return {
    adapter: createGrantStore({ ...deps, errors: library.errors }) as never,
    routes: oauthRoutes,
    scopes: [...accessScope.options, 'offline_access'],
    responseTypes: ['code'],
    ...clientRules(library),
    ttl,
    features: createFeatures(library, deps),
    fetch: (url: unknown) => deps.readDocument(String(url)),
    jwks: { keys: [signingKey(replaySecret)] } as never,
    enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
    cookies: buildCookies(deps),
    interactions: {
      policy: createPolicy(library) as never,
      url: (_ctx, { uid }) => `${publicUrl}/dashboard/connect?request=${uid}`,
    },
    loadExistingGrant: async ({ oidc }) => {
      const grantId = oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId);
    },
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: async () => false,
    // Whatever an app gives back, and whatever is used twice, ends its connection.
    revokeGrantPolicy: () => true,
    clientBasedCORS: (_ctx, origin, { redirectUris = [] }) =>
      redirectUris.some((uri) => URL.parse(uri)?.origin === origin),
    renderError: (ctx, failure) => renderError(ctx, errorText(failure)),
  };
};

/** The authorization server: OAuth 2.1 by a certified library, whose records identity keeps. */
export const createProvider = (library: Library, deps: ProviderDeps): Provider => {
  const exchangeDeps = { ...deps, errors: library.errors };
  class AppProvider extends library.Provider {
    override registerGrantType<Fields extends object>(
      name: string,
      handle: (ctx: TokenEndpointGrantContext<Fields>) => unknown,
      ...fields: (ReadonlySet<string> | readonly string[] | string | undefined)[]
    ): void {
      const exchange = (ctx: TokenEndpointGrantContext<Fields>) =>
        exchangeTokens(exchangeDeps, ctx, () => handle(ctx));
      super.registerGrantType(name, exchange, ...fields);
    }
    override registerResponseMode(...[name, answer]: Parameters<Provider['registerResponseMode']>): void {
      // An answer by a form would run a script.
      if (name === 'form_post') return;
      super.registerResponseMode(name, (ctx, uri, payload) =>
        // Before the holder is asked, no one is sent to an address that anyone may have registered (RFC 9700, 4.11.2).
        ctx.oidc.route === 'resume' ? answer(ctx, uri, payload) : deps.renderError(ctx, errorText(payload)),
      );
    }
  }
  const provider = new AppProvider(deps.publicUrl, createConfiguration(library, deps));
  // What it reads of the address is set by the gateway.
  provider.proxy = true;
  nameTokens(provider, derive(deps.replaySecret, 'refresh tokens'), deps.requests);
  compareByAddress(provider);
  readEmptySecrets(provider);
  return provider;
};
