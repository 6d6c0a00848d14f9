import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Job } from '@tds/contracts';
import { channelAt } from '@tds/simulators/platform';
import { eventually } from '@tds/test-kit';
import {
  type Answer,
  bearer,
  type Customer,
  call,
  dashboard,
  fifteenMinutesPass,
  fileVideo,
  operate,
  postJson,
  putJson,
  readInvitation,
  shareTestSystem,
  signInAgain,
  signUp,
  type TestSystem,
} from '#support/testing';
import { connectApp, withNewKey } from './owners.ts';

/** What docs/records/19-rights.md says of work after its person, of repeats, of leaving and of links in mails, with who is mailed. */

const CHANNEL_OF_TESTS = 24;
const PEOPLE = '/v1/account/people';
type Headers = Record<string, string>;

let system: TestSystem;
beforeAll(async () => {
  system = await shareTestSystem();
});
afterAll(() => system?.stop());

const send = (method: string, path: string, headers: Headers, body?: object): Promise<Answer> =>
  call(system.gateway + path, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
type Person = { readonly id: string; readonly email: string; readonly role: string };
const peopleOf = async (owner: Pick<Customer, 'cookie'>) =>
  (await send('GET', PEOPLE, dashboard(owner))).json<{ people: Person[] }>().people;

const signUpPaid = async () => {
  const owner = await signUp(system);
  await operate(system, 'set-tier', owner.email, 'paid');
  await eventually(
    async () => expect((await owner.get('/v1/account')).json()).toMatchObject({ account: { tier: 'paid' } }),
    { everyMs: 500 },
  );
  return owner;
};

/** A person who has joined, with a key. */
const join = async (owner: Customer, role: 'owner' | 'member' = 'member') => {
  const email = `${role}-${owner.email}`;
  expect((await send('POST', PEOPLE, dashboard(owner), { email, role })).status).toBe(201);
  const invitation = await readInvitation(system.mail.url, email);
  const answer = await postJson(`${system.gateway}/v1/auth/invitation`, { ...invitation, accept_terms: true });
  const cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const id = String((await peopleOf(owner)).find((one) => one.email === email)?.id);
  return { ...(await withNewKey(system, { ...owner, email, cookie })), personId: id };
};

type Mail = { readonly text: string; readonly subject: string };
const mailsTo = async (email: string, words: string): Promise<Mail[]> =>
  (await call(`${system.mail.url}/messages?to=${encodeURIComponent(email)}`))
    .json<Mail[]>()
    .filter(({ text, subject }) => `${subject}\n${text}`.includes(words));
const mailed = (email: string, words: string, count = 1) =>
  eventually(async () => {
    const mails = await mailsTo(email, words);
    expect(mails).toHaveLength(count);
    // Without what keeps mail programs from making links of addresses.
    return (mails.at(-1)?.text ?? '').replaceAll('\u2060', '');
  });
/** The path of the link that ends mails. */
const stopLinkOf = (text: string) => String(/\/v1\/mail\/stop\?link=\S+/.exec(text)?.[0]);

describe('a repeat by Idempotency-Key', () => {
  it.each([
    ['job', '/v1/jobs', 202, 202, { video_ids: [fileVideo(0)] }],
    ['monitor', '/v1/monitors', 201, 200, { channel: channelAt(CHANNEL_OF_TESTS + 1, 1)!.handle }],
  ] as const)(
    'of a %s is the account`s: it begins nothing and names who began it, to who may read it',
    async (noun, path, first, second, body) => {
      const owner = await signUpPaid();
      const member = await join(owner);
      const app = await connectApp(system, owner, ['read'], null);
      const begin = (key: string) =>
        send('POST', path, { ...bearer(key), 'idempotency-key': 'daily-2026-11-30' }, body);
      type Begun = Record<string, { id: string; person_id: string }>;
      const begun = await begin(owner.key);
      expect(begun.status).toBe(first);
      const { id, person_id } = begun.json<Begun>()[noun]!;
      expect(person_id).toBe(owner.accountId);
      const repeated = await begin(member.key);
      expect([repeated.status, repeated.json<Begun>()[noun]]).toMatchObject([second, { id, person_id }]);
      expect((await begin(app.token)).json()).toMatchObject({ code: 'insufficient_scope' });
      expect((await owner.get(path)).json<Record<string, object[]>>()[`${noun}s`]).toHaveLength(1);
      const stranger = await begin((await signUp(system)).key);
      expect(stranger.json<Begun>()[noun]?.id).not.toBe(id);
    },
  );
});

describe('work that was passed on', () => {
  it('is paid by who passed it on, ends with their work, and its person is mailed whose it is', async () => {
    const first = await signUpPaid();
    const [heir, member] = [await join(first, 'owner'), await join(first)];
    const channel = channelAt(CHANNEL_OF_TESTS, 1)!;
    await putJson(`${system.gateway}/v1/webhooks`, { url: system.receiver.hookUrl }, bearer(first.key));
    const watched = await send('POST', '/v1/monitors', bearer(member.key), {
      ...{ channel: channel.handle, auto_fetch: true, webhook_url: `${system.receiver.hookUrl}/member` },
    });
    expect(watched.status).toBe(201);
    const { id } = watched.json<{ monitor: { id: string } }>().monitor;
    const removed = await send('DELETE', `${PEOPLE}/${member.personId}`, dashboard(heir), { work: 'pass_on' });
    expect(removed.status).toBe(200);
    expect(await mailed(member.email, 'You are in an account no more')).toContain(
      `you began there belong to "${heir.email}"`,
    );
    expect(await mailsTo(first.email, 'An owner has left your account')).toEqual([]);
    expect((await send('GET', '/v1/account', bearer(member.key))).status).toBe(403);

    system.simulator.upload({ to: channel.id, count: 2 });
    await fifteenMinutesPass(system);
    await eventually(
      async () => {
        const { jobs } = (await first.get('/v1/jobs')).json<{ jobs: Job[] }>();
        expect(jobs).toMatchObject([{ status: 'completed', monitor_id: id, credits: { charged: 2 } }]);
      },
      { everyMs: 1_500 },
    );
    const usage = async (personId: string) =>
      (await first.get(`/v1/usage?resource=ledger&person_id=${personId}`)).json<{
        rows: { person_id: string; via: string }[];
      }>().rows;
    expect(await usage(member.personId)).toEqual([]);
    const paid = await usage(heir.personId);
    expect(paid.length).toBeGreaterThan(0);
    expect(new Set(paid.map(({ via }) => via))).toEqual(new Set(['dashboard']));
    // Nothing goes to where the removed person's key said.
    expect(system.receiver.received('/member')).toEqual([]);

    await send('DELETE', `${PEOPLE}/${heir.personId}`, dashboard(first), { work: 'end' });
    await eventually(
      async () =>
        expect((await first.get(`/v1/monitors/${id}`)).json()).toMatchObject({
          monitor: { status: 'paused', pause_reason: 'key_revoked' },
        }),
      { everyMs: 1_500 },
    );
    await mailed(first.email, 'An owner has left your account');
  });
});

describe('who leaves', () => {
  it('ends their own place alone, is mailed, and is never the last owner', async () => {
    const owner = await signUpPaid();
    const member = await join(owner);
    const leave = (who: Pick<Customer, 'cookie'>, id: string) =>
      send('DELETE', `${PEOPLE}/${id}`, dashboard(who), { work: 'end' });
    expect((await leave(member, owner.accountId)).json()).toMatchObject({ code: 'role_required' });
    expect((await leave(owner, owner.accountId)).json()).toMatchObject({ code: 'last_owner' });
    expect((await leave(member, member.personId)).status).toBe(200);
    await mailed(member.email, 'You are in an account no more');
    expect((await send('GET', '/v1/account', dashboard(member))).status).toBe(401);
    expect((await send('GET', '/v1/account', bearer(member.key))).status).toBe(403);
    expect((await peopleOf(owner)).map(({ email }) => email)).toEqual([owner.email]);
  });
});

describe('an owner whom an operator adds', () => {
  it('is mailed like each owner, signs in to the account, and invites', async () => {
    const owner = await signUpPaid();
    const email = `added-${owner.email}`;
    await operate(system, 'add-owner', owner.accountId, email);
    for (const to of [owner.email, email]) await mailed(to, 'An owner has joined your account');
    const added = await signInAgain(system, email);
    expect((await peopleOf(added)).map((one) => `${one.email} ${one.role}`)).toEqual([
      `${owner.email} owner`,
      `${email} owner`,
    ]);
    const guest = { email: `guest-${owner.email}`, role: 'member' };
    expect((await send('POST', PEOPLE, dashboard(added), guest)).status).toBe(201);
  });
});

describe('a link that ends mails', () => {
  const stop = (link: string) => send('POST', link, {});
  const wants = async (owner: Pick<Customer, 'cookie'>) =>
    (await send('GET', '/v1/account', dashboard(owner))).json<{ mail: { event_mails: boolean } }>().mail
      .event_mails;

  it('is its reader`s: used up when they are switched on again, and ended with the person', async () => {
    const owner = await signUpPaid();
    const heir = await join(owner, 'owner');
    await send('POST', '/v1/jobs', bearer(owner.key), { video_ids: [fileVideo(1)], notify_email: true });
    const link = stopLinkOf(await mailed(owner.email, '/v1/mail/stop?link='));
    expect((await stop(link)).status).toBe(200);
    expect(await wants(owner)).toBe(false);
    await send('PATCH', '/v1/account/mail', dashboard(owner), { event_mails: true });
    expect((await stop(link)).json()).toMatchObject({ code: 'invalid_mail_token' });
    await send('POST', '/v1/jobs', bearer(owner.key), { video_ids: [fileVideo(2)], notify_email: true });
    const next = stopLinkOf(await mailed(owner.email, '/v1/mail/stop?link=', 2));
    await send('DELETE', `${PEOPLE}/${owner.accountId}`, dashboard(heir), { work: 'end' });
    expect((await stop(next)).json()).toMatchObject({ code: 'invalid_mail_token' });
    expect(await wants(heir)).toBe(true);
  });

  it('of an invitation ends invitations to its address from every account', async () => {
    const [owner, other] = [await signUp(system), await signUp(system)];
    const invited = { email: `invited-${owner.email}`, role: 'member' };
    await send('POST', PEOPLE, dashboard(owner), invited);
    const link = stopLinkOf(await mailed(invited.email, '/v1/mail/stop?link='));
    expect((await stop(link)).status).toBe(200);
    for (const who of [owner, other])
      expect((await send('POST', PEOPLE, dashboard(who), invited)).json()).toMatchObject({
        code: 'invitations_stopped',
      });
    await mailed(invited.email, '/v1/mail/stop?link=');
  });
});
