import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { identity } from '@tds/contracts';
import { holdTask, testContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { CLIENT_ADDRESS } from './test-support/sign-in-requests.ts';
import { startIdentity, type TestIdentity } from './test-support/start-identity.ts';

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity();
});
afterAll(() => running.stop());

const newEmail = () => `${randomUUID()}@example.com`;
const mailsTo = (email: string) => running.smtp.mails.filter(({ to }) => to === email);
const readChallenge = async (email: string): Promise<string> =>
  (await running.kit().db.query('SELECT challenge_id FROM sign_in_addresses WHERE email = $1', [email])).rows[0]
    .challenge_id;
const ask = (email: string) =>
  running.call(identity.requestCode, { email, clientAddress: CLIENT_ADDRESS }, testContext());
/** Runs the task again, as a queue may. */
const repeat = async (challengeId: string) => {
  const { context } = await holdTask(running.kit().db, identity.sendCodeMail, { challengeId });
  await running.handlers().tasks.sendCodeMail({ challengeId }, context);
};
const readTask = async (challengeId: string) =>
  (
    await running
      .kit()
      .db.query(`SELECT * FROM messaging.tasks WHERE payload ->> 'challengeId' = $1`, [challengeId])
  ).rows[0];

describe('the mail with the code', () => {
  it('is sent once if the task is delivered twice', async () => {
    const email = newEmail();
    await running.askForCode(email);
    const challengeId = await readChallenge(email);
    await eventually(async () => expect(await readTask(challengeId)).toMatchObject({ state: 'done' }));
    await repeat(challengeId);
    expect(mailsTo(email)).toHaveLength(1);
    expect(await readTask(challengeId)).toMatchObject({ payload: { challengeId } });
  });

  it('has a plain and an HTML part, the code only in the body, and an id that identifies duplicates', async () => {
    const email = newEmail();
    const code = await running.askForCode(email);
    const [{ raw } = { raw: '' }] = mailsTo(email);
    const [head = ''] = raw.split('\n\n');
    expect(head).toContain('Subject: Your sign-in code\n');
    expect(head).toContain(`Message-ID: <${await readChallenge(email)}@localhost>`);
    expect(head).not.toContain(code);
    expect(raw).toContain('text/plain');
    expect(raw).toContain('text/html');
  });

  it('is not sent for a code that is replaced, used or expired', async () => {
    const email = newEmail();
    await running.askForCode(email);
    const replaced = await readChallenge(email);
    const code = await running.askForCode(email);
    const newest = await readChallenge(email);
    await running.verify(email, code);
    await running.kit().db.query('UPDATE sign_in_addresses SET mailed_at = NULL WHERE email = $1', [email]);
    const before = mailsTo(email).length;
    await repeat(replaced);
    await repeat(newest);
    const other = newEmail();
    await running.askForCode(other);
    await running.kit().db.query('UPDATE sign_in_addresses SET mailed_at = NULL WHERE email = $1', [other]);
    running.clock.advance(10 * 60_000);
    await repeat(await readChallenge(other));
    expect(mailsTo(email)).toHaveLength(before);
    expect(mailsTo(other)).toHaveLength(1);
  });

  it('is retried if the mail server cannot accept it now', async () => {
    const email = newEmail();
    running.smtp.recipientAnswer = '451 try again';
    await ask(email);
    const challengeId = await readChallenge(email);
    await eventually(async () =>
      expect(await readTask(challengeId)).toMatchObject({ attempts: 1, state: 'ready' }),
    );
    running.smtp.recipientAnswer = '250 fine';
    await eventually(() => expect(mailsTo(email)).toHaveLength(1));
  });

  it('is given up at once if the mail server never accepts it', async () => {
    const email = newEmail();
    running.smtp.recipientAnswer = '550 no such mailbox';
    await ask(email);
    const challengeId = await readChallenge(email);
    await eventually(async () =>
      expect(await readTask(challengeId)).toMatchObject({ attempts: 1, state: 'done' }),
    );
    running.smtp.recipientAnswer = '250 fine';
    expect(mailsTo(email)).toHaveLength(0);
  });
});
