import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { digestSecret, displayPrefix, identity, newId } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { createAppClient } from '../test-support/connected-apps.ts';
import { createOperations } from '../test-support/identity-operations.ts';
import { works } from '../test-support/keys-of-account.ts';
import { createPeople, type SignedIn } from '../test-support/people.ts';
import { CLIENT_ADDRESS, newSecrets } from '../test-support/sign-in-requests.ts';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

let running: TestIdentity;
let people: ReturnType<typeof createPeople>;
beforeAll(async () => {
  running = await startIdentity();
  people = createPeople(running);
});
afterAll(() => running?.stop());

const newEmail = () => `${randomUUID()}@example.com`;
const code = (name: string) => expect.objectContaining({ code: name });
const fails = (promise: Promise<unknown>, name: string) => expect(promise).rejects.toEqual(code(name));
const endsSession = ({ sessionDigest }: SignedIn) => fails(people.whoIs(sessionDigest), 'session_required');

describe('a role', () => {
  it('decides at once who changes people, and whose keys', async () => {
    const owner = await people.signUp();
    await createOperations(running).setTier(owner.email, 'paid');
    const member = await people.join(owner, newEmail(), 'member');
    for (const change of [
      people.invite(member, newEmail()),
      people.change(member, owner.personId, { role: 'member' }),
      people.remove(member, owner.personId, 'end'),
      people.revokeKey(member, owner.keyId),
    ])
      await fails(change, 'role_required');
    const own = await people.createKey(member);
    expect(own.person_id).toBe(member.personId);
    await people.revokeKey(owner, (await people.createKey(member)).id);
    await people.revokeKey(member, own.id);
    const other = await people.createKey(owner);
    await people.change(owner, member.personId, { role: 'owner' });
    await people.revokeKey(member, other.id);
  });

  it('changes people by a session alone: a key of an owner, capped or not, invites, changes and removes none', async () => {
    const owner = await people.signUp();
    const member = await people.join(owner, newEmail(), 'member');
    const { email, personId } = member;
    for (const dailyCreditCap of [null, 5]) {
      await people.change(owner, owner.personId, { dailyCreditCap });
      const byKey = { accountId: owner.accountId, by: { keyId: owner.keyId, clientAddress: CLIENT_ADDRESS } };
      for (const change of [
        running.call(identity.invitePerson, { ...byKey, email: newEmail(), role: 'owner' }, testContext()),
        running.call(identity.changePerson, { ...byKey, personId, role: 'owner' }, testContext()),
        running.call(
          identity.changePerson,
          { ...byKey, personId: owner.personId, dailyCreditCap: null },
          testContext(),
        ),
        running.call(identity.removePerson, { ...byKey, personId, work: 'end' }, testContext()),
      ])
        await fails(change, 'session_required');
    }
    await people.invite(owner, newEmail());
    expect(await people.list(owner)).toMatchObject({
      people: [{ daily_credit_cap: 5 }, { email, role: 'member' }],
      invitations: [{}],
    });
    // Addresses of who is invited are for owners.
    expect((await people.list(member)).invitations).toEqual([]);
  });

  it('of billing ends the keys and connections of the person, whose work goes on', async () => {
    const owner = await people.signUp();
    const member = await people.join(owner, newEmail(), 'member');
    const key = await people.createKey(member);
    const dashboardKey = await people.dashboardKey(member);
    const app = await createAppClient(running).connect(member);
    await people.change(owner, member.personId, { role: 'billing' });
    for (const id of [key.id, dashboardKey.id, app.id]) expect(await people.phase(owner, id)).toBe('retired');
    expect(await works(running, key.keyDigest)).toBe(false);
    expect(await people.whoIs(member.sessionDigest)).toMatchObject({ role: 'billing' });
    await fails(people.createKey(member), 'role_required');
  });

  it('of the last owner stays', async () => {
    const owner = await people.signUp();
    await people.join(owner, newEmail(), 'member');
    await fails(people.change(owner, owner.personId, { role: 'billing' }), 'last_owner');
    await fails(people.remove(owner, owner.personId, 'pass_on'), 'last_owner');
  });
});

describe('people of one account', () => {
  it('have each their connection of the same app, and lose no other by a removal', async () => {
    const owner = await people.signUp();
    const member = await people.join(owner, newEmail());
    const apps = createAppClient(running);
    const connect = async (person: SignedIn) => {
      const grantId = newId();
      const payload = JSON.stringify({ clientId: 'https://app.example/client' });
      await apps.save('Grant', grantId, { grantId, payload });
      return apps.connect(person, { grantId });
    };
    const [first, second] = [await connect(owner), await connect(member)];
    expect([first, second]).toMatchObject([{ person_id: owner.personId }, { person_id: member.personId }]);
    await people.remove(owner, member.personId, 'end');
    const phases = [await people.phase(owner, first.id), await people.phase(owner, second.id)];
    expect(phases).toEqual(['active', 'revoked']);
  });

  it('get no key of each other by the same Idempotency-Key', async () => {
    const owner = await people.signUp();
    await createOperations(running).setTier(owner.email, 'paid');
    const member = await people.join(owner, newEmail());
    const create = async ({ accountId, personId }: SignedIn) => {
      const { key, keyDigest } = newSecrets();
      const by = { keyId: null, personId, clientAddress: CLIENT_ADDRESS };
      const idempotency = { digest: digestSecret('1'), nonce: randomUUID() };
      const made = { name: 'x', dailyCreditCap: null, keyDigest, keyPrefix: displayPrefix(key) };
      return running.call(identity.createKey, { accountId, by, ...made, idempotency }, testContext());
    };
    const [first, second] = [await create(owner), await create(member)];
    expect(second.key.person_id).toBe(member.personId);
    expect((await create(owner)).key.id).toBe(first.key.id);
  });
});

describe('the removal of a person', () => {
  it.each([
    ['end', 'revoked'],
    ['pass_on', 'retired'],
  ] as const)(
    'ends sessions, keys and connections at once, and their work by choice: %s',
    async (work, phase) => {
      const owner = await people.signUp();
      const member = await people.join(owner, newEmail());
      await fails(people.remove(owner, member.personId), 'invalid_work');
      const key = await people.createKey(member);
      const dashboardKey = await people.dashboardKey(member);
      const app = await createAppClient(running).connect(member);
      const past = { ...member, ...(await people.signIn(member.email)) };
      const pastKey = await people.dashboardKey(past);
      await people.change(owner, member.personId, { dailyCreditCap: 5 });
      expect(await people.remove(owner, member.personId, work)).toEqual({
        removed: { id: member.personId, email: member.email },
      });
      await endsSession(member);
      await endsSession(past);
      expect(await works(running, key.keyDigest)).toBe(false);
      for (const { id } of [key, dashboardKey, app, pastKey]) expect(await people.phase(owner, id)).toBe(phase);
      expect(await works(running, owner.keyDigest)).toBe(true);
      expect((await people.list(owner)).people).toHaveLength(1);
      // The address may have an account of its own now, as any other.
      expect((await people.signIn(member.email)).accountId).not.toBe(owner.accountId);
    },
  );

  it('lets of two owners who remove each other one stay', async () => {
    const owner = await people.signUp();
    const other = await people.join(owner, newEmail(), 'owner');
    const outcomes = await Promise.allSettled([
      people.remove(owner, other.personId, 'end'),
      people.remove(other, owner.personId, 'end'),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'role_required' },
    });
    expect((await people.list(owner)).people).toHaveLength(1);
  });

  it('of the first person leaves the account with its oldest owner, who gets its mails, and the address free', async () => {
    const owner = await people.signUp();
    const other = await people.join(owner, newEmail(), 'owner');
    await people.remove(owner, owner.personId, 'pass_on');
    await endsSession(owner);
    expect((await people.signIn(owner.email)).accountId).not.toBe(owner.accountId);
    // Credits that strangers pay for the address are not those of the account that it has left.
    expect(await people.account(other)).toMatchObject({
      account: { email: expect.not.stringContaining(owner.email) },
      ownerEmail: other.email,
    });
    await createOperations(running).setStatus(`${owner.accountId}@removed.invalid`, 'frozen');
    await eventually(() =>
      expect(
        running.smtp.mails.filter(({ to, raw }) => to === other.email && raw.includes('is frozen')),
      ).toHaveLength(1),
    );
    expect(await people.whoIs(other.sessionDigest)).toMatchObject({ role: 'owner', status: 'frozen' });
  });
});

describe('the audit list', () => {
  it('says who did what, when and from where', async () => {
    const owner = await people.signUp();
    const member = await people.join(owner, newEmail(), 'member');
    const key = await people.createKey(member);
    await people.change(owner, member.personId, { role: 'owner' });
    await people.remove(owner, member.personId, 'pass_on');
    const entries = await people.audit(owner);
    const who = { actor: 'holder', client_address: '203.0.113.9' };
    const byAction = (action: string) => entries.filter((entry) => entry.action === action);
    expect(byAction('person-invited')).toEqual([
      expect.objectContaining({ ...who, person_id: owner.personId, detail: `${member.email}, member` }),
    ]);
    expect(byAction('person-joined')).toEqual([
      expect.objectContaining({ ...who, person_id: member.personId }),
    ]);
    expect(byAction('key-created')[0]).toMatchObject({ person_id: member.personId, key_id: key.id });
    expect(byAction('key-revoked')[0]).toMatchObject({ person_id: owner.personId, key_id: key.id });
    expect(byAction('person-removed')).toHaveLength(1);
    expect(byAction('person-changed')).toHaveLength(1);
    expect(entries.map(({ at }) => at)).toEqual(
      entries
        .map(({ at }) => at)
        .toSorted()
        .reverse(),
    );
  });
});
