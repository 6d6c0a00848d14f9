import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  allowAppRequest,
  bearer,
  type Customer,
  call,
  createBrowser,
  openAppRequest,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';
import type { Host } from './host.ts';
import { hosts } from './hosts.ts';

type Tokens = { readonly access_token: string; readonly refresh_token: string; readonly scope: string };
type Fields = Readonly<Record<string, string | undefined>>;

let system: TestSystem;
let customer: Customer;
beforeAll(async () => {
  system = await shareTestSystem();
});
afterAll(() => system?.stop());

const formOf = (fields: Fields): URLSearchParams => {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, value);
  return form;
};

/** The assistants' route, which hosts name with and without a slash. */
const resourceOf = (text: string | undefined): string | undefined =>
  text === 'slash' ? `${system.gateway}/v1/mcp/` : text;

const register = async ({ metadata }: Host): Promise<string> => {
  const made = await call(`${system.gateway}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  });
  expect(made.status).toBe(201);
  return made.json<{ client_id: string }>().client_id;
};

const connect = async (host: Host) => {
  const client_id = await register(host);
  const verifier = randomBytes(32).toString('base64url');
  const code_challenge = createHash('sha256').update(verifier).digest('base64url');
  const resource = `${system.gateway}/v1/mcp`;
  const asked = {
    ...{ client_id, redirect_uri: host.redirect, response_type: 'code', state: 'x', resource },
    ...{ scope: 'read fetch', code_challenge, code_challenge_method: 'S256', ...host.authorize },
  };
  const browser = createBrowser(customer);
  const id = await openAppRequest(browser, `${system.gateway}/oauth/authorize?${formOf(asked)}`);
  const request = `${system.gateway}/v1/connections/requests/${id}`;
  const back = await allowAppRequest(browser, request, { scopes: ['read', 'fetch'], daily_credit_cap: 5 });
  expect(String(back).startsWith(host.redirect)).toBe(true);
  const exchange = (fields: Fields) => {
    const headers = host.basic && { authorization: `Basic ${btoa(`${client_id}:`)}` };
    const own = host.basic ? {} : { client_id };
    const body = formOf({ ...own, resource, ...fields, ...host.token, ...resourceField(host) });
    return call(`${system.gateway}/oauth/token`, { method: 'POST', body, ...(headers && { headers }) });
  };
  const code = String(back.searchParams.get('code'));
  const grant = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: host.redirect,
    code_verifier: verifier,
  };
  return { exchange, grant };
};

const resourceField = ({ token = {} }: Host): Fields =>
  'resource' in token ? { resource: resourceOf(token.resource) } : {};

const accountBy = async ({ access_token }: Tokens) =>
  (await call(`${system.gateway}/v1/account`, { headers: bearer(access_token) })).status;

describe.each(hosts.map((host) => [host.name, host] as const))('%s', (_name, host) => {
  it('connects as it asks, refreshes, and repeats a refresh whose answer was lost', async () => {
    customer = await signUp(system);
    const { exchange, grant } = await connect(host);
    const { scope: _, ...withoutScope } = host.token ?? {};
    const exchanged = await exchange({ ...grant, ...withoutScope });
    expect([exchanged.status, exchanged.text]).toEqual([200, expect.any(String)]);
    const first = exchanged.json<Tokens>();
    expect([first.scope, await accountBy(first)]).toEqual(['read fetch', 200]);
    const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token };
    const [second, repeated] = [await exchange(refresh), await exchange(refresh)].map((one) =>
      one.json<Tokens>(),
    );
    expect(repeated?.refresh_token).toBe(second?.refresh_token);
    expect(await accountBy(second as Tokens)).toBe(200);
  });
});
