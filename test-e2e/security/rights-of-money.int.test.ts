import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import {
  bearer,
  type Customer,
  call,
  dashboard,
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

/** A person who has joined, with a session; a member has an app, too. */
const joined = async (role: 'member' | 'billing') => {
  const email = `${role}-${owner.email}`;
  await byOwner('POST', PEOPLE, { email, role });
  const invitation = await readInvitation(system.mail.url, email);
  const answer = await postJson(`${system.gateway}/v1/auth/invitation`, { ...invitation, accept_terms: true });
  const cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  emails[role] = email;
  credentials[`session of ${role}`] = dashboard({ cookie });
  if (role === 'billing') return;
  credentials['app of a member'] = bearer(
    (await connectApp(system, { ...owner, email, cookie }, ['read', 'fetch', 'jobs', 'monitors'], 5)).token,
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
