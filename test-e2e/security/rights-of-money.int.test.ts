import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import {
  bearer,
  type Customer,
  call,
  dashboard,
  fileVideo,
  postJson,
  readInvitation,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';
import { connectApp, withNewKey } from './owners.ts';

/** The rows of money in docs/records/19-rights.md, both forms of each, by each kind of credential, and who was mailed. */

let system: TestSystem;
let owner: Customer;
let purchaseId: string;
const emails: Record<string, string> = {};
type Headers = Record<string, string>;
const credentials: Record<string, Headers> = {};

const PEOPLE = '/v1/account/people';
const send = (method: string, path: string, body: object | undefined, headers: Headers) =>
  call(system.gateway + path, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
const byOwner = (method: string, path: string, body?: object) => send(method, path, body, dashboard(owner));
type Purchase = { status: string; receipt_url: string | null };
const readPurchase = async (headers: Headers = dashboard(owner)) =>
  (await send('GET', '/v1/billing/purchases', undefined, headers)).json<{ purchases: Purchase[] }>()
    .purchases[0];

/** A person who has joined, with a session and a key, which ends if they become billing; a member has an app, too. */
const joined = async (role: 'member' | 'billing') => {
  const email = `${role}-${owner.email}`;
  await byOwner('POST', PEOPLE, { email, role: 'member' });
  const invitation = await readInvitation(system.mail.url, email);
  const answer = await postJson(`${system.gateway}/v1/auth/invitation`, { ...invitation, accept_terms: true });
  const cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  emails[role] = email;
  credentials[`session of ${role}`] = dashboard({ cookie });
  const person = { ...owner, email, cookie };
  if (role === 'billing') {
    credentials['key of before of billing'] = bearer((await withNewKey(system, person)).key);
    const { people } = (await byOwner('GET', PEOPLE)).json<{ people: { id: string; email: string }[] }>();
    const { id } = people.find((one) => one.email === email) ?? {};
    await byOwner('PATCH', `${PEOPLE}/${id}`, { role });
    return;
  }
  credentials['key of a member'] = bearer((await withNewKey(system, person)).key);
  credentials['app of a member'] = bearer(
    (await connectApp(system, person, ['read', 'fetch', 'jobs', 'monitors'], 5)).token,
  );
};

beforeAll(async () => {
  system = await shareTestSystem();
  owner = await signUp(system);
  const opened = await byOwner('POST', '/v1/checkout', { block: 20 });
  const { checkout_url: page, purchase_id: id } = opened.json<Record<string, string>>();
  purchaseId = String(id);
  await call(String(page), { method: 'POST' });
  await eventually(async () => expect((await readPurchase())?.status).toBe('paid'), { everyMs: 500 });
  await joined('member');
  await joined('billing');
  credentials.none = {};
  credentials['app of the owner'] = bearer((await connectApp(system, owner, ['read', 'jobs'], 5)).token);
  credentials['capped key of the owner'] = bearer((await withNewKey(system, owner, 1)).key);
  credentials['key of the owner'] = bearer(owner.key);
  credentials['session of the owner'] = dashboard(owner);
});
afterAll(() => system?.stop());

const refund = (headers: Headers) =>
  send('POST', '/v1/checkout?action=refund', { purchase_id: purchaseId }, headers);
const portal = (headers: Headers) => send('GET', '/v1/billing/portal', undefined, headers);
const refusals: Readonly<Record<string, string>> = {
  'session of member': 'role_required',
  'app of a member': 'insufficient_scope',
  'app of the owner': 'insufficient_scope',
  'capped key of the owner': 'uncapped_key_required',
};
const mailsTo = async (email: string): Promise<string[]> =>
  (await call(`${system.mail.url}/messages?to=${encodeURIComponent(email)}`))
    .json<{ text: string }[]>()
    .map(({ text }) => text)
    .filter((text) => text.includes('was given back'));

type Ask = readonly [method: string, path: string, body?: object];
const job: Ask = ['POST', '/v1/jobs', { video_ids: [fileVideo(0)] }];
const monitor: Ask = ['POST', '/v1/monitors', { channel: `@${crypto.randomUUID().slice(0, 8)}` }];
const newKey: Ask = ['POST', '/v1/keys', { name: 'new' }];
const accept: Ask = ['POST', `/v1/billing/purchases/${crypto.randomUUID()}/accept`];
const buyForOther: Ask = ['POST', '/v1/checkout', { block: 5, email: `${crypto.randomUUID()}@example.com` }];

describe('work, keys and purchases', () => {
  it.each<readonly [who: string, right: string, Ask, status: number, code: string | undefined]>([
    ['key of before of billing', 'begins no job', job, 403, 'invalid_api_key'],
    ['key of before of billing', 'accepts no credits', accept, 403, 'invalid_api_key'],
    ['session of billing', 'begins no job', job, 403, 'cookie_not_accepted'],
    ['session of billing', 'begins no monitor', monitor, 403, 'cookie_not_accepted'],
    ['session of billing', 'makes no key', newKey, 403, 'role_required'],
    ['session of billing', 'gets no dashboard key', ['POST', '/v1/dashboard/key'], 403, 'role_required'],
    ['session of billing', 'may accept credits', accept, 404, 'purchase_not_found'],
    ['session of member', 'accepts no credits', accept, 403, 'role_required'],
    ['key of a member', 'accepts no credits', accept, 403, 'role_required'],
    ['session of member', 'makes keys', newKey, 201, undefined],
    ['app of the owner', 'begins no monitor without the scope', monitor, 403, 'insufficient_scope'],
    ['app of the owner', 'makes no key', newKey, 403, 'insufficient_scope'],
    ['app of the owner', 'accepts no credits', accept, 403, 'insufficient_scope'],
    ['app of a member', 'makes no key', newKey, 403, 'insufficient_scope'],
    ['capped key of the owner', 'makes no key without a cap', newKey, 403, 'cap_needs_session'],
    ['capped key of the owner', 'may accept credits', accept, 404, 'purchase_not_found'],
    ['none', 'begins no job', job, 403, 'missing_api_key'],
    ['none', 'accepts no credits', accept, 403, 'missing_api_key'],
    ['none', 'buys for an address', buyForOther, 201, undefined],
  ])('%s %s', async (who, _right, [method, path, body], status, code) => {
    const answer = await send(method, path, body, credentials[who]!);
    expect([answer.status, answer.json().code]).toEqual([status, code]);
  });

  it.each([
    ['rotated', 'POST', '/rotate', 'cap_needs_session'],
    ['renamed', 'POST', '', 'begun_by_another_key'],
    ['ended', 'DELETE', '', 'begun_by_another_key'],
  ] as const)(
    'keys of an owner are %s by no member, billing, app, capped key or stranger',
    async (_how, method, at, ofCapped) => {
      const body = at === '' && method === 'POST' ? { name: 'mine' } : undefined;
      const asked = Object.keys(credentials).filter((who) => !/^(session|key) of the owner$/.test(who));
      const codes = await Promise.all(
        asked.map(async (who) => {
          const answer = await send(method, `/v1/keys/${owner.keyId}${at}`, body, credentials[who]!);
          return [who, answer.json().code];
        }),
      );
      expect(Object.fromEntries(codes)).toEqual({
        ...{ 'session of member': 'role_required', 'key of a member': 'role_required' },
        ...{ 'session of billing': 'role_required', 'key of before of billing': 'invalid_api_key' },
        ...{ 'app of a member': 'insufficient_scope', 'app of the owner': 'insufficient_scope' },
        ...{ 'capped key of the owner': ofCapped, none: 'missing_api_key' },
      });
      expect((await owner.get('/v1/account')).status).toBe(200);
    },
  );
});

const showRefill: Ask = ['GET', '/v1/refill'];
const putRefill: Ask = ['PUT', '/v1/refill', { threshold: 10, block: 20, monthly_limit: 100_000 }];
const endRefill: Ask = ['DELETE', '/v1/refill'];
const openCardPage: Ask = ['POST', '/v1/refill/card'];

describe('refills', () => {
  it.each([showRefill, putRefill, openCardPage, endRefill].map((ask) => [ask[0], ask[1], ask] as const))(
    '%s %s is for sessions of owners and billing alone',
    async (method, path, [, , body]) => {
      const codes = await Promise.all(
        Object.keys(credentials).map(async (who) => {
          const answer = await send(method, path, body, credentials[who]!);
          return [who, answer.json().code ?? 'let in'];
        }),
      );
      const byKeyOrApp = Object.keys(credentials).filter((who) => /^(capped )?key |^app /.test(who));
      expect(Object.fromEntries(codes)).toMatchObject({
        ...Object.fromEntries(byKeyOrApp.map((who) => [who, expect.not.stringMatching('let in')])),
        ...{ 'session of member': 'role_required', none: 'session_required' },
        ...{ 'session of the owner': 'let in', 'session of billing': 'let in' },
      });
    },
  );
});

describe('money', () => {
  it('is bought by a capped key, and neither given back nor seen in a portal or receipt by it, an app or a member', async () => {
    for (const [who, code] of Object.entries(refusals))
      for (const ask of [refund, portal]) {
        const answer = await ask(credentials[who]!);
        expect([who, answer.status, answer.json().code]).toEqual([who, 403, code]);
      }
    const bought = await send('POST', '/v1/checkout', { block: 5 }, credentials['capped key of the owner']!);
    // The limit of new accounts, not of the key.
    expect(bought.json().code).toBe('new_account_purchase_limit');
    for (const who of ['session of the owner', 'session of billing', 'key of the owner'])
      expect([who, (await portal(credentials[who]!)).status]).toEqual([who, 200]);
    for (const who of ['session of the owner', 'session of billing'])
      expect((await readPurchase(credentials[who]!))?.receipt_url).not.toBeNull();
    for (const who of ['session of member', 'key of the owner', 'capped key of the owner'])
      expect((await readPurchase(credentials[who]!))?.receipt_url).toBeNull();
  });

  it('is given back neither by a key of a person who has a cap, until it is lifted', async () => {
    await byOwner('PATCH', `${PEOPLE}/${owner.accountId}`, { daily_credit_cap: 2 });
    const key = credentials['key of the owner']!;
    await eventually(async () => expect((await portal(key)).json().code).toBe('uncapped_key_required'), {
      everyMs: 500,
    });
    expect((await refund(key)).json().code).toBe('uncapped_key_required');
    expect((await readPurchase())?.status).toBe('paid');
    await byOwner('PATCH', `${PEOPLE}/${owner.accountId}`, { daily_credit_cap: null });
  });

  it('is given back by billing, and each owner and billing is mailed which block and by whom', async () => {
    expect((await refund(credentials['session of billing']!)).status).toBe(202);
    for (const email of [owner.email, emails.billing!])
      await eventually(async () => {
        const [mail] = await mailsTo(email);
        expect(mail).toContain('block of 20 credits');
        expect(mail).toContain('billing');
      });
    expect(await mailsTo(emails.member!)).toEqual([]);
  });
});
