import { setTimeout as delay } from 'node:timers/promises';
import { createApiKey, createSessionToken } from '@tds/contracts';
import { newestCode } from '@tds/simulators/mail';
import { until } from '#support';

export type Caller = {
  readonly accountId: string;
  readonly keyId: string;
  readonly key: string;
  readonly session: string;
  /** Of a feed of its matches, which needs no credential. */
  readonly feedId: string;
  readonly feedSecret: string;
};

export type Target = { readonly gateway: string; readonly mailbox: string };

const MAIL_WITHIN_MS = 20_000;
const UNAVAILABLE = 503;
const MAX_ATTEMPTS = 5;
const RETRY_AFTER_MS = 1_000;

const post = (url: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const readCode = async (mailbox: string, email: string): Promise<string> => {
  let code: string | null = null;
  const check = async (): Promise<boolean> => {
    code = await newestCode(mailbox, email);
    return code !== null;
  };
  await until(check, { withinMs: MAIL_WITHIN_MS, everyMs: 50 });
  if (code === null) throw new Error(`no code came to ${email}`);
  return code;
};

/** Signs up through the public API and the mailbox. */
export const signUp = async ({ gateway, mailbox }: Target, email: string): Promise<Caller> => {
  await post(`${gateway}/v1/auth/code`, { email });
  const code = await readCode(mailbox, email);
  const verify = () => post(`${gateway}/v1/auth/verify`, { email, code, accept_terms: true });
  let verified = await verify();
  // What has just started may be late once, says so, and may be asked again.
  for (let tries = 1; verified.status === UNAVAILABLE && tries < MAX_ATTEMPTS; tries += 1) {
    await delay(RETRY_AFTER_MS);
    verified = await verify();
  }
  if (!verified.ok) throw new Error(`${email} could not sign up: ${await verified.text()}`);
  const { account, key } = (await verified.json()) as {
    account: { id: string };
    key: { id: string; secret: string };
  };
  const session = verified.headers.get('set-cookie')?.match(/=([^;]+)/)?.[1] ?? '';
  const dashboard = { cookie: `svc_dashboard=${session}`, 'x-service-dashboard': '1' };
  const made = await post(`${gateway}/v1/feeds`, {}, dashboard);
  const { feed } = (await made.json()) as { feed: { url: string } };
  const [feedSecret = '', feedId = ''] = feed.url.split('/').toReversed();
  return { accountId: account.id, keyId: key.id, key: key.secret, session, feedId, feedSecret };
};

const revoke = (gateway: string, { key, keyId }: Caller): Promise<Response> =>
  fetch(`${gateway}/v1/keys/${keyId}`, { method: 'DELETE', headers: { authorization: `Bearer ${key}` } });

/** What stands behind the placeholders of generated requests. */
export type Cast = {
  /** Those whose keys and sessions stay good. */
  readonly callers: readonly Caller[];
  /** Those whose keys are revoked and rotated. */
  readonly expendable: readonly Caller[];
  /** A caller that signs out. */
  readonly leaving: Caller;
  readonly revoked: Caller;
  readonly unknownKey: string;
  readonly unknownSession: string;
};

/** Who are let down in the course of the run: one revoked, one signed out, four without their keys. */
const EXTRAS = 6;

export const gatherCast = async (target: Target, seed: number, size: number): Promise<Cast> => {
  const all: Caller[] = [];
  for (let index = 0; index < size + EXTRAS; index += 1) {
    all.push(await signUp(target, `fuzz-${seed}-${index}@example.com`));
  }
  const [revoked, leaving, ...others] = all as [Caller, Caller, ...Caller[]];
  await revoke(target.gateway, revoked);
  return {
    callers: others.slice(EXTRAS - 2),
    expendable: others.slice(0, EXTRAS - 2),
    leaving,
    revoked,
    unknownKey: createApiKey(),
    unknownSession: createSessionToken(),
  };
};

export const everyone = ({ callers, expendable, leaving, revoked }: Cast): readonly Caller[] => [
  ...callers,
  ...expendable,
  leaving,
  revoked,
];

/** What must never be seen in a log or a message, nor in an answer to another caller. */
export const secretsOf = (cast: Cast): ReadonlySet<string> =>
  new Set([
    ...everyone(cast).flatMap(({ key, session, feedSecret }) => [key, session, feedSecret]),
    cast.unknownKey,
    cast.unknownSession,
  ]);
