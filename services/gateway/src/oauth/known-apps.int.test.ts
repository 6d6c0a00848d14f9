import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  answer,
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

const grants = ['authorization_code', 'refresh_token'];
const redirect_uris = [CALLBACK];

/** As public reports show them. */
const registrations: [string, object][] = [
  [
    'an editor, with the grant of devices and a scope of another server',
    {
      ...{ client_name: 'Visual Studio Code', client_uri: 'https://code.visualstudio.com' },
      grant_types: [...grants, 'urn:ietf:params:oauth:grant-type:device_code'],
      redirect_uris: ['https://vscode.dev/redirect', 'http://localhost/', 'http://127.0.0.1:33418/'],
      ...{ response_types: ['code'], scope: 'read:data', application_type: 'native' },
    },
  ],
  [
    'an assistant, with assertions and a secret',
    {
      ...{ client_name: 'Claude', redirect_uris: ['https://claude.ai/api/mcp/auth_callback'] },
      grant_types: [...grants, 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
      ...{ token_endpoint_auth_method: 'client_secret_post', scope: 'claudeai' },
    },
  ],
  ['a page, with grants of old', { redirect_uris, grant_types: ['implicit'], response_types: ['token'] }],
  [
    'a program, with keys',
    {
      ...{
        redirect_uris,
        token_endpoint_auth_method: 'private_key_jwt',
        jwks_uri: 'https://app.example/jwks',
      },
      ...{ id_token_signed_response_alg: 'RS256', software_statement: 'eyJ' },
    },
  ],
  [
    'a program that writes null for nothing',
    { redirect_uris, client_name: null, client_uri: null, contacts: null, grant_types: null, scope: null },
  ],
  [
    'a program that writes an empty text for nothing',
    { redirect_uris, client_name: '', logo_uri: '', scope: '' },
  ],
];

describe('an app that asks for what other servers have', () => {
  it.each(registrations)('registers as %s, and reads what it is here', async (_, metadata) => {
    const made = await apps.register(metadata);
    const client = (await made.json()) as Record<string, unknown>;
    expect([made.status, client]).toMatchObject([
      201,
      { grant_types: grants, response_types: ['code'], token_endpoint_auth_method: 'none' },
    ]);
    expect(client).not.toHaveProperty('scope');
    expect(client).not.toHaveProperty('jwks_uri');
  });

  it('connects by a document of its own', async () => {
    const id = 'https://app.example/assistant.json';
    const grant_types = [...grants, 'urn:ietf:params:oauth:grant-type:jwt-bearer'];
    const document = { client_id: id, client_name: 'An assistant', redirect_uris, grant_types, scope: 'all' };
    apps.gateway.webhooks.commands.readAppDocument = async () => ({
      document: { status: 200, body: JSON.stringify(document), cacheControl: null },
    });
    expect(await startConnection(apps.newBrowser(), id, newProof().challenge)).not.toBe('');
  });

  it.each<[string, string[], string]>([
    ['localhost without a port', ['http://localhost/callback'], 'http://localhost:54021/callback'],
    ['127.0.0.1 without a port', ['http://127.0.0.1/callback'], 'http://127.0.0.1:54021/callback'],
    ['the address of IPv6', ['http://[::1]/callback'], 'http://[::1]:54021/callback'],
    ['another port', ['http://127.0.0.1:1/callback'], 'http://127.0.0.1:54021/callback'],
    ['a port and none at its return', ['http://localhost:1/callback'], 'http://localhost/callback'],
    ['no path', ['http://localhost'], 'http://localhost:54021'],
    ['no path and a slash', ['http://localhost'], 'http://localhost:54021/'],
    ['a query', ['http://localhost/callback?a=1'], 'http://localhost:54021/callback?a=1'],
    [
      'sites and schemes',
      ['https://app.example/cb', 'https://localhost/cb', 'cursor://x/cb', 'http://127.0.0.1/'],
      'http://127.0.0.1:54021/',
    ],
  ])(
    'returns to any port of this computer if it has registered %s',
    async (_what, redirect_uris, redirect_uri) => {
      for (const application_type of [undefined, 'native', 'web']) {
        const client = await apps.newClient({ redirect_uris, application_type });
        expect(
          await startConnection(apps.newBrowser(), client, newProof().challenge, { redirect_uri }),
        ).not.toBe('');
      }
      const client_id = `https://app.example/${encodeURIComponent(redirect_uris.join())}.json`;
      apps.gateway.webhooks.commands.readAppDocument = async () => ({
        document: { status: 200, body: JSON.stringify({ client_id, redirect_uris }), cacheControl: null },
      });
      expect(
        await startConnection(apps.newBrowser(), client_id, newProof().challenge, { redirect_uri }),
      ).not.toBe('');
    },
  );

  it.each([
    ['no scope', { scope: '' }],
    ['scopes of other servers', { scope: 'openid profile claudeai' }],
    ['the choice of an account', { prompt: 'select_account' }],
    ['a sign-in and a consent', { prompt: 'login consent' }],
    ['no resource', { resource: '' }],
    ['a slash behind the resource', { resource: `${ISSUER}/v1/mcp/` }],
    ['the resource of the whole API', { resource: `${ISSUER}/` }],
    [
      'parameters of OpenID Connect',
      { acr_values: '1', claims: '{', max_age: '0', nonce: 'n', audience: 'a', access_type: 'offline' },
    ],
  ])('is shown to the holder and connects if it sends %s', async (_, more) => {
    const [client, browser, { verifier, challenge }] = [await apps.newClient(), apps.newBrowser(), newProof()];
    const id = await startConnection(browser, client, challenge, more);
    const found = await followCallback(browser, await answer(browser, id));
    const code = {
      grant_type: 'authorization_code',
      code: String(found.get('code')),
      code_verifier: verifier,
    };
    const tokens = await readTokens(await apps.exchange({ ...code, client_id: client }));
    expect(tokens).toMatchObject({ scope: 'read fetch', token_type: 'Bearer' });
  });
});
