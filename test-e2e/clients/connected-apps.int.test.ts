import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { UnauthorizedError as UnauthorizedOne } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as ClientOne } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportOne } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { eventually } from '@tds/test-kit';
import * as oauth from 'oauth4webapi';
import {
  allowAppRequest,
  bearer,
  CALLBACK,
  type Customer,
  call,
  createBrowser,
  dashboard,
  fileVideo,
  openAppRequest,
  shareTestSystem,
  signUp,
  startAnother,
  type TestSystem,
} from '#support/testing';
import { newProvider, type Provider } from './app-provider.ts';

const SCOPES = ['read', 'fetch', 'jobs'];
/** Seldom enough for the limit of requests per minute. */
const SEARCHED_WITHIN = { everyMs: 1_500 };
const REVOKED_WITHIN = { everyMs: 500 };

let system: TestSystem;
let videos = 0;
beforeAll(async () => {
  system = await shareTestSystem();
});
afterAll(() => system?.stop());

type Allowance = { readonly scopes?: readonly string[]; readonly daily_credit_cap?: number };

/** The holder in a browser: opens what the app has opened, allows it, and is led back to the app. Resolves to that address. */
const allowIn = async (customer: Customer, address: URL, allowance: Allowance = {}): Promise<URL> => {
  const browser = createBrowser(customer);
  const request = `${system.gateway}/v1/connections/requests/${await openAppRequest(browser, address)}`;
  return allowAppRequest(browser, request, { scopes: SCOPES, daily_credit_cap: 20, ...allowance });
};

type Called = { readonly isError?: boolean; readonly structuredContent?: Record<string, unknown> };
type App = { call(name: string, args?: object): Promise<Called> };
type Tokens = { access_token: string; refresh_token: string };

const self = { name: 'story', version: '1.0.0' };
const mcp = () => new URL('/v1/mcp', system.gateway);

const official = {
  'version 2': async (provider: Provider, customer: Customer, allowance: Allowance): Promise<App> => {
    const open = () => new StreamableHTTPClientTransport(mcp(), { authProvider: provider });
    const first = open();
    await expect(new Client(self).connect(first)).rejects.toBeInstanceOf(UnauthorizedError);
    const back = await allowIn(customer, provider.kept.address as URL, allowance);
    await first.finishAuth(back.searchParams);
    const client = new Client(self);
    await client.connect(open());
    return {
      call: async (name, args = {}) => (await client.callTool({ name, arguments: { ...args } })) as Called,
    };
  },
  'version 1': async (provider: Provider, customer: Customer, allowance: Allowance): Promise<App> => {
    const open = () => new TransportOne(mcp(), { authProvider: provider });
    const first = open();
    await expect(new ClientOne(self).connect(first as never)).rejects.toBeInstanceOf(UnauthorizedOne);
    const back = await allowIn(customer, provider.kept.address as URL, allowance);
    await first.finishAuth(String(back.searchParams.get('code')));
    const client = new ClientOne(self);
    await client.connect(open() as never);
    return {
      call: async (name, args = {}) => (await client.callTool({ name, arguments: { ...args } })) as Called,
    };
  },
};

const connectionsOf = async (customer: Customer) =>
  (await customer.get('/v1/connections')).json<{ connections: { id: string }[] }>().connections;
const disconnect = (customer: Customer, id: string) =>
  call(`${system.gateway}/v1/connections/${id}`, { method: 'DELETE', headers: dashboard(customer) });
const accountBy = (token: string, gateway = system.gateway) =>
  call(`${gateway}/v1/account`, { headers: bearer(token) });

describe.each(Object.entries(official))('the official client of %s', (_name, connect) => {
  it('connects by OAuth alone, reads and searches under its cap, refreshes, and is refused once it is disconnected', async () => {
    const customer = await signUp(system);
    const provider = newProvider();
    const app = await connect(provider, customer, { scopes: ['read', 'fetch'], daily_credit_cap: 1 });
    const [one, two] = [fileVideo(++videos), fileVideo(++videos)];
    const read = await app.call('get_transcript', { video: one });
    expect(read.structuredContent).toMatchObject({ status: 'ready', credits_charged: 1 });
    const spoken = String(read.structuredContent?.text).match(/[\p{L}]{5,}/u)?.[0] ?? '';
    await eventually(async () => {
      const { structuredContent: found } = await app.call('search_library', { q: spoken });
      expect(JSON.stringify(found)).toContain(one);
    }, SEARCHED_WITHIN);
    const beyond = await app.call('get_transcript', { video: two });
    expect(beyond).toMatchObject({ isError: true, structuredContent: { code: 'daily_credit_cap' } });
    // The client asks the holder for more, and goes on with what it has until it gets it.
    delete provider.kept.address;
    await expect(app.call('start_job', { video_ids: [one] })).rejects.toThrow();
    expect((await app.call('get_account')).isError).toBeUndefined();

    // The client refreshes a token that has ended by itself.
    const { access_token, ...rest } = provider.kept.tokens as Tokens;
    provider.kept.tokens = { ...rest, access_token: access_token.replace(/.{6}$/, 'aaaaaa') };
    expect((await app.call('get_account')).isError).toBeUndefined();
    const { access_token: newer } = provider.kept.tokens as Tokens;
    expect([access_token, access_token.replace(/.{6}$/, 'aaaaaa')]).not.toContain(newer);

    const [connection] = await connectionsOf(customer);
    expect(connection).toMatchObject({ app: { name: 'A story', host: 'localhost' }, daily_credit_cap: 1 });
    expect((await disconnect(customer, String(connection?.id))).status).toBe(200);
    await eventually(async () => expect((await accountBy(newer)).status).toBe(401), REVOKED_WITHIN);
    expect(await connectionsOf(customer)).toEqual([]);
  });
});

it('three sessions of one app that share a store refresh at once, again and again, and stay connected', async () => {
  const customer = await signUp(system);
  const provider = newProvider();
  await official['version 2'](provider, customer, { scopes: ['read', 'fetch'] });
  const sessions = await Promise.all(
    [1, 2, 3].map(async () => {
      const client = new Client(self);
      await client.connect(new StreamableHTTPClientTransport(mcp(), { authProvider: provider }));
      return client;
    }),
  );
  for (let round = 0; round < 4; round += 1) {
    const { access_token, ...rest } = provider.kept.tokens as Tokens;
    provider.kept.tokens = { ...rest, access_token: access_token.replace(/.{6}$/, 'aaaaaa') };
    const called = await Promise.all(
      sessions.map((client) => client.callTool({ name: 'get_account', arguments: {} })),
    );
    expect(called.map(({ isError }) => isError)).toEqual([undefined, undefined, undefined]);
  }
  expect(await connectionsOf(customer)).toHaveLength(1);
});

/** Another client library: a certified one that checks what the protocol says of answers, such as `iss` (RFC 9207). */
const insecure = { [oauth.allowInsecureRequests]: true };
const connectOther = async (customer: Customer) => {
  const resource = await oauth.processResourceDiscoveryResponse(
    mcp(),
    await oauth.resourceDiscoveryRequest(mcp(), insecure),
  );
  const issuer = new URL(String(resource.authorization_servers?.[0]));
  const found = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' });
  const server = await oauth.processDiscoveryResponse(issuer, found);
  const metadata = { client_name: 'Another', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' };
  const registered = await oauth.dynamicClientRegistrationRequest(server, metadata, insecure);
  const client = await oauth.processDynamicClientRegistrationResponse(registered);
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
  const address = new URL(String(server.authorization_endpoint));
  address.search = new URLSearchParams({
    ...{
      client_id: client.client_id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: SCOPES.join(' '),
      state,
    },
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    ...{ code_challenge_method: 'S256', resource: resource.resource },
  }).toString();
  const back = oauth.validateAuthResponse(server, client, await allowIn(customer, address), state);
  const exchange = (more = insecure) =>
    oauth.authorizationCodeGrantRequest(server, client, oauth.None(), back, CALLBACK, verifier, more);
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, await exchange());
  const refresh = async (token: string) =>
    oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, oauth.None(), token, insecure),
    );
  const revoke = async (token: string) =>
    oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, oauth.None(), token, insecure),
    );
  return { tokens, exchange, refresh, revoke };
};

describe('another client', () => {
  it('gets the same successor ten times, and then the connection ends, also at another gateway', async () => {
    const customer = await signUp(system);
    const { tokens, refresh } = await connectOther(customer);
    const other = await startAnother(system, 'gateway', { PORT: '0', HEALTH_PORT: '0' });
    try {
      const newer = await refresh(String(tokens.refresh_token));
      for (let repeat = 0; repeat < 10; repeat += 1)
        expect((await refresh(String(tokens.refresh_token))).refresh_token).toBe(newer.refresh_token);
      const elsewhere = String(other.addresses.gateway?.http);
      expect((await accountBy(newer.access_token, elsewhere)).status).toBe(200);
      await expect(refresh(String(tokens.refresh_token))).rejects.toMatchObject({ error: 'invalid_grant' });
      await expect(refresh(String(newer.refresh_token))).rejects.toMatchObject({ error: 'invalid_grant' });
      for (const gateway of [system.gateway, elsewhere])
        await eventually(
          async () => expect((await accountBy(newer.access_token, gateway)).status).toBe(401),
          REVOKED_WITHIN,
        );
      expect(await connectionsOf(customer)).toEqual([]);
    } finally {
      await other.stop();
    }
  });

  it('a code that is used again ends the connection that it has made', async () => {
    const customer = await signUp(system);
    const { tokens, exchange } = await connectOther(customer);
    expect((await accountBy(tokens.access_token)).status).toBe(200);
    expect((await exchange()).status).toBe(400);
    await eventually(
      async () => expect((await accountBy(tokens.access_token)).status).toBe(401),
      REVOKED_WITHIN,
    );
  });

  it('revokes its token and is disconnected', async () => {
    const customer = await signUp(system);
    const { tokens, revoke } = await connectOther(customer);
    await revoke(String(tokens.refresh_token));
    await eventually(
      async () => expect((await accountBy(tokens.access_token)).status).toBe(401),
      REVOKED_WITHIN,
    );
    expect(await connectionsOf(customer)).toEqual([]);
  });

  it('is refused when the account is closed, with its refresh token too', async () => {
    const customer = await signUp(system);
    const { tokens, refresh } = await connectOther(customer);
    const closing = { method: 'DELETE', body: JSON.stringify({ confirm: customer.email }) };
    const headers = { ...dashboard(customer), 'content-type': 'application/json' };
    const closed = await call(`${system.gateway}/v1/account?resource=account`, { ...closing, headers });
    expect(closed.status).toBe(200);
    await eventually(async () => {
      expect((await accountBy(tokens.access_token)).json()).toMatchObject({ code: 'account_closed' });
    }, REVOKED_WITHIN);
    await expect(refresh(String(tokens.refresh_token))).rejects.toMatchObject({ error: 'invalid_grant' });
  });
});
