import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accountBody } from '@tds/http-api';
import { eventually } from '@tds/test-kit';
import {
  bearer,
  type Customer,
  call,
  dashboard,
  fileVideo,
  operate,
  postJson,
  runScript,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';

let system: TestSystem;
beforeAll(async () => {
  system = await shareTestSystem();
});
afterAll(() => system?.stop());

type Key = { id: string; secret: string; status: string; revokes_at: string | null };
const keyIn = (answer: { json<T>(): T }): Key => answer.json<{ key: Key }>().key;
const create = (headers: Record<string, string>, body: object = { name: 'second' }) =>
  postJson(`${system.gateway}/v1/keys`, body, headers);
const remove = (path: string, headers: Record<string, string>, body?: object) =>
  call(`${system.gateway}${path}`, {
    method: 'DELETE',
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
const status = async (key: string): Promise<number> =>
  (await call(`${system.gateway}/v1/account`, { headers: bearer(key) })).status;
const summary = async (headers: Record<string, string>) =>
  accountBody.parse((await call(`${system.gateway}/v1/account`, { headers })).json());

describe('a customer looks after keys', () => {
  it('creates one, renames it, caps it, sees it used, and revokes it', async () => {
    const customer = await signUp(system);
    const key = keyIn(await create(bearer(customer.key)));
    expect(await status(key.secret)).toBe(200);
    const changed = await postJson(
      `${system.gateway}/v1/keys/${key.id}`,
      { name: 'laptop', daily_credit_cap: 3 },
      bearer(customer.key),
    );
    expect(changed.json()).toMatchObject({ key: { name: 'laptop', daily_credit_cap: 3 } });
    await eventually(async () => {
      const listed = (await customer.get('/v1/keys')).json<{
        keys: { id: string; last_used_at: string }[];
      }>();
      expect(listed.keys.find(({ id }) => id === key.id)?.last_used_at).not.toBeNull();
    });
    expect((await remove(`/v1/keys/${key.id}`, bearer(customer.key))).status).toBe(200);
    await eventually(async () => expect(await status(key.secret)).toBe(403));
  });

  it('has exactly two live keys on the free tier, however many are asked for at once', async () => {
    const customer = await signUp(system);
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(bearer(customer.key))));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array<number>(9).fill(429)]);
    const refused = answers.find((answer) => answer.status === 429);
    expect(refused?.json()).toMatchObject({ code: 'key_limit', errorClass: 'QuotaExceeded' });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await summary(bearer(customer.key))).keys).toMatchObject({ live: 2, limit: 2 });
  });

  it('rotates at the limit, and both keys work for the time of grace', async () => {
    const customer = await signUp(system);
    await create(bearer(customer.key));
    const rotated = await postJson(
      `${system.gateway}/v1/keys/${customer.keyId}/rotate`,
      '',
      bearer(customer.key),
    );
    expect(rotated.status).toBe(201);
    expect([await status(customer.key), await status(keyIn(rotated).secret)]).toEqual([200, 200]);
    const { replaced } = rotated.json<{ replaced: Key }>();
    const graceMs = new Date(replaced.revokes_at ?? 0).getTime() - Date.now();
    expect(Math.abs(graceMs - 86_400_000)).toBeLessThan(60_000);
    expect((await remove(`/v1/keys/${customer.keyId}`, bearer(keyIn(rotated).secret))).status).toBe(200);
    await eventually(async () => expect(await status(customer.key)).toBe(403));
  });

  it('loses an answer, asks again with the same Idempotency-Key, and has the secret of one key', async () => {
    const customer = await signUp(system);
    const headers = { ...bearer(customer.key), 'Idempotency-Key': randomUUID() };
    const lost = await create(headers);
    const again = await create(headers);
    expect([again.status, again.text]).toEqual([201, lost.text]);
    expect((await create(headers, { name: 'another' })).json().code).toBe('idempotency_key_reused');
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await status(keyIn(again).secret)).toBe(200);
    expect((await summary(bearer(customer.key))).keys.live).toBe(2);
    expect((await create({ ...headers, ...bearer(keyIn(lost).secret) })).json().code).toBe('key_limit');
  });

  it('loses the answer of a key that rotates itself, and has the new secret from the old key', async () => {
    const customer = await signUp(system);
    const rotate = (idempotencyKey: string) =>
      postJson(`${system.gateway}/v1/keys/${customer.keyId}/rotate`, '', {
        ...bearer(customer.key),
        'Idempotency-Key': idempotencyKey,
      });
    const lost = await rotate('a-random-one');
    const again = await rotate('a-random-one');
    expect([again.status, again.text]).toEqual([201, lost.text]);
    expect(await status(keyIn(again).secret)).toBe(200);
    expect((await rotate('another-one')).json().code).toBe('key_is_ending');
  });

  it('gets five live keys and higher limits with the paid tier', async () => {
    const customer = await signUp(system);
    expect(await operate(system, 'set-tier', customer.email, 'paid')).toContain('is paid now');
    const { account, keys, limits } = await summary(dashboard(customer));
    expect([account.tier, keys.limit, limits.requests_per_minute]).toEqual(['paid', 5, 300]);
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(dashboard(customer))));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(4);
  });
});

describe('a customer looks after the account', () => {
  it('reads credits, limits and keys, with a key and in the dashboard', async () => {
    const customer = await signUp(system);
    await customer.get(`/v1/transcript?video_id=${fileVideo(601)}`);
    const byKey = await eventually(async () => {
      const found = await summary(bearer(customer.key));
      expect(found.usage_today.credits_charged).toBe(1);
      expect(found.credits).toMatchObject({ free: 99, purchased: 0, reserved: 0, available: 99 });
      return found;
    });
    expect(byKey.account).toMatchObject({ id: customer.accountId, email: customer.email, tier: 'free' });
    expect(byKey.keys).toEqual({
      live: 1,
      limit: 2,
      current: { id: customer.keyId, name: 'default', prefix: customer.key.slice(0, 12) },
    });
    const inDashboard = await summary({ cookie: customer.cookie });
    expect(inDashboard).toEqual({
      ...byKey,
      person: { id: customer.accountId, email: customer.email, role: 'owner', daily_credit_cap: null },
      usage_today: expect.anything(),
      keys: { ...byKey.keys, current: null },
    });
    await eventually(async () => {
      const { usage_today: today } = await summary({ cookie: customer.cookie });
      expect(today).toMatchObject({ credits_charged: 1, cold_deliveries: 1, failures: 0 });
      expect(today.requests).toBeGreaterThan(0);
    });
  });

  it('closes it: every key and session ends, credits cannot be spent, and the address stays taken', async () => {
    const customer = await signUp(system);
    const close = (confirm: string) => remove('/v1/account?resource=account', dashboard(customer), { confirm });
    expect((await close('yes')).json().code).toBe('confirmation_required');
    const closed = await close(customer.email);
    expect(closed.json()).toMatchObject({ ok: true, account: { id: customer.accountId, status: 'closed' } });
    await eventually(async () => {
      const refused = await customer.get(`/v1/transcript?video_id=${fileVideo(602)}`);
      expect([refused.status, refused.json().code]).toEqual([403, 'account_closed']);
    });
    const session = await call(`${system.gateway}/v1/account`, { headers: { cookie: customer.cookie } });
    expect([session.status, session.json().code]).toEqual([401, 'session_required']);
    await postJson(`${system.gateway}/v1/auth/code`, { email: customer.email });
    const mails = `${system.mail.url}/messages?to=${encodeURIComponent(customer.email)}`;
    await eventually(async () =>
      expect((await call(mails)).text).toContain('No sign-in: your account is closed'),
    );
  });
});

describe('npm run create-key', () => {
  let dir: string;
  let customer: Customer;
  const newKey = () => runScript('infra/dev/local/src/create-key.ts', ['--data', dir, customer.email]);
  beforeAll(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'tds-key-'));
    const endpoints = { gateway: system.gateway, mailbox: system.mail.url };
    await writeFile(path.join(dir, 'endpoints.json'), JSON.stringify(endpoints));
    customer = await signUp(system);
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  it('gives a further key to a customer who has signed up before, and says how to make room at the limit', async () => {
    const key = await newKey();
    expect(await status(key)).toBe(200);
    const refusal: string = await newKey().catch(({ stderr }) => stderr);
    expect(refusal).toContain(customer.keyId);
    const [command = ''] = /curl .*/.exec(refusal) ?? [];
    const [, cookie = ''] = /Cookie: ([^"]+)"/.exec(command) ?? [];
    expect((await remove(`/v1/keys/${customer.keyId}`, dashboard({ cookie }))).status).toBe(200);
  });
});
