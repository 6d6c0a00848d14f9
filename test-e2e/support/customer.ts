import { randomUUID } from 'node:crypto';
import { eventually } from '@tds/test-kit';
import type { TestSystem } from './test-system.ts';

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; throws where it is none. */
  json<T = Record<string, unknown>>(): T;
};

export type Customer = {
  readonly key: string;
  readonly accountId: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
};

/** One HTTP call as any client would make it. */
export async function call(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
}

export const postJson = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  call(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** Reads the newest code that was mailed to an address. */
export const readCode = (mailbox: string, email: string): Promise<string> =>
  eventually(async () => {
    const mails = (await call(`${mailbox}/messages?to=${encodeURIComponent(email)}`)).json<
      { text: string }[]
    >();
    const code = mails[0]?.text.match(/\b\d{6}\b/)?.[0];
    if (!code) throw new Error(`no code was mailed to ${email} yet`);
    return code;
  });

/** Signs up a new customer through the public API and the mailbox. */
export const signUp = (system: TestSystem, email?: string): Promise<Customer> =>
  signUpAt(system.gateway, system.mail.url, email);

export async function signUpAt(
  gateway: string,
  mailbox: string,
  email = `${randomUUID()}@example.com`,
): Promise<Customer> {
  await postJson(`${gateway}/v1/auth/code`, { email });
  const code = await readCode(mailbox, email);
  const verified = await postJson(`${gateway}/v1/auth/verify`, { email, code, accept_terms: true });
  if (verified.status !== 200) throw new Error(`sign-up failed: ${verified.text}`);
  const { key, account } = verified.json<{ key: { secret: string }; account: { id: string } }>();
  return {
    key: key.secret,
    accountId: account.id,
    get: (path, headers = {}) =>
      call(`${gateway}${path}`, { headers: { authorization: `Bearer ${key.secret}`, ...headers } }),
  };
}

export const creditsCharged = ({ headers }: Answer): number => Number(headers.get('x-credits-charged'));
export const creditsBalance = ({ headers }: Answer): number => Number(headers.get('x-credits-balance'));
