import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/client';
import { CALLBACK, ISSUER, readTokens, startWithApps, type WithApps } from '../test-support/apps.ts';

/** More than a connection takes. */
const PER_MINUTE = 12;

let apps: WithApps;
let connected: { client: string; refresh_token: string };
beforeAll(async () => {
  apps = await startWithApps({
    environment: { PUBLIC_REQUESTS_PER_MINUTE: String(PER_MINUTE), TRUSTED_PROXIES: '127.0.0.0/8' },
  });
  const { client, grant } = await apps.connect();
  connected = { client, ...(await readTokens(await apps.exchange(grant))) };
});
afterAll(() => apps?.gateway.stop());

/** As a browser or a program of another network. */
const ask = (network: number, path: string, init: RequestInit = {}) =>
  fetch(apps.gateway.url + path, {
    redirect: 'manual',
    ...init,
    headers: { 'x-forwarded-for': `192.0.${network}.1`, ...(init.headers as Record<string, string>) },
  });
const refresh = (network: number, refresh_token: string) =>
  ask(network, '/oauth/token', {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', client_id: connected.client, refresh_token }),
  });
const overLimit = async (network: number) => {
  for (let time = 0; time < PER_MINUTE; time += 1) expect((await refresh(network, 'unknown')).status).toBe(400);
};
const documents = [
  ...['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource', '/oauth/jwks'],
  '/.well-known/oauth-protected-resource/v1/mcp',
];

describe('a network that asks too often', () => {
  it('has as many refused requests for tokens as others without a credential, and then the error of the protocol', async () => {
    await overLimit(1);
    const answer = await refresh(1, 'unknown');
    expect([answer.status, await answer.json()]).toEqual([
      429,
      { error: 'temporarily_unavailable', error_description: expect.stringContaining('Too many requests') },
    ]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await refresh(2, 'unknown')).status).toBe(400);
  });

  it('exchanges and refreshes for many users', async () => {
    let { refresh_token } = connected;
    for (let time = 0; time < 5 * PER_MINUTE; time += 1) {
      const answer = await refresh(3, refresh_token);
      expect(answer.status).toBe(200);
      ({ refresh_token } = await readTokens(answer));
    }
    connected = { ...connected, refresh_token };
  });

  it('has the rest of the protocol refused in its form, also to a page of another site', async () => {
    for (let time = 0; time < PER_MINUTE; time += 1) await ask(4, '/oauth/authorize');
    for (const path of ['/oauth/register', '/oauth/revoke', '/oauth/authorize/x']) {
      const answer = await ask(4, path, { method: 'POST', headers: { origin: 'https://app.example' } });
      expect([answer.status, await answer.json()]).toMatchObject([429, { error: 'temporarily_unavailable' }]);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    }
  });

  it.each(documents)('reads %s, which caches may keep', async (path) => {
    for (let time = 0; time < 2 * PER_MINUTE; time += 1) {
      const answer = await ask(5, path);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([
        200,
        expect.stringMatching(/^public, max-age=\d+$/),
      ]);
    }
  });

  it('sends nobody to an address that is not there: the official client', async () => {
    await overLimit(6);
    const opened: URL[] = [];
    let isForgotten = false;
    const provider: OAuthClientProvider = {
      redirectUrl: CALLBACK,
      clientMetadata: { redirect_uris: [CALLBACK] },
      clientInformation: () => ({ client_id: connected.client, issuer: ISSUER }),
      tokens: () => ({
        ...{ access_token: 'ended', token_type: 'Bearer', issuer: ISSUER },
        refresh_token: connected.refresh_token,
      }),
      saveTokens: () => {},
      redirectToAuthorization: (url) => void opened.push(url),
      saveCodeVerifier: () => {},
      codeVerifier: () => 'verifier',
      invalidateCredentials: () => {
        isForgotten = true;
      },
    };
    const asked: string[] = [];
    const fetchFn = (async (url: string | URL, init?: RequestInit) => {
      const path = String(url).replace(ISSUER, '');
      asked.push(path);
      return ask(6, path, { ...init, headers: Object.fromEntries(new Headers(init?.headers)) });
    }) as typeof fetch;
    const refreshed = auth(provider, { serverUrl: `${ISSUER}/v1/mcp`, fetchFn });
    await expect(refreshed).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    expect(asked.at(-1)).toBe('/oauth/token');
    expect(opened).toEqual([]);
    expect(isForgotten).toBe(false);
  });
});

it('a body that is too large, in pieces or a form is an error of the protocol', async () => {
  const send = (body: string, type: string) =>
    ask(7, '/oauth/token', { method: 'POST', body, headers: { 'content-type': type } });
  const form = 'application/x-www-form-urlencoded';
  for (const [body, status] of [
    ['a=1&'.repeat(2_000), 400],
    ['a'.repeat(70_000), 413],
  ] as const) {
    const answer = await send(body, form);
    expect([answer.status, await answer.json()]).toMatchObject([status, { error: 'invalid_request' }]);
  }
});
