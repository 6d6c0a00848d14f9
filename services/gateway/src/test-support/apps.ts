import { createHash, randomBytes } from 'node:crypto';
import { expect } from '@jest/globals';
import { createSessionToken, digestSecret, type identity, type RequestOf } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { newPrincipal } from './builders.ts';
import { type HarnessOptions, startTestGateway } from './start-gateway.ts';

export const ISSUER = 'https://api.example';
export const CALLBACK = 'http://localhost:33418/callback';

export const newProof = () => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};

export const authorizeUrl = (client_id: string, challenge: string, more: Record<string, string> = {}) =>
  `/oauth/authorize?${new URLSearchParams({
    ...{
      client_id,
      response_type: 'code',
      redirect_uri: CALLBACK,
      state: 's',
      scope: 'read fetch jobs monitors',
    },
    ...{ code_challenge: challenge, code_challenge_method: 'S256', resource: `${ISSUER}/v1/mcp`, ...more },
  })}`;

export type Browser = {
  readonly jar: Map<string, string>;
  open(address: string, init?: RequestInit): Promise<Response>;
};

/** Opens the request of an app. Resolves to the id of the request. */
export const startConnection = async (
  browser: Browser,
  client: string,
  challenge: string,
  more = {},
): Promise<string> => {
  const response = await browser.open(authorizeUrl(client, challenge, more));
  expect(response.status).toBe(303);
  const address = new URL(String(response.headers.get('location')));
  expect(address.origin + address.pathname).toBe(`${ISSUER}/dashboard/connect`);
  return String(address.searchParams.get('request'));
};

export const answer = (browser: Browser, id: string, body: object = {}) =>
  browser.open(`/v1/connections/requests/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ allow: true, scopes: ['read', 'fetch'], daily_credit_cap: 5, ...body }),
  });

export const followCallback = async (browser: Browser, response: Response): Promise<URLSearchParams> => {
  const { redirect_to: address } = (await response.json()) as { redirect_to: string };
  const back = await browser.open(address);
  const location = URL.parse(String(back.headers.get('location')));
  expect([back.status, location?.hostname]).toEqual([303, 'localhost']);
  return (location as URL).searchParams;
};

type Tokens = {
  token_type: string;
  access_token: string;
  refresh_token: string;
  expires_in: number;
  scope: string;
  error?: string;
};
export const readTokens = async (response: Response) => (await response.json()) as Tokens;

/** A gateway with a holder who is signed in, apps and browsers. */
export const startWithApps = async (options: HarnessOptions = {}) => {
  const session = createSessionToken();
  const holder = newPrincipal({ limitId: null });
  const gateway = await startTestGateway(options);
  gateway.identity.commands.authenticateSession = async ({ sessionDigest }) => {
    if (sessionDigest !== digestSecret(session)) throw serviceError('session_required');
    return { ...holder, keyId: null };
  };
  /** A browser that keeps cookies of all paths, and leaves redirects to the test. */
  const newBrowser = (isSignedIn = true): Browser => {
    const jar = new Map<string, string>(isSignedIn ? [['svc_dashboard', session]] : []);
    const open: Browser['open'] = async (address, init = {}) => {
      const url = address.replace(ISSUER, '');
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = { cookie, 'x-service-dashboard': '1', ...init.headers };
      const response = await fetch(gateway.url + url, { redirect: 'manual', ...init, headers });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') jar.delete(name);
        else jar.set(name, value);
      }
      return response;
    };
    return { jar, open };
  };
  const register = (metadata: object = {}) =>
    fetch(`${gateway.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'An assistant', redirect_uris: [CALLBACK], ...metadata }),
    });
  const newClient = async (metadata: object = {}): Promise<string> =>
    ((await (await register(metadata)).json()) as { client_id: string }).client_id;

  const exchange = (fields: Record<string, string>, at = gateway.url) =>
    fetch(`${at}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ redirect_uri: CALLBACK, ...fields }),
    });
  /** All steps of a connection. */
  const connect = async (more: Record<string, string> = {}) => {
    const browser = newBrowser();
    const client = await newClient();
    const { verifier, challenge } = newProof();
    const id = await startConnection(browser, client, challenge, more);
    const found = await followCallback(browser, await answer(browser, id));
    const grant = { grant_type: 'authorization_code', client_id: client, code_verifier: verifier };
    return { client, found, grant: { ...grant, code: String(found.get('code')) } };
  };

  const lastAsked = <Name extends 'createConnection' | 'saveGrantRecord'>(name: Name) =>
    gateway.identity.asked.findLast((one) => one.name === name)?.request as RequestOf<(typeof identity)[Name]>;

  return { gateway, holder, session, newBrowser, register, newClient, exchange, connect, lastAsked };
};
export type WithApps = Awaited<ReturnType<typeof startWithApps>>;
