import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isWellFormedCredential } from '@tds/contracts';
import {
  answer,
  authorizeUrl,
  CALLBACK,
  followCallback,
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

describe('connecting an app', () => {
  it('ends with tokens of the scopes and the cap that the holder has chosen', async () => {
    const { client, found, grant } = await apps.connect();
    expect(Object.fromEntries(found)).toMatchObject({ state: 's', iss: ISSUER });
    expect(apps.lastAsked('createConnection')).toMatchObject({
      ...{ accountId: apps.holder.accountId, scopes: ['read', 'fetch'], dailyCreditCap: 5 },
      app: { name: 'An assistant', host: 'localhost' },
    });
    const tokens = await readTokens(await apps.exchange(grant));
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, scope: 'read fetch' });
    expect(isWellFormedCredential(tokens.access_token)).toBe(true);
    const refresh = { grant_type: 'refresh_token', client_id: client, refresh_token: tokens.refresh_token };
    const next = await readTokens(await apps.exchange(refresh));
    expect(next.access_token).not.toBe(tokens.access_token);
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
  });

  it('describes itself as clients of the Model Context Protocol look for it', async () => {
    const refused = await fetch(`${apps.gateway.url}/v1/mcp`, { method: 'POST', body: '{}' });
    expect(refused.status).toBe(401);
    const [, metadata = ''] =
      /resource_metadata="([^"]+)"/.exec(String(refused.headers.get('www-authenticate'))) ?? [];
    const resource = await (await apps.newBrowser(false).open(metadata)).json();
    expect(resource).toMatchObject({ resource: `${ISSUER}/v1/mcp`, authorization_servers: [ISSUER] });
    const server = await (await fetch(`${apps.gateway.url}/.well-known/oauth-authorization-server`)).json();
    expect(server).toMatchObject({
      ...{ issuer: ISSUER, token_endpoint: `${ISSUER}/oauth/token` },
      ...{ code_challenge_methods_supported: ['S256'], authorization_response_iss_parameter_supported: true },
      ...{
        token_endpoint_auth_methods_supported: ['none'],
        registration_endpoint: `${ISSUER}/oauth/register`,
      },
    });
  });
});

describe('an app that registers itself', () => {
  it('is a public one, also if it asks for a secret', async () => {
    const registered = await apps.register({ token_endpoint_auth_method: 'client_secret_basic' });
    const client = (await registered.json()) as Record<string, unknown>;
    expect([registered.status, client.token_endpoint_auth_method]).toEqual([201, 'none']);
    expect(client).not.toHaveProperty('client_secret');
  });

  it('may return to a scheme of its own, which the holder reads', async () => {
    const browser = apps.newBrowser();
    const redirect_uri = 'cursor://anysphere.cursor/oauth/callback';
    const client = await apps.newClient({ redirect_uris: [redirect_uri] });
    const id = await startConnection(browser, client, newProof().challenge, { redirect_uri });
    const shown = await (await browser.open(`/v1/connections/requests/${id}`)).json();
    expect(shown).toMatchObject({ request: { app: { host: 'cursor:' } } });
  });
});

describe('the holder', () => {
  it('reads what the app asks for, and names no more than it gets', async () => {
    const browser = apps.newBrowser();
    const client = await apps.newClient({ client_name: 'Your\u202e bank\u0000 ', redirect_uris: [CALLBACK] });
    const id = await startConnection(browser, client, newProof().challenge, { scope: 'read jobs openid' });
    const shown = await (await browser.open(`/v1/connections/requests/${id}`)).json();
    expect(shown).toMatchObject({
      request: { app: { name: 'Your bank', host: 'localhost' }, scopes: ['read', 'jobs'] },
    });
    await answer(browser, id, { scopes: ['fetch', 'jobs', 'monitors'] });
    expect(apps.lastAsked('createConnection').scopes).toEqual(['read', 'jobs']);
  });

  it('refuses, and the app hears it', async () => {
    const browser = apps.newBrowser();
    const id = await startConnection(browser, await apps.newClient(), newProof().challenge);
    const found = await followCallback(browser, await answer(browser, id, { allow: false }));
    expect(Object.fromEntries(found)).toMatchObject({ error: 'access_denied', state: 's', iss: ISSUER });
  });

  it('allows no spending without a cap, and none of zero', async () => {
    const browser = apps.newBrowser();
    const id = await startConnection(browser, await apps.newClient(), newProof().challenge);
    const bodies = [{ daily_credit_cap: null }, { daily_credit_cap: 0 }, { scopes: ['all'] }];
    const codes = await Promise.all(
      bodies.map(async (body) => ((await (await answer(browser, id, body)).json()) as { code: string }).code),
    );
    expect(codes).toEqual(['cap_required', 'invalid_daily_credit_cap', 'invalid_scopes']);
    await answer(browser, id, { scopes: [], daily_credit_cap: 7 });
    expect(apps.lastAsked('createConnection')).toMatchObject({ scopes: ['read'], dailyCreditCap: null });
  });

  it('is asked again for each connection, also by an app that is connected, and a repeat makes the same one', async () => {
    const browser = apps.newBrowser();
    const client = await apps.newClient();
    const id = await startConnection(browser, client, newProof().challenge);
    await answer(browser, id);
    const first = apps.lastAsked('createConnection').grantId;
    await followCallback(browser, await answer(browser, id));
    expect(apps.lastAsked('createConnection').grantId).toBe(first);
    expect(await startConnection(browser, client, newProof().challenge)).not.toBe(id);
  });
});

describe('the name of an app', () => {
  it.each([
    ['\u3164', 'a filler'],
    ['\u2800\u2800', 'empty Braille'],
    ['\u200b\u2060', 'no width'],
    ['\u0301', 'a mark alone'],
  ])('is its place if it shows nothing: %j, %s', async (client_name) => {
    const browser = apps.newBrowser();
    const id = await startConnection(browser, await apps.newClient({ client_name }), newProof().challenge);
    const shown = await (await browser.open(`/v1/connections/requests/${id}`)).json();
    expect(shown).toMatchObject({ request: { app: { name: 'localhost' } } });
  });
});

describe('an app that describes itself by a document', () => {
  const id = 'https://app.example/oauth/client.json';
  const document = { client_id: id, client_name: 'A desktop app', redirect_uris: [CALLBACK] };
  const served = (body: object, status = 200): void => {
    apps.gateway.webhooks.commands.readAppDocument = async () => ({
      document: { status, body: JSON.stringify(body), cacheControl: null },
    });
  };

  it('connects without being registered, and the document is read once', async () => {
    served(document);
    const browser = apps.newBrowser();
    const { verifier, challenge } = newProof();
    const request = await startConnection(browser, id, challenge);
    const shown = await (await browser.open(`/v1/connections/requests/${request}`)).json();
    expect(shown).toMatchObject({ request: { app: { name: 'A desktop app', host: 'localhost' } } });
    const found = await followCallback(browser, await answer(browser, request));
    const code = { grant_type: 'authorization_code', code: String(found.get('code')) };
    const tokens = await apps.exchange({ ...code, client_id: id, code_verifier: verifier });
    expect(await readTokens(tokens)).toMatchObject({ scope: 'read fetch' });
    const reads = apps.gateway.webhooks.asked.filter(({ name }) => name === 'readAppDocument');
    expect(reads).toEqual([{ name: 'readAppDocument', request: { url: id } }]);
  });

  it.each([
    ['names another app', { ...document, client_id: 'https://app.example/other.json' }, 200],
    ['returns elsewhere', { ...document, redirect_uris: ['http://evil.example/'] }, 200],
    ['has a shared secret', { ...document, client_secret: 'secret' }, 200],
    ['is not there', document, 404],
    ['has moved', document, 302],
  ])('is refused if it %s', async (_what, body, status) => {
    const own = `https://app.example/${status}-${_what.replaceAll(' ', '-')}.json`;
    served({ ...body, ...(body.client_id === id && { client_id: own }) }, status);
    const refused = await apps.newBrowser().open(authorizeUrl(own, newProof().challenge));
    expect([refused.status, refused.headers.get('location')]).toEqual([expect.any(Number), null]);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.status).toBeLessThan(500);
  });
});
