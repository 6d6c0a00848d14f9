import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { identity, MAX_PEOPLE } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { createOperations } from '../test-support/identity-operations.ts';
import { createPeople } from '../test-support/people.ts';
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
const DAY_MS = 24 * HOUR_MS;
const newEmail = () => `${randomUUID()}@example.com`;
const code = (name: string) => expect.objectContaining({ code: name });
const fails = (promise: Promise<unknown>, name: string) => expect(promise).rejects.toEqual(code(name));

describe('an invitation', () => {
  it('brings a person with its role into the account, and no account, key or credits of their own', async () => {
    const owner = await people.signUp();
    const email = newEmail();
    await people.invite(owner, email, 'billing', 30);
    const { invitations } = await people.list(owner);
    expect(invitations).toEqual([
      expect.objectContaining({ email, role: 'billing', daily_credit_cap: 30, invited_by: owner.personId }),
    ]);
    const secrets = newSecrets();
    const accepted = await people.accept(await people.mailedTo(email), secrets);
    expect(accepted.accountId).toBe(owner.accountId);
    expect(await people.whoIs(secrets.sessionDigest)).toMatchObject({ role: 'billing', keyId: null });
    expect(await people.list(owner)).toMatchObject({
      people: [
        { id: owner.accountId, role: 'owner' },
        { email, role: 'billing', daily_credit_cap: 30 },
      ],
      invitations: [],
    });
    // The next sign-in by an ordinary code opens the same account.
    expect(await people.signIn(email)).toMatchObject({ accountId: owner.accountId, firstKey: null });
    const { rows } = await running.kit().db.query('SELECT id FROM accounts WHERE email = $1', [email]);
    expect(rows).toEqual([]);
  });

  it('is mailed with who invites, who owns the account, its page and its code, and nothing that reads as a link', async () => {
    const owner = await people.signUp();
    const other = await people.join(owner, newEmail(), 'owner');
    const email = newEmail();
    await people.invite(other, email);
    const { invitationId, code: word } = await people.mailedTo(email);
    const raw = running.smtp.mails
      .findLast(({ to }) => to === email)
      ?.raw.replaceAll('=\n', '')
      .replaceAll('=3D', '=');
    const read = raw?.replaceAll('=E2=81=A0', '');
    for (const address of [other.email, owner.email]) {
      expect(read).toContain(address);
      expect(raw).not.toContain(address);
    }
    expect(raw).toContain(`/dashboard/join?invitation=${invitationId}`);
    const { rows } = await running.kit().db.query(
      `SELECT 1 FROM messaging.tasks WHERE payload::text LIKE '%' || $1 || '%'
       UNION ALL SELECT 1 FROM messaging.outbox WHERE payload::text LIKE '%' || $1 || '%'`,
      [word],
    );
    expect(rows).toEqual([]);
  });

  it('works once, for its address, for a week, and says why a right code does not', async () => {
    const owner = await people.signUp();
    const [used, late, withdrawn] = [newEmail(), newEmail(), newEmail()];
    for (const email of [used, late, withdrawn]) await people.invite(owner, email);
    const [first, second, third] = await Promise.all([used, late, withdrawn].map(people.mailedTo));
    if (!first || !second || !third) throw new Error('no mails');
    await fails(people.accept({ ...first, code: second.code }), 'invalid_code');
    await fails(people.accept({ ...first, invitationId: randomUUID() }), 'invalid_code');
    const both = await Promise.allSettled([people.accept(first), people.accept(first)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await fails(people.accept(first), 'code_used');
    await people.remove(owner, third.invitationId);
    await fails(people.accept(third), 'code_expired');
    running.clock.advance(7 * DAY_MS + 1);
    await fails(people.accept(second), 'code_expired');
    await fails(people.remove(owner, second.invitationId), 'person_not_found');
    await people.invite(owner, late);
    await eventually(async () => people.accept(await people.mailedTo(late)));
  });

  it('is renewed by a second one with another code, whose role holds, and none goes to who is in the account', async () => {
    const owner = await people.signUp();
    const email = newEmail();
    await people.invite(owner, email);
    const first = await people.mailedTo(email);
    await people.invite(owner, email, 'owner');
    const second = await eventually(async () => {
      const mailed = await people.mailedTo(email);
      expect(mailed.code).not.toBe(first.code);
      return mailed;
    });
    // A mail that was passed on is of no use any more.
    await fails(people.accept(first), 'code_expired');
    expect((await people.list(owner)).invitations).toHaveLength(1);
    const { sessionDigest } = newSecrets();
    await people.accept(second, { ...newSecrets(), sessionDigest });
    expect(await people.whoIs(sessionDigest)).toMatchObject({ role: 'owner' });
    await fails(people.invite(owner, email), 'already_in_account');
    await fails(people.invite(owner, 'nobody'), 'invalid_email');
    await fails(people.invite(owner, 'one@mailinator.com'), 'disposable_email');
  });

  it('is mailed once by a mail server that was away for a day, also if it was renewed, and lasts a week from then', async () => {
    const owner = await people.signUp();
    const email = newEmail();
    const query = (text: string) => running.kit().db.query(text);
    const tried = (tasks: number) =>
      eventually(async () => {
        const { rows } = await query(
          `SELECT attempts::int FROM messaging.tasks WHERE name = 'send-invitation' AND state = 'ready' AND lease_until IS NULL`,
        );
        expect(rows).toEqual(Array(tasks).fill({ attempts: 1 }));
      });
    running.smtp.recipientAnswer = '451 later';
    await people.invite(owner, email);
    await tried(1);
    running.clock.advance(DAY_MS);
    await people.invite(owner, email, 'billing');
    await tried(2);
    running.smtp.recipientAnswer = '250 fine';
    await running.rows.makeDue('messaging.tasks', { where: "state = 'ready'" });
    const invitation = await people.mailedTo(email);
    await eventually(async () =>
      expect((await people.list(owner)).invitations[0]?.expires_at).toBe(
        new Date(running.clock.now().getTime() + 7 * DAY_MS).toISOString(),
      ),
    );
    expect(running.smtp.mails.filter(({ to }) => to === email)).toHaveLength(1);
    running.clock.advance(7 * DAY_MS - HOUR_MS);
    expect((await people.accept(invitation)).accountId).toBe(owner.accountId);
  });

  it('locks after five wrong guesses of a network, also for the right code, for fifteen minutes, and no other invitation', async () => {
    const owner = await people.signUp();
    const [email, other] = [newEmail(), newEmail()];
    await people.invite(owner, email);
    await people.invite(owner, other);
    const { invitationId, code: right } = await people.mailedTo(email);
    const clientAddress = '198.51.100.7';
    const guess = (text: string) =>
      people.accept({ invitationId, code: text }, newSecrets(), { clientAddress });
    for (let wrong = 0; wrong < 5; wrong += 1) await fails(guess('222222222222'), 'invalid_code');
    await fails(guess(right), 'code_locked');
    for (let wrong = 0; wrong < 30; wrong += 1)
      await fails(
        people.accept({ invitationId: randomUUID(), code: right }, newSecrets(), { clientAddress }),
        'invalid_code',
      );
    await people.accept(await people.mailedTo(other), newSecrets(), { clientAddress });
    running.clock.advance(HOUR_MS / 4 + 1);
    await expect(guess(right)).resolves.toBeDefined();
  });

  it('is spent by one of eight at once, none of which counts as a guess', async () => {
    const owner = await people.signUp();
    const email = newEmail();
    await people.invite(owner, email);
    const invitation = await people.mailedTo(email);
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => people.accept(invitation)));
    const codes = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'joined'));
    expect(codes.toSorted()).toEqual([...Array(7).fill('code_used'), 'joined']);
  });

  it('goes to twenty strangers a day, three times to one mailbox, and from free accounts six times in all', async () => {
    const owner = await people.signUp();
    const email = newEmail();
    for (let at = 0; at < 3; at += 1) await people.invite(owner, email);
    await fails(people.invite(owner, email), 'invitation_limit');
    for (let at = 0; at < 3; at += 1) await people.invite(await people.signUp(), email.replace('@', `+${at}@`));
    const [free, paid] = [await people.signUp(), await people.signUp()];
    await fails(people.invite(free, email), 'invitation_limit');
    // Strangers use up nothing of an account that pays.
    await createOperations(running).setTier(paid.email, 'paid');
    await people.invite(paid, email);
    for (let at = 0; at < 17; at += 1) await people.invite(owner, newEmail());
    await expect(people.invite(owner, newEmail())).rejects.toMatchObject({
      code: 'invitation_limit',
      data: { retryAfterSeconds: 86_400 },
    });
    running.clock.advance(DAY_MS + 1);
    await people.invite(owner, email);
  });

  it('says how to stop them: then no account can invite the address', async () => {
    const owner = await people.signUp();
    const email = newEmail();
    await people.invite(owner, email);
    await people.mailedTo(email);
    const raw = running.smtp.mails.findLast(({ to }) => to === email)?.raw.replaceAll('=\n', '') ?? '';
    const token = /\/v1\/mail\/stop\?link=(?:3D)?([\w.-]+)/.exec(raw.replaceAll('=3D', '='))?.[1] ?? '';
    expect(token).toMatch(/^i\./);
    await running.call(identity.stopEventMails, { token }, testContext());
    await running.call(identity.stopEventMails, { token }, testContext());
    await fails(people.invite(await people.signUp(), email), 'invitations_stopped');
    await fails(people.invite(owner, email), 'invitations_stopped');
  });

  it(`is refused beyond ${MAX_PEOPLE} people and invitations`, async () => {
    const owner = await people.signUp();
    for (let at = 1; at < MAX_PEOPLE; at += 1) {
      if (at % 20 === 0) running.clock.advance(DAY_MS + 1);
      await people.invite(owner, newEmail());
    }
    running.clock.advance(DAY_MS + 1);
    await fails(people.invite(owner, newEmail()), 'invitation_limit');
  });

  it('is of no use once its account is closed, or who made it is gone', async () => {
    const owner = await people.signUp();
    const other = await people.join(owner, newEmail(), 'owner');
    const [ofOther, ofOwner] = [newEmail(), newEmail()];
    await people.invite(other, ofOther);
    await people.invite(owner, ofOwner);
    const [first, second] = [await people.mailedTo(ofOther), await people.mailedTo(ofOwner)];
    await people.remove(owner, other.personId, 'end');
    await fails(people.accept(first), 'code_expired');
    await createOperations(running).setStatus(owner.email, 'closed');
    await fails(people.accept(second), 'account_closed');
  });
});
