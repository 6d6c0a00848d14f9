import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import {
  bearer,
  type Customer,
  call,
  dashboard,
  operate,
  postJson,
  readInvitation,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';
import { connectApp, withNewKey } from './owners.ts';

/** The rows of people in docs/records/19-rights.md, by the thirteen credentials that are no session of an owner. */

let system: TestSystem;
let owner: Customer;
let memberId: string;
let invitationId: string;
let before: unknown;
type Headers = Record<string, string>;
const credentials: Record<string, Headers> = {};

const PEOPLE = '/v1/account/people';
const WEEK_MS = 7 * 86_400_000;
const send = (method: string, path: string, body: object | undefined, headers: Headers) =>
  call(system.gateway + path, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
const byOwner = (method: string, path: string, body?: object) => send(method, path, body, dashboard(owner));
type People = {
  people: { id: string; email: string; role: string }[];
  invitations: { id: string; created_at: string; expires_at: string }[];
};
const readPeople = async () => (await byOwner('GET', PEOPLE)).json<People>();
/** The people of the account, and what its owner chose about mails. */
const readBoth = async () => ({
  ...(await readPeople()),
  mail: (await byOwner('GET', '/v1/account')).json<{ mail: object }>().mail,
});

/** A person who has joined, with a session, a key, an app and a dashboard key. */
const joined = async (name: string) => {
  const email = `${name.replaceAll(' ', '-')}-${owner.email}`;
  expect((await byOwner('POST', PEOPLE, { email, role: 'member' })).status).toBe(201);
  const invitation = await readInvitation(system.mail.url, email);
  const answer = await postJson(`${system.gateway}/v1/auth/invitation`, { ...invitation, accept_terms: true });
  const cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const person = { ...owner, email, cookie };
  const { key } = await withNewKey(system, person);
  const { token } = await connectApp(system, person, ['read', 'fetch', 'jobs', 'monitors'], 5);
  const made = await send('POST', '/v1/dashboard/key', undefined, dashboard(person));
  credentials[`session of ${name}`] = dashboard(person);
  credentials[`key of ${name}`] = bearer(key);
  credentials[`app of ${name}`] = bearer(token);
  if (name !== 'a member')
    credentials[`dashboard key of ${name}`] = bearer(made.json<{ key: { secret: string } }>().key.secret);
  return String((await readPeople()).people.find((one) => one.email === email)?.id);
};

beforeAll(async () => {
  system = await shareTestSystem();
  owner = await signUp(system);
  await operate(system, 'set-tier', owner.email, 'paid');
  await eventually(async () =>
    expect((await owner.get('/v1/account')).json()).toMatchObject({ account: { tier: 'paid' } }),
  );
  credentials.none = {};
  credentials['app of the owner'] = bearer((await connectApp(system, owner, ['read', 'jobs'], 5)).token);
  memberId = await joined('a member');
  const billing = await joined('billing');
  const removed = await joined('who was removed');
  await byOwner('PATCH', `${PEOPLE}/${billing}`, { role: 'billing' });
  await byOwner('DELETE', `${PEOPLE}/${removed}`, { work: 'end' });
  credentials['key of the owner'] = bearer(owner.key);
  const waiting = `waiting-${owner.email}`;
  await byOwner('POST', PEOPLE, { email: waiting, role: 'member' });
  // Its week begins when the mail server has the mail.
  const state = await eventually(async () => {
    const read = await readBoth();
    const { created_at, expires_at } = read.invitations[0]!;
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBeGreaterThan(WEEK_MS);
    return read;
  });
  before = state;
  invitationId = String(state.invitations[0]?.id);
});
afterAll(() => system?.stop());

const rows: Readonly<Record<string, (headers: Headers) => ReturnType<typeof send>>> = {
  'reads people': (headers) => send('GET', PEOPLE, undefined, headers),
  invites: (headers) => send('POST', PEOPLE, { email: `thief-${owner.email}`, role: 'owner' }, headers),
  'changes a role': (headers) => send('PATCH', `${PEOPLE}/${memberId}`, { role: 'owner' }, headers),
  'lifts a cap': (headers) =>
    send('PATCH', `${PEOPLE}/${owner.accountId}`, { daily_credit_cap: null }, headers),
  'removes an owner': (headers) => send('DELETE', `${PEOPLE}/${owner.accountId}`, { work: 'end' }, headers),
  'withdraws an invitation': (headers) => send('DELETE', `${PEOPLE}/${invitationId}`, { work: 'end' }, headers),
  'lists sessions': (headers) => send('GET', '/v1/sessions', undefined, headers),
  'ends a session of an owner': (headers) =>
    send('DELETE', `/v1/sessions/${owner.sessionId}`, undefined, headers),
  'ends all other sessions': (headers) => send('DELETE', '/v1/sessions', undefined, headers),
  'switches to another account': (headers) =>
    send('POST', '/v1/auth/switch', { account_id: owner.accountId }, headers),
  'connects an app that nobody asked for': (headers) =>
    send('POST', '/v1/connections/requests/none', { allow: true }, headers),
  'reads the audit': (headers) => send('GET', '/v1/account/audit', undefined, headers),
  'sets below which balance the account is mailed': (headers) =>
    send('PATCH', '/v1/account/mail', { low_balance_threshold: null }, headers),
  'ends mails to the owner beside its own': (headers) =>
    send('PATCH', '/v1/account/mail', { event_mails: false }, headers),
  'closes the account': (headers) =>
    send('DELETE', '/v1/account?resource=account', { confirm: owner.email }, headers),
};

type Outcome = readonly [number, string | undefined];
/** What a session of a member or of billing gets: of the account it reads who is in it, without who is invited, and its sessions are its own. */
const ofSessions: Readonly<Record<string, Outcome>> = {
  'ends mails to the owner beside its own': [200, undefined],
  'reads people': [200, undefined],
  'lists sessions': [200, undefined],
  'ends a session of an owner': [404, 'session_not_found'],
  'ends all other sessions': [200, undefined],
  'switches to another account': [403, 'sign_in_required'],
};
/** Billing connects no app, and a member sets nothing of the balance. */
const ofRoles: Readonly<Record<string, typeof ofSessions>> = {
  'session of a member': {
    'connects an app that nobody asked for': [404, 'connection_request_not_found'],
  },
  'session of billing': { 'sets below which balance the account is mailed': [200, undefined] },
};
const outcomeOf = (row: string, who: string): Outcome =>
  ofRoles[who] ? (ofRoles[who][row] ?? ofSessions[row] ?? [403, 'role_required']) : [401, 'session_required'];

describe.each(Object.keys(rows))('of thirteen credentials and the key of an owner', (row) => {
  it(`none ${row} that is no session with the role`, async () => {
    expect(Object.keys(credentials)).toHaveLength(14);
    for (const [who, headers] of Object.entries(credentials)) {
      const answer = await rows[row]!(headers);
      const { code, invitations = [] } = answer.json<{ code?: string; invitations?: unknown[] }>();
      expect([who, answer.status, code]).toEqual([who, ...outcomeOf(row, who)]);
      expect(invitations).toEqual([]);
    }
    expect(await readBoth()).toEqual(before);
    expect((await byOwner('GET', '/v1/sessions')).status).toBe(200);
  });
});

it('a session that an invitation has opened leads to no other account of its address', async () => {
  const guest = await signUp(system);
  await byOwner('POST', PEOPLE, { email: guest.email, role: 'member' });
  const invitation = await readInvitation(system.mail.url, guest.email);
  const accept = (headers: Headers) =>
    postJson(`${system.gateway}/v1/auth/invitation`, { ...invitation, accept_terms: true }, headers);
  // Whoever has the mail has no account of its address.
  expect((await accept({})).json()).toMatchObject({ code: 'sign_in_required' });
  expect((await accept(dashboard(owner))).json()).toMatchObject({ code: 'sign_in_required' });
  const answer = await accept(dashboard(guest));
  expect(answer.status).toBe(200);
  const cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const switched = await send(
    'POST',
    '/v1/auth/switch',
    { account_id: guest.accountId },
    dashboard({ cookie }),
  );
  expect(switched.status).toBe(200);
  const member = await send(
    'POST',
    '/v1/auth/switch',
    { account_id: guest.accountId },
    credentials['session of a member']!,
  );
  expect(member.json()).toMatchObject({ code: 'sign_in_required' });
});
