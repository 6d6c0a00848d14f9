import { randomUUID } from 'node:crypto';
import { newestCode } from '@tds/simulators/mail';
import { eventually } from '@tds/test-kit';
import type { TestSystem } from './system.ts';

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; throws where it is none. */
  json<T = Record<string, unknown>>(): T;
};

export type Customer = {
  readonly email: string;
  readonly key: string;
  readonly keyId: string;
  readonly accountId: string;
  readonly sessionId: string;
  /** The session, as a Cookie header. */
  readonly cookie: string;
  /** A job that has ended, and the video that it has delivered; `withJob` begins it. */
  readonly jobId?: string;
  readonly jobVideoId?: string;
  /** One of its webhook that was taken; `withDelivery` has it sent. */
  readonly deliveryId?: string;
  readonly monitorId?: string;
  /** A failed one that is in the log; `withRequest` sends it. */
  readonly requestId?: string;
  /** Of an app; `withConnection` connects it. */
  readonly connectionId?: string;
  /** What an app asks in its browser; `withAppRequest` opens it. */
  readonly appRequestId?: string;
  /** One that a stranger has paid for its address; `withPurchase` has it paid. */
  readonly purchaseId?: string;
  /** To the video of its job; `withLink` hands it on. */
  readonly linkId?: string;
  /** One that signs; `withReceiver` creates it. */
  readonly receiverId?: string;
  /** Another person of the account; `withPerson` invites one. */
  readonly personId?: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
};

/** One HTTP call as any client would make it. */
export async function call(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
}

type SendJson = (url: string, body: unknown, headers?: Record<string, string>) => Promise<Answer>;

const sendJson =
  (method: string): SendJson =>
  (url, body, headers = {}) =>
    call(url, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

export const postJson = sendJson('POST');
export const putJson = sendJson('PUT');

/** Waits until `count` mails have come to an address, so that no earlier code counts as new. */
export const awaitMails = (mailbox: string, email: string, count: number): Promise<void> =>
  eventually(async () => {
    const mails = (await call(`${mailbox}/messages?to=${encodeURIComponent(email)}`)).json<unknown[]>();
    if (mails.length < count) throw new Error(`${mails.length} of ${count} mails have come to ${email}`);
  });

/** Reads the newest code that was mailed to an address since then. */
export const readCode = (mailbox: string, email: string, since = new Date(0)): Promise<string> =>
  eventually(async () => {
    const code = await newestCode(mailbox, email, since);
    if (code === null) throw new Error(`no code was mailed to ${email} yet`);
    return code;
  });

/** The newest invitation that was mailed to an address. */
export const readInvitation = (
  mailbox: string,
  email: string,
): Promise<{ readonly invitation_id: string; readonly code: string }> =>
  eventually(async () => {
    const mails = await call(`${mailbox}/messages?to=${encodeURIComponent(email)}`);
    const texts = mails.json<{ text: string }[]>().map(({ text }) => text);
    const invited = texts.findLast((text) => text.includes('/dashboard/join?invitation='));
    const invitation_id = /invitation=([\w-]{36})/.exec(invited ?? '')?.[1];
    const code = /^(?:\w{4}-){2}\w{4}$/m.exec(invited ?? '')?.[0];
    if (invitation_id === undefined || code === undefined) throw new Error(`no invitation for ${email} yet`);
    return { invitation_id, code };
  });

const UNAVAILABLE = 503;

/**
 * Asks for a code and enters it, as a person does: asks again for what a busy machine could not do just now, and then takes the
 * newer code, since an ask whose answer did not come in time may still have sent one, and a code may be spent.
 */
const signInAt = async (gateway: string, mailbox: string, email: string): Promise<Answer> => {
  const since = new Date();
  const askForCode = () =>
    eventually(async () => {
      const reply = await postJson(`${gateway}/v1/auth/code`, { email });
      if (reply.status >= 400) throw new Error(`no code was sent: ${reply.text}`);
    });
  await askForCode();
  const refusedCodes = new Set<string>();
  const response = await eventually(async () => {
    const code = await readCode(mailbox, email, since);
    if (refusedCodes.has(code)) throw new Error(`the newest code was refused: ${code}`);
    const answer = await postJson(`${gateway}/v1/auth/verify`, { email, code, accept_terms: true });
    const isLate = answer.status === UNAVAILABLE;
    if (!isLate && answer.json().code !== 'invalid_code') return answer;
    refusedCodes.add(code);
    if (isLate) await askForCode();
    throw new Error(`a code was refused: ${answer.text}`);
  });
  if (response.status !== 200) throw new Error(`sign-in failed: ${response.text}`);
  return response;
};

/** Signs up a new customer through the public API and the mailbox. */
export const signUp = (system: TestSystem, email?: string): Promise<Customer> =>
  signUpAt(system.gateway, system.mail.url, email);

export async function signUpAt(
  gateway: string,
  mailbox: string,
  email = `${randomUUID()}@example.com`,
): Promise<Customer> {
  const response = await signInAt(gateway, mailbox, email);
  type Key = { id: string; secret: string };
  type SignInBody = { key: Key | null; account: { id: string }; session: { id: string } };
  const { key, account, session } = response.json<SignInBody>();
  // The answer with the first key came too late, and no answer repeats a key.
  if (key === null) return await signUpAt(gateway, mailbox);
  return {
    email,
    key: key.secret,
    keyId: key.id,
    accountId: account.id,
    sessionId: session.id,
    cookie: response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '',
    get: (path, headers = {}) =>
      call(`${gateway}${path}`, { headers: { authorization: `Bearer ${key.secret}`, ...headers } }),
  };
}

/** Signs in once more; resolves to the new session. */
export async function signInAgain(
  system: TestSystem,
  email: string,
): Promise<Pick<Customer, 'cookie' | 'sessionId'>> {
  const response = await signInAt(system.gateway, system.mail.url, email);
  const { session } = response.json<{ session: { id: string } }>();
  return { sessionId: session.id, cookie: response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '' };
}

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
/** What the dashboard sends with everything that changes something. */
export const dashboard = ({ cookie }: Pick<Customer, 'cookie'>) => ({ cookie, 'x-service-dashboard': '1' });

export const creditsCharged = ({ headers }: Answer): number => Number(headers.get('x-credits-charged'));
export const creditsBalance = ({ headers }: Answer): number => Number(headers.get('x-credits-balance'));
