import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { works } from '../test-support/keys-of-account.ts';
import { createPeople, type SignedIn } from '../test-support/people.ts';
import { newSecrets } from '../test-support/sign-in-requests.ts';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

let running: TestIdentity;
let people: ReturnType<typeof createPeople>;
beforeAll(async () => {
  running = await startIdentity();
  people = createPeople(running);
});
afterAll(() => running?.stop());

const HOUR_MS = 3_600_000;
const newEmail = () => `${randomUUID()}@example.com`;
const code = (name: string) => expect.objectContaining({ code: name });
const fails = (promise: Promise<unknown>, name: string) => expect(promise).rejects.toEqual(code(name));
const endsSession = ({ sessionDigest }: SignedIn) => fails(people.whoIs(sessionDigest), 'session_required');

describe('a sign-in of an address in several accounts', () => {
  it('opens the account that it used last, its own at first, and switches with the session', async () => {
    const email = newEmail();
    const own = await people.signUp(email);
    const others = await people.signUp();
    await people.invite(others, email, 'member');
    const home = await people.signIn(email);
    expect(home.accountId).toBe(own.accountId);
    const invitation = await people.mailedTo(email);
    const other = await people.signUp();
    for (const former of [undefined, other.sessionDigest])
      await fails(people.accept(invitation, newSecrets(), former ? { former } : {}), 'sign_in_required');
    const accepted = await people.accept(invitation, newSecrets(), { former: home.sessionDigest });
    expect(accepted.accountId).toBe(others.accountId);
    await fails(people.whoIs(home.sessionDigest), 'session_required');
    const session = { ...(await people.signIn(email)), email };
    expect(session.accountId).toBe(others.accountId);
    const { personId = '' } = await people.whoIs(session.sessionDigest);
    const me = { ...session, personId };
    expect(await people.account(me)).toMatchObject({
      person: { id: personId, email, role: 'member', daily_credit_cap: null },
      accounts: [
        { id: others.accountId, email: others.email, role: 'member' },
        { id: own.accountId, email, role: 'owner' },
      ],
    });
    const dashboardKey = await people.dashboardKey(me);
    const next = newSecrets();
    await fails(
      people.switchTo(me, (await people.signUp()).accountId, next.sessionDigest),
      'account_not_found',
    );
    await people.switchTo(me, own.accountId, next.sessionDigest);
    await endsSession(me);
    expect(await people.whoIs(next.sessionDigest)).toMatchObject({ accountId: own.accountId, role: 'owner' });
    expect([await works(running, dashboardKey.keyDigest), await people.phase(me, dashboardKey.id)]).toEqual([
      false,
      'retired',
    ]);
    running.clock.advance(HOUR_MS + 1);
    expect((await people.signIn(email)).accountId).toBe(own.accountId);
    expect(await people.account(own)).not.toHaveProperty('accounts.2');
  });

  it('that an invitation has opened stays in its account, sees no other, and makes no browser known', async () => {
    const [first, second] = [await people.signUp(), await people.signUp()];
    const email = newEmail();
    await people.invite(first, email, 'owner');
    const thief = newSecrets();
    const { accountId } = await people.accept(await people.mailedTo(email), thief);
    const { personId = '' } = await people.whoIs(thief.sessionDigest);
    const invited = { accountId, personId, sessionDigest: thief.sessionDigest, email };
    await people.invite(second, email);
    const home = await people.signIn(email);
    await people.accept(await people.mailedTo(email), newSecrets(), { former: home.sessionDigest });
    await fails(people.switchTo(invited, second.accountId, newSecrets().sessionDigest), 'sign_in_required');
    expect(await people.account(invited)).not.toHaveProperty('accounts');
    expect((await people.sessions(invited)).sessions).toMatchObject([{ current: true }]);
  });

  it('lists and ends the sessions of its address in all accounts', async () => {
    const email = newEmail();
    const own = await people.signUp(email);
    const others = await people.signUp();
    await people.invite(others, email);
    const copied = newSecrets();
    await people.accept(await people.mailedTo(email), copied, { former: own.sessionDigest });
    const here = await people.signIn(email);
    const next = newSecrets();
    const me = { ...here, personId: (await people.whoIs(here.sessionDigest)).personId ?? '', email };
    await people.switchTo(me, own.accountId, next.sessionDigest);
    const mine = { accountId: own.accountId, sessionDigest: next.sessionDigest };
    expect((await people.sessions(mine)).sessions.map(({ account_id }) => account_id).toSorted()).toEqual(
      [own.accountId, others.accountId].toSorted(),
    );
    expect(await people.endOthers(mine)).toEqual({ ended: 1 });
    await fails(people.whoIs(copied.sessionDigest), 'session_required');
    expect(await people.whoIs(next.sessionDigest)).toMatchObject({ accountId: own.accountId });
    expect((await people.audit(others)).map(({ action }) => action)).toContain('sessions-ended');
  });

  it('sees nothing of that in an account of one person', async () => {
    expect(await people.account(await people.signUp())).not.toHaveProperty('accounts');
  });
});
