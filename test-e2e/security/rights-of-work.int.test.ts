import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Job } from '@tds/contracts';
import { channelAt } from '@tds/simulators/platform';
import { eventually } from '@tds/test-kit';
import {
  bearer,
  type Customer,
  dashboard,
  fifteenMinutesPass,
  fileVideo,
  operate,
  putJson,
  shareTestSystem,
  signInAgain,
  signUp,
  type TestSystem,
} from '#support/testing';
import { connectApp } from './owners.ts';
import { createTeams, PEOPLE } from './teams.ts';

/** What docs/records/19-rights.md says of work after its person, of repeats and of leaving, with who is mailed. */

const CHANNEL_OF_TESTS = 24;

let system: TestSystem;
let teams: ReturnType<typeof createTeams>;
beforeAll(async () => {
  system = await shareTestSystem();
  teams = createTeams(system);
});
afterAll(() => system?.stop());

describe('a repeat by Idempotency-Key', () => {
  it.each([
    ['job', '/v1/jobs', 202, 202, { video_ids: [fileVideo(0)] }],
    ['monitor', '/v1/monitors', 201, 200, { channel: channelAt(CHANNEL_OF_TESTS + 1, 1)!.handle }],
  ] as const)(
    "of a %s is the account's: it begins nothing and names who began it, to who may read it",
    async (noun, path, first, second, body) => {
      const owner = await teams.signUpPaid();
      const member = await teams.join(owner);
      const app = await connectApp(system, owner, ['read'], null);
      const begin = (key: string) =>
        teams.send('POST', path, { ...bearer(key), 'idempotency-key': 'daily-2026-11-30' }, body);
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
    const first = await teams.signUpPaid();
    const [heir, member] = [await teams.join(first, 'owner'), await teams.join(first)];
    const channel = channelAt(CHANNEL_OF_TESTS, 1)!;
    await putJson(`${system.gateway}/v1/webhooks`, { url: system.receiver.hookUrl }, bearer(first.key));
    const watched = await teams.send('POST', '/v1/monitors', bearer(member.key), {
      ...{ channel: channel.handle, auto_fetch: true, webhook_url: `${system.receiver.hookUrl}/member` },
    });
    expect(watched.status).toBe(201);
    const { id } = watched.json<{ monitor: { id: string } }>().monitor;
    const removed = await teams.send('DELETE', `${PEOPLE}/${member.personId}`, dashboard(heir), {
      work: 'pass_on',
    });
    expect(removed.status).toBe(200);
    expect(await teams.mailed(member.email, 'You are in an account no more')).toContain(
      `you began there belong to "${heir.email}"`,
    );
    expect(await teams.mailsTo(first.email, 'An owner has left your account')).toEqual([]);
    expect((await teams.send('GET', '/v1/account', bearer(member.key))).status).toBe(403);

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

    await teams.send('DELETE', `${PEOPLE}/${heir.personId}`, dashboard(first), { work: 'end' });
    await eventually(
      async () =>
        expect((await first.get(`/v1/monitors/${id}`)).json()).toMatchObject({
          monitor: { status: 'paused', pause_reason: 'key_revoked' },
        }),
      { everyMs: 1_500 },
    );
    await teams.mailed(first.email, 'An owner has left your account');
  });
});

describe('who leaves', () => {
  it('ends their own place alone, is mailed, and is never the last owner', async () => {
    const owner = await teams.signUpPaid();
    const member = await teams.join(owner);
    const leave = (who: Pick<Customer, 'cookie'>, id: string) =>
      teams.send('DELETE', `${PEOPLE}/${id}`, dashboard(who), { work: 'end' });
    expect((await leave(member, owner.accountId)).json()).toMatchObject({ code: 'role_required' });
    expect((await leave(owner, owner.accountId)).json()).toMatchObject({ code: 'last_owner' });
    expect((await leave(member, member.personId)).status).toBe(200);
    await teams.mailed(member.email, 'You are in an account no more');
    expect((await teams.send('GET', '/v1/account', dashboard(member))).status).toBe(401);
    expect((await teams.send('GET', '/v1/account', bearer(member.key))).status).toBe(403);
    expect((await teams.peopleOf(owner)).map(({ email }) => email)).toEqual([owner.email]);
  });
});

describe('an owner whom an operator adds', () => {
  it('is mailed like each owner, signs in to the account, and invites', async () => {
    const owner = await teams.signUpPaid();
    const email = `added-${owner.email}`;
    await operate(system, 'add-owner', owner.accountId, email);
    for (const to of [owner.email, email]) await teams.mailed(to, 'An owner has joined your account');
    const added = await signInAgain(system, email);
    expect((await teams.peopleOf(added)).map((one) => `${one.email} ${one.role}`)).toEqual([
      `${owner.email} owner`,
      `${email} owner`,
    ]);
    const guest = { email: `guest-${owner.email}`, role: 'member' };
    expect((await teams.send('POST', PEOPLE, dashboard(added), guest)).status).toBe(201);
  });
});
