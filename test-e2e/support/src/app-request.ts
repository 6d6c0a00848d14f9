import { type Answer, type Customer, call, postJson } from './customer.ts';

/** Where the apps of tests return to; no server listens. */
export const CALLBACK = 'http://localhost:33418/callback';

type Browser = {
  open(url: string, init?: RequestInit): Promise<Answer>;
  /** As a Cookie header. */
  cookie(): string;
};

/** The browser of a customer who is signed in. It keeps cookies, and leaves redirects to the test. */
export const createBrowser = (customer: Pick<Customer, 'cookie'>): Browser => {
  const jar = new Map<string, string>();
  const cookie = () => [customer.cookie, ...[...jar].map(([name, value]) => `${name}=${value}`)].join('; ');
  return {
    cookie,
    open: async (url, init = {}) => {
      const headers = { 'x-service-dashboard': '1', ...init.headers, cookie: cookie() };
      const answer = await call(url, { ...init, headers });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        jar.set(name, value);
      }
      return answer;
    },
  };
};

type AppRequestOptions = { readonly scope?: string; readonly callback?: string; readonly state?: string };

/** The address that a new app opens in the browser of its user. */
export const appAddress = async (
  gateway: string,
  name: string,
  { scope = 'read fetch', callback = CALLBACK, ...more }: AppRequestOptions = {},
): Promise<string> => {
  const metadata = { client_name: name, redirect_uris: [callback] };
  const { client_id } = (await postJson(`${gateway}/oauth/register`, metadata)).json<{ client_id: string }>();
  const query = { client_id, redirect_uri: callback, response_type: 'code', scope, ...more };
  const proof = {
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  };
  return `${gateway}/oauth/authorize?${new URLSearchParams({ ...query, ...proof })}`;
};

/** Opens the address to which an app has led its holder. Resolves to the id of its request. */
export const openAppRequest = async ({ open }: Browser, address: URL | string): Promise<string> => {
  const page = new URL(String((await open(String(address))).headers.get('location')));
  return String(page.searchParams.get('request'));
};

/** Allows a request. Resolves to the address by which the holder is led back to the app. */
export const allowAppRequest = async (
  { open }: Browser,
  url: string,
  allowance: { readonly scopes: readonly string[]; readonly daily_credit_cap: number | null },
): Promise<URL> => {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ allow: true, ...allowance });
  const { redirect_to } = (await open(url, { method: 'POST', headers, body })).json<{
    redirect_to: string;
  }>();
  return new URL(String((await open(redirect_to)).headers.get('location')));
};
