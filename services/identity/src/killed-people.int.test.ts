import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestPool } from '@tds/base/testing';
import { testContext } from '@tds/kit/testing';
import { doomedProcesses, dueRows, eventually } from '@tds/test-kit';
import { works } from './test-support/keys-of-account.ts';
import { createPeople } from './test-support/people.ts';
import { newSecrets } from './test-support/sign-in-requests.ts';
import { startIdentity, type TestIdentity } from './test-support/start-identity.ts';

let running: TestIdentity;
let people: ReturnType<typeof createPeople>;
let admin: ReturnType<typeof createTestPool>;
let survivor: ReturnType<typeof doomed.launch> | undefined;
let stop = async () => {};
/** A caller that is gone sends its command to no other process. */
let caller = new AbortController();
const doomed = doomedProcesses(path.resolve(import.meta.dirname, 'main.ts'), () => ({
  ...running.environment,
  MAIL_DNS: 'off',
}));
beforeAll(async () => {
  running = await startIdentity();
  stop = running.stopService;
  people = createPeople(running, () => testContext({ signal: caller.signal }));
  admin = createTestPool(running.adminUrl);
});
/** The other processes are gone before the service of this one is back, which answers before the next test calls it. */
afterEach(async () => {
  survivor?.kill('SIGKILL');
  stop = (await running.startAt(running.clock)).stop;
  await untilReady();
});
afterAll(async () => {
  doomed.stop();
  await admin?.end();
  await running?.stop();
});

const newEmail = () => `${randomUUID()}@example.com`;
const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    ({ code }) => code,
  );
/** While no process lives: it would take the lease of a sender. */
const hurry = async () => {
  const rows = dueRows('identity', (text, values) => admin.query(text, values));
  await rows.endLeases('messaging.tasks');
  await rows.makeDue('messaging.tasks', { where: "state = 'ready'" });
};
const nobody = { accountId: randomUUID(), personId: randomUUID(), sessionDigest: '', email: '' };
const untilReady = () => eventually(() => people.list(nobody));
const leave = () => {
  caller.abort();
  caller = new AbortController();
};
const continueAfter = async () => {
  leave();
  await hurry();
  survivor = doomed.launch();
  await untilReady();
};

/** A change that was committed, and whose caller gets no answer. */
const dieAfterCommit = async (command: string, change: () => Promise<unknown>) => {
  await stop();
  await doomed.dieAt(`transaction-committed:${command}`, change);
  await continueAfter();
};

/** A statement of its transaction waits for a lock when the process dies. */
const dieBeforeCommit = async (change: () => Promise<unknown>) => {
  await stop();
  const dying = doomed.launch();
  await untilReady();
  const lock = await admin.connect();
  try {
    await lock.query('BEGIN');
    await lock.query('LOCK TABLE audit_entries IN EXCLUSIVE MODE');
    void change().catch(() => {});
    await eventually(async () => {
      const { rows } = await admin.query(
        `SELECT FROM pg_locks WHERE NOT granted AND relation = 'audit_entries'::regclass`,
      );
      expect(rows).toHaveLength(1);
    });
    dying.kill('SIGKILL');
  } finally {
    await lock.query('ROLLBACK');
    lock.release();
  }
  await continueAfter();
};

const mailsTo = (email: string) => running.smtp.mails.filter(({ to }) => to === email);
const idsOfMails = (email: string) =>
  new Set(mailsTo(email).map(({ raw }) => /Message-ID: (\S+)/.exec(raw)?.[1]));
const noTasks = () =>
  eventually(async () => {
    const { rows } = await admin.query(`SELECT FROM messaging.tasks WHERE state <> 'done'`);
    expect(rows).toEqual([]);
  });

describe('a process that dies while it invites', () => {
  it('has invited nobody before the commit, and mails once after it', async () => {
    const owner = await people.signUp();
    const [lost, kept] = [newEmail(), newEmail()];
    await dieBeforeCommit(() => people.invite(owner, lost));
    expect((await people.list(owner)).invitations).toEqual([]);
    survivor?.kill('SIGKILL');
    await dieAfterCommit('invite-person', () => people.invite(owner, kept));
    await people.accept(await people.mailedTo(kept));
    await noTasks();
    expect([mailsTo(lost), mailsTo(kept)]).toMatchObject([[], { length: 1 }]);
  });

  it('with the mail at the mail server sends it again with the same id', async () => {
    const owner = await people.signUp();
    const email = newEmail();
    running.smtp.recipientAnswer = '451 later';
    await people.invite(owner, email);
    await eventually(async () => {
      const { rows } = await admin.query(
        `SELECT FROM messaging.tasks WHERE state = 'ready' AND attempts = 1 AND lease_until IS NULL`,
      );
      expect(rows).toHaveLength(1);
    });
    running.smtp.recipientAnswer = '250 fine';
    await stop();
    await hurry();
    await doomed.dieAt('invitation-mailed:send-invitation');
    expect(mailsTo(email)).toHaveLength(1);
    await continueAfter();
    await noTasks();
    expect([mailsTo(email).length, idsOfMails(email).size]).toEqual([2, 1]);
  });
});

describe('a process that dies while an invitation is accepted', () => {
  it('has spent it with the person in the account, or not at all', async () => {
    const owner = await people.signUp();
    const email = newEmail();
    await people.invite(owner, email);
    const invitation = await people.mailedTo(email);
    await dieBeforeCommit(() => people.accept(invitation));
    expect(await people.list(owner)).toMatchObject({ people: { length: 1 }, invitations: { length: 1 } });
    survivor?.kill('SIGKILL');
    const secrets = newSecrets();
    await dieAfterCommit('accept-invitation', () => people.accept(invitation, secrets));
    expect(await people.list(owner)).toMatchObject({ people: { length: 2 }, invitations: [] });
    expect(await rejection(people.accept(invitation))).toBe('code_used');
    expect((await people.signIn(email)).accountId).toBe(owner.accountId);
  });
});

describe('a process that dies while a person is removed', () => {
  it.each([
    ['end', 'revoked'],
    ['pass_on', 'retired'],
  ] as const)(
    'has removed all of the person or nothing, and ends the work by choice: %s',
    async (work, phase) => {
      const owner = await people.signUp();
      const member = await people.join(owner, newEmail());
      const key = await people.createKey(member);
      const removal = () => people.remove(owner, member.personId, work);
      await dieBeforeCommit(removal);
      expect((await people.list(owner)).people).toHaveLength(2);
      expect(await works(running, key.keyDigest)).toBe(true);
      expect(await people.whoIs(member.sessionDigest)).toMatchObject({ role: 'member' });
      survivor?.kill('SIGKILL');
      await dieAfterCommit('remove-person', removal);
      expect((await people.list(owner)).people).toHaveLength(1);
      expect(await works(running, key.keyDigest)).toBe(false);
      expect(await rejection(people.whoIs(member.sessionDigest))).toBe('session_required');
      expect(await people.phase(owner, key.id)).toBe(phase);
      expect(await rejection(removal())).toBe('person_not_found');
      await eventually(async () => {
        const { rows } = await admin.query(
          `SELECT split_part(subject, '.', 3) AS name FROM messaging.outbox
         WHERE published_at IS NOT NULL AND (payload ->> 'keyId' = $1 OR (payload ->> 'isRemoved')::boolean AND payload ->> 'personId' = $2)`,
          [key.id, member.personId],
        );
        const names = rows.map(({ name }) => name).filter((name) => name !== 'key-created');
        expect(names.toSorted()).toEqual(['key-revoked', 'person-changed']);
      });
    },
  );
});
