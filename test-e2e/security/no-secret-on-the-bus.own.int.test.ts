import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { apiKeyPattern, digestSecret } from '@tds/contracts';
import { nkeyAuthenticator, OPERATOR } from '@tds/messaging/internals';
import { eventually } from '@tds/test-kit';
import { type ScratchSystem, startScratchSystem } from '#support';
import { bearer, call, dashboard, postJson, putJson, readCode } from '#support/testing';

let dir: string;
let system: ScratchSystem;
let operator: NatsConnection;
/** Everything that was said on the bus since the start: subjects, headers and bodies. */
const heard: string[] = [];

const logOfServices = async (): Promise<string> => {
  const [services = ''] = await system.logs();
  return readFile(services, 'utf8');
};

const textOf = (message: Msg): string => {
  const headers = [...(message.headers ?? [])].map(([name, values]) => `${name}: ${values.join()}`);
  return [message.subject, message.reply ?? '', ...headers, message.string()].join('\n');
};

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'tds-heard-'));
  system = await startScratchSystem({ dir, seed: 1, throwaway: true, instances: {} });
  const { nats } = system.servers;
  const authenticator = nkeyAuthenticator(nats.seedOf(OPERATOR));
  operator = await connect({ servers: nats.servers, authenticator });
  operator.subscribe('>', {
    callback: (error, message) => void heard.push(error?.message ?? textOf(message)),
  });
  await operator.flush();
});
afterAll(async () => {
  await operator?.close();
  await system?.stop();
  await rm(dir, { recursive: true, force: true });
});

type Verified = { key: { id: string; secret: string } | null };

/** Signs in by a mailed code; keeps all secrets of the customer. */
const signIn = async (email: string, device: string, secrets: Secrets) => {
  const since = new Date();
  const cookies = device === '' ? {} : { cookie: device };
  expect((await postJson(`${system.gateway}/v1/auth/code`, { email }, cookies)).status).toBe(200);
  const code = await readCode(system.mail.url, email, since);
  const wrong = code === '123454' ? '123455' : '123454';
  const tried = { email, accept_terms: true };
  const refused = await postJson(`${system.gateway}/v1/auth/verify`, { ...tried, code: wrong }, cookies);
  expect(refused.json().code).toBe('invalid_code');
  const verified = await postJson(`${system.gateway}/v1/auth/verify`, { ...tried, code }, cookies);
  expect(verified.status).toBe(200);
  const [session = '', known = ''] = verified.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]);
  secrets.codes.push(code, wrong);
  secrets.texts.push(
    session.slice('svc_dashboard='.length),
    known.slice('svc_device='.length).split('.')[0] ?? '',
  );
  const { key } = verified.json<Verified>();
  if (key !== null) secrets.texts.push(key.secret);
  return { session, known, key };
};

type Secrets = { readonly codes: string[]; readonly texts: string[] };

/** A customer's life with credentials: signs up, signs in again, makes, repeats, changes, rotates, revokes, leaves. */
const wholeStory = async (email: string): Promise<Secrets> => {
  const secrets: Secrets = { codes: [], texts: [] };
  const first = await signIn(email, '', secrets);
  const again = await signIn(email, first.known, secrets);
  const keysUrl = `${system.gateway}/v1/keys`;
  const byFirst = bearer(first.key?.secret ?? '');
  const repeat = { ...byFirst, 'Idempotency-Key': 'canary-of-a-repeat' };
  secrets.texts.push('canary-of-a-repeat');
  const made = [
    await postJson(keysUrl, { name: 'ci' }, repeat),
    await postJson(keysUrl, { name: 'ci' }, repeat),
  ];
  const [second, same] = made.map((answer) => answer.json<{ key: { id: string; secret: string } }>().key);
  expect(second).toMatchObject({ secret: same?.secret });
  const bySession = dashboard({ cookie: again.session });
  const rotated = await call(`${keysUrl}/${second?.id}/rotate`, { method: 'POST', headers: bySession });
  const third = rotated.json<{ key: { id: string; secret: string } }>().key;
  secrets.texts.push(second?.secret ?? '', third.secret);
  for (const key of [second?.secret ?? '', third.secret]) {
    expect((await call(`${system.gateway}/v1/account`, { headers: bearer(key) })).status).toBe(200);
  }
  const webhook = { url: 'http://127.0.0.1:9/hook' };
  const configured = await putJson(`${system.gateway}/v1/webhooks`, webhook, bearer(third.secret));
  secrets.texts.unshift(configured.json<{ webhook_secret: string }>().webhook_secret);
  const test = await call(`${system.gateway}/v1/webhooks/test`, {
    method: 'POST',
    headers: bearer(third.secret),
  });
  expect(test.status).toBe(202);
  const cold = await call(`${system.gateway}/v1/transcript?video_id=manualEn001`, {
    headers: bearer(third.secret),
  });
  expect(cold.status).toBe(200);
  expect((await call(`${keysUrl}/${third.id}`, { method: 'DELETE', headers: bySession })).status).toBe(200);
  expect((await call(`${system.gateway}/v1/sessions`, { headers: bySession })).status).toBe(200);
  const left = await call(`${system.gateway}/v1/auth/logout`, { method: 'POST', headers: bySession });
  expect(left.status).toBe(204);
  return secrets;
};

it('no code, session, device, key, webhook secret or Idempotency-Key stands on the bus or in a log, from sign-up to logout', async () => {
  const email = 'heard@example.com';
  const { codes, texts } = await wholeStory(email);
  expect(texts.map((text) => text.length > 16)).toEqual(texts.map(() => true));
  // It did hear the commands, their answers and the events.
  const keyDigest = digestSecret(texts.at(-1) ?? '');
  await eventually(() => {
    const all = heard.join('\n');
    for (const published of [
      'cmd.identity.verify-code.v1',
      '_INBOX_gateway.identity.',
      'evt.identity.key-revoked.v1',
    ])
      expect(all).toContain(published);
    expect(all.includes(email) && all.includes(keyDigest)).toBe(true);
  });
  const places = [...heard, await logOfServices()];
  const found = (secret: string | RegExp) =>
    places.filter((text) => (typeof secret === 'string' ? text.includes(secret) : secret.test(text)));
  expect(places.at(-1)).toContain('"name":"verify-code"');
  expect(found(apiKeyPattern)).toEqual([]);
  for (const text of texts) expect([text, found(text)]).toEqual([text, []]);
  for (const code of codes)
    expect([code, found(new RegExp(`(?<![\\w.-])${code}(?![\\w.-])`))]).toEqual([code, []]);
});

it('no body of a webhook stands in a log, though it was sent and refused', async () => {
  const isLeaked = (text: string) => text.includes('"api_version"');
  const log = await logOfServices();
  expect(log).toContain('"name":"send-test-event"');
  expect(log.split('\n').filter(isLeaked)).toEqual([]);
});
