import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ISSUER, startWithApps, type WithApps } from '../test-support/apps.ts';
import { oauthRoutes } from './oauth-paths.ts';

let apps: WithApps;
beforeAll(async () => {
  apps = await startWithApps();
});
afterAll(() => apps?.gateway.stop());

const ORIGIN = 'https://app.example';
const fromPage = (path: string, init: RequestInit = {}, origin = ORIGIN) =>
  fetch(apps.gateway.url + path, { ...init, headers: { origin, ...init.headers } });
const allowed = ({ headers }: Response): string | null => headers.get('access-control-allow-origin');
const preflight = (path: string) =>
  fromPage(path, {
    method: 'OPTIONS',
    headers: { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
  });
const describedBy = async () =>
  (await fetch(`${apps.gateway.url}/.well-known/oauth-authorization-server`)).json();
const registerFrom = (body: object) =>
  fromPage(oauthRoutes.registration, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('the documents about this server', () => {
  const names = ['oauth-authorization-server', 'openid-configuration', 'oauth-protected-resource'];
  const forms = names.flatMap((name) => ['', '/', '/v1/mcp', '/v1/mcp/'].map((path) => [name, path] as const));
  it.each(forms)('are found under %s%s, also by a page that asks first', async (name, path) => {
    const url = `/.well-known/${name}${path}`;
    const asked = await fromPage(url, {
      method: 'OPTIONS',
      headers: {
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'mcp-protocol-version',
      },
    });
    expect([asked.status, allowed(asked)]).toEqual([204, '*']);
    expect(asked.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('mcp-protocol-version');
    const found = await fromPage(url);
    expect([found.status, found.redirected, allowed(found)]).toEqual([200, false, '*']);
    const facts = name.endsWith('resource') ? { resource: ISSUER + path } : { issuer: ISSUER };
    expect(await found.json()).toMatchObject(facts);
  });

  it('promise what the server does', async () => {
    const description = await describedBy();
    expect(description).toMatchObject({
      scopes_supported: ['read', 'fetch', 'jobs', 'monitors', 'offline_access'],
      ...{ response_types_supported: ['code'], response_modes_supported: ['query', 'fragment'] },
      ...{ authorization_endpoint: `${ISSUER}/oauth/authorize`, client_id_metadata_document_supported: true },
    });
  });
});

describe('an app that is a page of another site', () => {
  it('finds the server and registers itself, and reads why it may not', async () => {
    const asked = await preflight(oauthRoutes.registration);
    expect([asked.status, allowed(asked)]).toEqual([204, '*']);
    expect(asked.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('content-type');
    expect(asked.headers.get('access-control-allow-methods')).toBe('POST');
    const [made, refused] = await Promise.all([
      registerFrom({ redirect_uris: [`${ORIGIN}/callback`] }),
      registerFrom({ redirect_uris: ['http://evil.example/'] }),
    ]);
    expect([made.status, allowed(made), refused.status, allowed(refused)]).toEqual([201, '*', 400, '*']);
  });

  it('exchanges and revokes what it began, and a page of a third site does neither', async () => {
    const made = await registerFrom({ redirect_uris: [`${ORIGIN}/callback`] });
    const { client_id } = (await made.json()) as { client_id: string };
    const refresh = { grant_type: 'refresh_token', client_id, refresh_token: 'unknown' };
    for (const [path, fields] of [
      [oauthRoutes.token, refresh],
      [oauthRoutes.revocation, { client_id, token: 'unknown' }],
    ] as const) {
      const asked = await preflight(path);
      expect([asked.status, allowed(asked)]).toEqual([204, ORIGIN]);
      const send = (origin: string) =>
        fromPage(path, { method: 'POST', body: new URLSearchParams(fields) }, origin);
      expect(allowed(await send(ORIGIN))).toBe(ORIGIN);
      expect(allowed(await send('https://evil.example'))).toBeNull();
    }
  });

  it('asks the holder for nothing, and reads no request of an app, by the cookies of a browser', async () => {
    for (const path of [oauthRoutes.authorization, '/v1/connections/requests/x', oauthRoutes.registration]) {
      const { headers } = await preflight(path);
      expect(headers.has('access-control-allow-credentials')).toBe(false);
      expect(headers.has('access-control-allow-origin')).toBe(path === oauthRoutes.registration);
    }
  });
});
