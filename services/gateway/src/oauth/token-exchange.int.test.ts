import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serviceError } from '@tds/errors';
import {
  answer,
  authorizeUrl,
  CALLBACK,
  followCallback,
  ISSUER,
  newProof,
  readTokens,
  startWithApps,
  type WithApps,
} from '../test-support/apps.ts';

let apps: WithApps;
beforeAll(async () => {
  apps = await startWithApps();
});
afterAll(() => apps?.gateway.stop());

const connected = async () => {
  const { client, grant } = await apps.connect();
  const { refresh_token } = await readTokens(await apps.exchange(grant));
  return { grant_type: 'refresh_token', client_id: client, refresh_token };
};
const errorOf = async (response: Response) => (await readTokens(response)).error;

describe('a refused request for tokens', () => {
  it.each<[string, Record<string, string>, string]>([
    ['another resource', { resource: 'https://evil.example/' }, 'invalid_target'],
    ['another client', { client_id: 'unknown' }, 'invalid_client'],
    ['a scope that was not allowed', { scope: 'read monitors' }, 'invalid_scope'],
  ])('uses no refresh token up: %s', async (_what, more, error) => {
    const refresh = await connected();
    expect(await errorOf(await apps.exchange({ ...refresh, ...more }))).toBe(error);
    expect((await apps.exchange(refresh)).status).toBe(200);
  });

  it.each<[string, Record<string, string>, string]>([
    ['another resource', { resource: 'https://evil.example/' }, 'invalid_target'],
    ['another redirect', { redirect_uri: 'http://localhost:1/other' }, 'invalid_grant'],
    ['another proof', { code_verifier: newProof().verifier }, 'invalid_grant'],
  ])('uses no code up: %s', async (_what, more, error) => {
    const { grant } = await apps.connect();
    expect(await errorOf(await apps.exchange({ ...grant, ...more }))).toBe(error);
    expect((await apps.exchange(grant)).status).toBe(200);
  });

  it('uses nothing up if identity is away, and the app reads that it may try again', async () => {
    const { commands } = apps.gateway.identity;
    const { issueTokens } = commands;
    const { client, grant } = await apps.connect();
    commands.issueTokens = async () => {
      throw serviceError('service_unavailable');
    };
    expect(await errorOf(await apps.exchange(grant))).toBe('temporarily_unavailable');
    commands.issueTokens = issueTokens;
    const { refresh_token } = await readTokens(await apps.exchange(grant));
    const refresh = { grant_type: 'refresh_token', client_id: client, refresh_token };
    commands.issueTokens = async () => {
      throw serviceError('service_unavailable');
    };
    expect(await errorOf(await apps.exchange(refresh))).toBe('temporarily_unavailable');
    commands.issueTokens = issueTokens;
    expect((await apps.exchange(refresh)).status).toBe(200);
  });
});

describe('what apps send with a request for tokens', () => {
  it.each([`${ISSUER}/v1/mcp/`, `${ISSUER}/v1/mcp`, ISSUER, `${ISSUER.toUpperCase()}/`, ''])(
    'the resource %s is that of the connection',
    async (resource) => {
      const { client, grant } = await apps.connect();
      const tokens = await readTokens(await apps.exchange({ ...grant, resource }));
      expect(tokens.scope).toBe('read fetch');
      const refresh = { grant_type: 'refresh_token', client_id: client, refresh_token: tokens.refresh_token };
      expect((await apps.exchange({ ...refresh, resource })).status).toBe(200);
    },
  );

  it('several resources of one request get a token', async () => {
    const [client, browser, { verifier, challenge }] = [await apps.newClient(), apps.newBrowser(), newProof()];
    const more = new URLSearchParams({ resource: `${ISSUER}/v1/mcp/` });
    const asked = await browser.open(`${authorizeUrl(client, challenge)}&${more}`);
    const request = String(new URL(String(asked.headers.get('location'))).searchParams.get('request'));
    const code = await followCallback(browser, await answer(browser, request));
    const grant = { grant_type: 'authorization_code', client_id: client, code_verifier: verifier };
    expect((await apps.exchange({ ...grant, code: String(code.get('code')) })).status).toBe(200);
  });

  it('scopes of other servers are left out, and fewer of ours are all that the token may do', async () => {
    const refresh = await connected();
    const all = await readTokens(await apps.exchange({ ...refresh, scope: 'offline_access openid' }));
    expect(all.scope).toBe('read fetch');
    const some = await apps.exchange({ ...refresh, scope: 'read offline_access' });
    expect((await readTokens(some)).scope).toBe('read');
    const { request } = apps.gateway.identity.asked.findLast(({ name }) => name === 'issueTokens') as {
      request: { made: object[] };
    };
    expect(request.made).toContainEqual(expect.objectContaining({ kind: 'AccessToken', scope: 'read' }));
  });

  it('an id with an empty secret in the header is that of a program without a secret', async () => {
    const { client, grant } = await apps.connect();
    const { client_id: _, ...fields } = { ...grant, redirect_uri: CALLBACK };
    const send = (path: string, body: Record<string, string>, secret = '') =>
      fetch(apps.gateway.url + path, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${client}:${secret}`)}` },
        body: new URLSearchParams(body),
      });
    expect((await send('/oauth/token', fields, 'guess')).status).toBe(401);
    const first = await readTokens(await send('/oauth/token', fields));
    const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token };
    expect((await send('/oauth/token', { ...refresh, client_id: client })).status).toBe(200);
    const foreign = { ...refresh, client_id: await apps.newClient() };
    expect(await errorOf(await send('/oauth/token', foreign))).toBe('invalid_grant');
    expect((await send('/oauth/revoke', { token: first.refresh_token })).status).toBe(200);
    expect(await errorOf(await send('/oauth/token', refresh))).toBe('invalid_grant');
  });

  it('a code needs no redirect, as OAuth 2.1 has it', async () => {
    const { grant } = await apps.connect({ redirect_uri: 'http://localhost:1234/callback' });
    const response = await fetch(`${apps.gateway.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(grant),
    });
    expect(response.status).toBe(200);
  });
});

describe('a refresh token that is used twice', () => {
  let other: Awaited<ReturnType<WithApps['gateway']['addGateway']>>;
  beforeAll(async () => {
    other = await apps.gateway.addGateway();
  });

  it('gets the same successor at every gateway, at once and later, and a new access token', async () => {
    const refresh = await connected();
    const answers = await Promise.all([
      apps.exchange(refresh),
      apps.exchange(refresh, other.url),
      apps.exchange(refresh),
    ]);
    const tokens = await Promise.all([...answers, await apps.exchange(refresh, other.url)].map(readTokens));
    expect(new Set(tokens.map((one) => one.refresh_token)).size).toBe(1);
    expect(new Set(tokens.map((one) => one.access_token)).size).toBe(4);
    const next = { ...refresh, refresh_token: String(tokens[0]?.refresh_token) };
    expect(next.refresh_token).not.toBe(refresh.refresh_token);
    expect((await apps.exchange(next)).status).toBe(200);
  });
});
