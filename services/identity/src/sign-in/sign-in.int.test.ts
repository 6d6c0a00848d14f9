import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { identity } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { createOperations } from '../test-support/identity-operations.ts';
import { CLIENT_ADDRESS, newSecrets, verifyRequest } from '../test-support/sign-in-requests.ts';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity();
});
afterAll(() => running.stop());

const newEmail = () => `${randomUUID()}@example.com`;
const count = async (sql: string, ...values: unknown[]): Promise<number> =>
  Number((await running.kit().db.query(`SELECT count(*) FROM ${sql}`, values)).rows[0].count);
const listEvents = async (accountId: string): Promise<string[]> => {
  const { rows } = await running
    .kit()
    .db.query(`SELECT subject FROM messaging.outbox WHERE payload ->> 'accountId' = $1`, [accountId]);
  return rows.map(({ subject }) => subject).toSorted();
};
const sessionOpened = 'evt.identity.session-opened.v1';
/** Events of a new account with one session. */
const opened = ['evt.identity.account-created.v1', 'evt.identity.key-created.v1', sessionOpened];

describe('signing up', () => {
  it('exchanges a code for an account, a session and the first key', async () => {
    const email = newEmail();
    const secrets = newSecrets();
    const reply = await running.verify(email, await running.askForCode(email), secrets);
    expect(reply.firstKey).toMatchObject({ name: 'default' });
    const { accountId } = reply;
    const asKey = await running.call(identity.authenticateKey, { keyDigest: secrets.keyDigest }, testContext());
    const asSession = await running.call(identity.authenticateSession, secrets, testContext());
    const expected = { accountId, status: 'active', tier: 'free', dailyCreditCap: null };
    expect(asKey).toMatchObject({ ...expected, keyId: reply.firstKey?.id });
    expect(asSession).toMatchObject({ ...expected, keyId: null });
    expect(await listEvents(accountId)).toEqual(opened);
    expect(await count('audit_entries WHERE account_id = $1', accountId)).toBe(3);
  });

  it('again, with another spelling, gives one account, another session and no second first key', async () => {
    const email = newEmail();
    const first = await running.signUp(email);
    const spelling = `  ${email.toUpperCase().replace('EXAMPLE', 'ＥＸＡＭＰＬＥ')} `;
    const secrets = newSecrets();
    const again = await running.verify(spelling, await running.askForCode(email), secrets);
    expect(again).toMatchObject({ accountId: first.accountId, firstKey: null });
    expect(await count('sessions WHERE account_id = $1', first.accountId)).toBe(2);
    expect(await listEvents(first.accountId)).toEqual([...opened, sessionOpened]);
    const refused = running.call(identity.authenticateKey, { keyDigest: secrets.keyDigest }, testContext());
    await expect(refused).rejects.toMatchObject({ code: 'invalid_api_key' });
  });

  it('gives no new first key after the first one was revoked', async () => {
    const first = await running.signUp();
    await createOperations(running).revokeKey(first.keyId);
    const again = await running.verify(first.email, await running.askForCode(first.email));
    expect(again.firstKey).toBeNull();
  });

  it('in parallel with one code gives one session and one key; the others learn that the code is used', async () => {
    const email = newEmail();
    const code = await running.askForCode(email);
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => running.verify(email, code)));
    const won = results.filter((result) => result.status === 'fulfilled');
    const lost = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason.code);
    expect(won).toHaveLength(1);
    expect(lost).toEqual(['code_used', 'code_used', 'code_used']);
    const { accountId } = won[0]!.value;
    expect(await count('sessions WHERE account_id = $1', accountId)).toBe(1);
    expect(await count('api_keys WHERE account_id = $1', accountId)).toBe(1);
    expect(await listEvents(accountId)).toEqual(opened);
  });

  it('rejects a sixth account of one mailbox, and says so only to a caller with the code', async () => {
    const name = randomUUID();
    for (let index = 0; index < 5; index += 1) await running.signUp(`${name}+${index}@example.com`);
    const sixth = `${name}+5@example.com`;
    const code = await running.askForCode(sixth);
    await expect(running.verify(sixth, code)).rejects.toMatchObject({
      code: 'signup_rate_limited',
      data: { retryAfterSeconds: 86_400 },
    });
    await expect(running.verify(sixth, code)).rejects.toMatchObject({ code: 'code_used' });
    await expect(running.signUp(`${name}+0@example.com`)).resolves.toMatchObject({ keyId: '' });
  });
});

describe('a code', () => {
  it('is not spent if the terms are not accepted', async () => {
    const email = newEmail();
    const code = await running.askForCode(email);
    const refused = running.verify(email, code, newSecrets(), { acceptTerms: false });
    await expect(refused).rejects.toMatchObject({ code: 'terms_required' });
    await expect(running.verify(email, code)).resolves.toBeDefined();
  });

  it('works for ten minutes', async () => {
    const [inTime, late] = [newEmail(), newEmail()];
    const [code, lateCode] = [await running.askForCode(inTime), await running.askForCode(late)];
    running.clock.advance(10 * 60_000 - 1);
    await expect(running.verify(inTime, code)).resolves.toBeDefined();
    running.clock.advance(1);
    await expect(running.verify(late, lateCode)).rejects.toMatchObject({ code: 'code_expired' });
  });

  it('is replaced by a newer one', async () => {
    const email = newEmail();
    const older = await running.askForCode(email);
    const newer = await running.askForCode(email);
    // Equal once in a million: then the two cannot be compared.
    if (older !== newer) {
      await expect(running.verify(email, older)).rejects.toMatchObject({ code: 'invalid_code' });
    }
    await expect(running.verify(email, newer)).resolves.toBeDefined();
  });

  it('that is wrong gets the same answer whether the address has no code, a code, an account or a lock', async () => {
    const [none, asked, signedIn] = [newEmail(), newEmail(), await running.signUp()];
    await running.askForCode(asked);
    const answers = async (email: string) => {
      const codes: string[] = [];
      for (const code of ['000000', '000001', '000002', '000003', '000004', '000005'])
        codes.push(await running.verify(email, code).catch((error) => error.code));
      return codes;
    };
    const alike = [...Array<string>(5).fill('invalid_code'), 'code_locked'];
    for (const email of [none, asked, signedIn.email]) expect(await answers(email)).toEqual(alike);
  });

  it('with a proof by a key that identity lacks does not count as a wrong guess', async () => {
    const email = newEmail();
    const code = await running.askForCode(email);
    const codeProof = `other.${'A'.repeat(43)}`;
    for (let index = 0; index < 6; index += 1) {
      const refused = running.verify(email, code, newSecrets(), { codeProof });
      await expect(refused).rejects.toMatchObject({ code: 'service_unavailable' });
    }
    await expect(running.verify(email, code)).resolves.toBeDefined();
  });

  it('cannot be taken off the bus: its proof fails with other secrets', async () => {
    const email = newEmail();
    const code = await running.askForCode(email);
    const { codeProof } = verifyRequest(email, code, newSecrets());
    const stolen = running.verify(email, '', newSecrets(), { codeProof });
    await expect(stolen).rejects.toMatchObject({ code: 'invalid_code' });
    await expect(running.verify(email, code)).resolves.toBeDefined();
  });
});

describe('a request for a code', () => {
  it('does not distinguish new, known, frozen and closed addresses', async () => {
    const [known, frozen, closed] = [await running.signUp(), await running.signUp(), await running.signUp()];
    await createOperations(running).setStatus(frozen.email, 'frozen');
    await createOperations(running).setStatus(closed.email, 'closed');
    const codes: string[] = [];
    for (const email of [newEmail(), known.email, frozen.email]) {
      codes.push(await running.askForCode(email));
      const wrong = codes.at(-1) === '000000' ? '000001' : '000000';
      await expect(running.verify(email, wrong)).rejects.toMatchObject({ code: 'invalid_code' });
    }
    // Only the mail to a closed address says that no code can sign in.
    const asked = { email: closed.email, clientAddress: CLIENT_ADDRESS };
    await expect(running.call(identity.requestCode, asked, testContext())).resolves.toBeDefined();
    await expect(running.verify(closed.email, '000000')).rejects.toMatchObject({ code: 'invalid_code' });
    await expect(running.verify(frozen.email, codes[2] ?? '')).resolves.toBeDefined();
  });

  it('of a closed account is refused as closed with the right code', async () => {
    const { email } = await running.signUp();
    const code = await running.askForCode(email);
    await createOperations(running).setStatus(email, 'closed');
    await expect(running.verify(email, code)).rejects.toMatchObject({ code: 'account_closed' });
    await expect(running.verify(email, code)).rejects.toMatchObject({ code: 'code_used' });
  });

  it.each([
    ['a@b\r\nBcc:', 'invalid_email'],
    ['a@b.com\r\nBcc: c@d.com', 'invalid_email'],
    ['no-address', 'invalid_email'],
    ['a@mailinator.com', 'disposable_email'],
    ['a@x.mailinator.com', 'disposable_email'],
    ['a@alias.example', 'disposable_email'],
  ])('for %j is rejected with %s', async (email, code) => {
    const asked = running.call(identity.requestCode, { email, clientAddress: CLIENT_ADDRESS }, testContext());
    await expect(asked).rejects.toMatchObject({ code });
  });

  it('reaches a disposable address that has an account', async () => {
    for (const email of ['owner@mailinator.com', 'owner@alias.example']) {
      const text =
        'INSERT INTO accounts (id, email, mailbox, created_at) VALUES (gen_random_uuid(), $1, $1, now())';
      await running.kit().db.query(text, [email]);
      expect(await running.askForCode(email)).toMatch(/^[0-9]{6}$/);
    }
  });
});
