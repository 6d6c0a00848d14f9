import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  answer,
  authorizeUrl,
  type Browser,
  CALLBACK,
  ISSUER,
  newProof,
  readTokens,
  startConnection,
  startWithApps,
  type WithApps,
} from '../test-support/apps.ts';

let apps: WithApps;
beforeAll(async () => {
  apps = await startWithApps();
});
afterAll(() => apps?.gateway.stop());

/** The text of our page, to which a request leads before its holder is asked. */
const failedPage = async (browser: Browser, address: string): Promise<string> => {
  const refused = await browser.open(address);
  const policy = String(refused.headers.get('content-security-policy'));
  expect([refused.status, refused.headers.get('location'), policy]).toEqual([
    400,
    null,
    expect.stringContaining("script-src 'none';"),
  ]);
  return refused.text();
};
const isFramed = (response: Response): boolean =>
  !String(response.headers.get('content-security-policy')).includes("frame-ancestors 'none'");

describe('an attacker', () => {
  it.each([
    'https://evil.example/callback',
    `${CALLBACK}/more`,
    'http://localhost:33418/other',
    'http://localhost:33418/x/../callback',
    'http://localhost:33418/callback?x',
    'http://localhost:99999/callback',
    'http://127.0.0.1:33418/callback',
    'http://a@localhost:33418/callback',
    'https://localhost:33418/callback',
    'http://localhost.evil.example:33418/callback',
  ])('gets no redirect to %s, which the app has not registered', async (redirect) => {
    const { challenge } = newProof();
    const address = authorizeUrl(await apps.newClient(), challenge, { redirect_uri: redirect });
    const refused = await apps.newBrowser().open(address);
    expect([refused.status, refused.headers.get('location'), isFramed(refused)]).toEqual([400, null, false]);
    expect(await refused.text()).not.toContain(redirect);
  });

  it.each([
    'http://evil.example/callback',
    'javascript:alert(1)//',
    'data:text/html,1',
    'https://a@evil.example/',
    'https://app.example/#x',
    ...[
      'ms-msdt:/id',
      'search-ms:query=x',
      'intent:#Intent;end',
      'chrome:x',
      'tel:1',
      'view-source:https://a.example',
    ],
    ...['feed:javascript:1', 'jar:https://a.example!/', 'web+app:x', `${'a'.repeat(300)}:/callback`],
  ])('registers no app that returns to %s', async (redirect) => {
    for (const application_type of ['web', 'native']) {
      const refused = await apps.register({ redirect_uris: [redirect], application_type });
      expect(refused.status).toBe(400);
    }
  });

  it('gets no code without a proof of its own, and no token with another one', async () => {
    const client = await apps.newClient();
    const without = authorizeUrl(client, '').replace(/&code_challenge(_method)?=[^&]*/g, '');
    expect(await failedPage(apps.newBrowser(), without)).toContain('PKCE');
    const plain = authorizeUrl(client, newProof().verifier, { code_challenge_method: 'plain' });
    expect(await failedPage(apps.newBrowser(), plain)).toContain('challenge');
    const { grant } = await apps.connect();
    const stolen = await apps.exchange({ ...grant, code_verifier: newProof().verifier });
    expect([stolen.status, (await readTokens(stolen)).error]).toEqual([400, 'invalid_grant']);
    const foreign = await apps.exchange({ ...grant, client_id: await apps.newClient() });
    expect([foreign.status, (await readTokens(foreign)).error]).toEqual([400, 'invalid_grant']);
  });

  it('uses a stolen code once more, and the grant ends', async () => {
    const { client, grant } = await apps.connect();
    const { refresh_token } = await readTokens(await apps.exchange(grant));
    expect((await readTokens(await apps.exchange(grant))).error).toBe('invalid_grant');
    const refresh = { grant_type: 'refresh_token', client_id: client, refresh_token };
    expect((await readTokens(await apps.exchange(refresh))).error).toBe('invalid_grant');
  });

  it.each<[string, Record<string, string>]>([
    ['a request that is not to be shown', { prompt: 'none' }],
    ['another type of response', { response_type: 'token' }],
    ['an answer by a form', { response_mode: 'form_post' }],
    ['another resource', { resource: 'https://evil.example/mcp' }],
  ])('sends no one to an address that it has registered by %s', async (_what, more) => {
    const redirect_uri = 'https://evil.example/callback';
    const client = await apps.newClient({ redirect_uris: [redirect_uri] });
    const page = await failedPage(
      apps.newBrowser(),
      authorizeUrl(client, newProof().challenge, { redirect_uri, ...more }),
    );
    expect(page).not.toContain('evil.example');
  });

  it('cannot have a request of its browser allowed in that of the holder, or without its session and header', async () => {
    const [attacker, holders] = [apps.newBrowser(false), apps.newBrowser()];
    const id = await startConnection(attacker, await apps.newClient(), newProof().challenge);
    const other = await answer(holders, id);
    expect([other.status, await other.json()]).toMatchObject([404, { code: 'connection_request_not_found' }]);
    expect((await answer(attacker, id)).status).toBe(401);
    attacker.jar.set('svc_dashboard', apps.session);
    const crossSite = await attacker.open(`/v1/connections/requests/${id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-dashboard': '' },
      body: '{"allow":true}',
    });
    expect([crossSite.status, await crossSite.json()]).toMatchObject([
      403,
      { code: 'dashboard_header_required' },
    ]);
  });

  it('changes by a Host of its own neither the addresses of the server nor where the holder goes', async () => {
    const headers = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      forwarded: 'host=evil.example',
    };
    const path = '/.well-known/oauth-authorization-server';
    expect(await (await apps.newBrowser().open(path, { headers })).text()).not.toContain('evil.example');
    const asked = await apps
      .newBrowser()
      .open(authorizeUrl(await apps.newClient(), newProof().challenge), { headers });
    expect(String(asked.headers.get('location')).startsWith(`${ISSUER}/dashboard/connect?`)).toBe(true);
  });

  it('is not told that an app whose registration is forgotten only has to begin again', async () => {
    const page = await failedPage(apps.newBrowser(), authorizeUrl('forgotten', newProof().challenge));
    expect(page).toContain('does not know the app');
    expect(page).toContain('remove the connector in the app and add it again');
  });

  it('causes no failure of ours by what it sends, however large or odd', async () => {
    const client = await apps.newClient();
    const challenge = newProof().challenge;
    const large = 'x'.repeat(12_000);
    expect((await apps.register({ client_name: 'x'.repeat(40_000) })).status).toBe(400);
    expect((await apps.register({ client_name: 7, redirect_uris: 'x' })).status).toBe(400);
    const odd = { state: '\u0000\ud800"<script>', nonce: '\u0000' };
    const answers = await Promise.all([
      apps
        .newBrowser()
        .open(authorizeUrl(client, challenge, { state: large, scope: `read ${large.slice(0, 2_000)}` })),
      apps.newBrowser().open(authorizeUrl('\u0000', challenge)),
      apps.newBrowser().open(authorizeUrl(client, challenge, odd)),
      apps.exchange({ grant_type: 'refresh_token', client_id: client, refresh_token: '\u0000' }),
      apps.exchange({ grant_type: 'password', client_id: client }),
      fetch(`${apps.gateway.url}/oauth/token`, { method: 'POST', body: 'x'.repeat(70_000) }),
      fetch(`${apps.gateway.url}/oauth/register`, { method: 'POST', body: '[' }),
    ]);
    for (const { status } of answers) expect(status).toBeLessThan(500);
  });
});
