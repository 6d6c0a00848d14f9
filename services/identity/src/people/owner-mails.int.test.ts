import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { createOperations } from '../test-support/identity-operations.ts';
import { createPeople } from '../test-support/people.ts';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

let running: TestIdentity;
let people: ReturnType<typeof createPeople>;
beforeAll(async () => {
  running = await startIdentity();
  people = createPeople(running);
});
afterAll(() => running?.stop());

const newEmail = () => `${randomUUID()}@example.com`;

describe('a change of owners', () => {
  it('is mailed to each owner of before, once, also to who was removed, and to no member', async () => {
    const owner = await people.signUp();
    const member = await people.join(owner, newEmail());
    const thief = await people.join(owner, newEmail(), 'owner');
    await eventually(() =>
      expect(people.peopleMailsTo(owner.email).toSorted()).toEqual([
        'An owner has joined your account',
        'An owner was invited to your account',
      ]),
    );
    await people.change(thief, member.personId, { role: 'owner' });
    await people.change(thief, member.personId, { role: 'member' });
    await eventually(() =>
      expect(people.peopleMailsTo(member.email).toSorted()).toEqual([
        'An owner of your account is one no more',
        'Your account has another owner',
      ]),
    );
    await people.remove(thief, owner.personId, 'end');
    await eventually(() =>
      expect(people.peopleMailsTo(owner.email).slice(2).toSorted()).toEqual([
        'An owner of your account is one no more',
        'You are in an account no more',
        'Your account has another owner',
      ]),
    );
    await eventually(() => expect(people.peopleMailsTo(thief.email)).toHaveLength(3));
    expect(people.peopleMailsTo(member.email)).toHaveLength(2);
    await people.remove(thief, member.personId, 'end');
    await eventually(() =>
      expect(people.peopleMailsTo(member.email).at(-1)).toBe('You are in an account no more'),
    );
  });
});

describe('the mail to who is in an account no more', () => {
  const textTo = (email: string) =>
    eventually(() => {
      const mail = running.smtp.mails.findLast(
        ({ to, raw }) => to === email && raw.includes('Subject: You are in an account no more'),
      );
      if (!mail) throw new Error(`no mail for ${email}`);
      // Without what keeps mail programs from making links of addresses.
      return mail.raw.replaceAll('=\n', '').replaceAll('=E2=81=A0', '');
    });

  it('names who has their work from now on: who removed them, or the oldest owner if they left', async () => {
    const first = await people.signUp();
    const [owner, removed, left] = [
      await people.join(first, newEmail(), 'owner'),
      await people.join(first, newEmail()),
      await people.join(first, newEmail(), 'owner'),
    ];
    await people.remove(owner, removed.personId, 'pass_on');
    await people.remove(left, left.personId, 'pass_on');
    expect(await textTo(removed.email)).toContain(`you began there belong to "${owner.email}"`);
    expect(await textTo(left.email)).toContain(`you began there belong to "${first.email}"`);
  });
});

describe('the end of an account', () => {
  it('keeps the address of none but its own from signing up', async () => {
    const owner = await people.signUp();
    const member = await people.join(owner, newEmail());
    await createOperations(running).setStatus(owner.email, 'closed');
    expect((await people.signIn(member.email)).accountId).not.toBe(owner.accountId);
    await expect(people.signIn(owner.email)).rejects.toBeDefined();
  });
});
