import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { identity } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import {
  accountStatusOperation,
  accountTierOperation,
  addOwnerOperation,
  revokeKeyOperation,
  runOperation,
} from './operations.ts';
import { startIdentity, type TestIdentity } from './test-support/start-identity.ts';

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity();
});
afterAll(() => running.stop());

const setStatus = (...words: string[]) => runOperation(accountStatusOperation, words, running.environment);
const setTier = (...words: string[]) => runOperation(accountTierOperation, words, running.environment);
const revoke = (...words: string[]) => runOperation(revokeKeyOperation, words, running.environment);
const byKey = (keyDigest: string) => running.call(identity.authenticateKey, { keyDigest }, testContext());

describe("an operator's commands", () => {
  it('freeze an account by any spelling of its address, and are audited', async () => {
    const { email, keyDigest, accountId } = await running.signUp();
    expect(await setStatus(email.toUpperCase(), 'frozen')).toBe(`The account of ${email} is frozen now.`);
    expect(await setStatus(email, 'frozen')).toBe(`The account of ${email} was frozen already.`);
    await expect(byKey(keyDigest)).resolves.toMatchObject({ status: 'frozen' });
    const { rows } = await running
      .kit()
      .db.query(
        `SELECT action, actor, detail FROM audit_entries WHERE account_id = $1 AND actor = 'operator'`,
        [accountId],
      );
    expect(rows).toEqual([{ action: 'account-status-changed', actor: 'operator', detail: 'frozen' }]);
  });

  it('move an account to another tier, and are audited', async () => {
    const { email, keyDigest, accountId } = await running.signUp();
    expect(await setTier(email, 'paid')).toBe(`The account of ${email} is paid now.`);
    expect(await setTier(email, 'paid')).toBe(`The account of ${email} was paid already.`);
    await expect(byKey(keyDigest)).resolves.toMatchObject({ tier: 'paid' });
    const { rows } = await running
      .kit()
      .db.query(`SELECT action, detail FROM audit_entries WHERE account_id = $1 AND actor = 'operator'`, [
        accountId,
      ]);
    expect(rows).toEqual([{ action: 'account-tier-changed', detail: 'paid' }]);
  });

  it('add an owner to an account, audited and mailed to all owners', async () => {
    const { email, accountId } = await running.signUp();
    const added = `${randomUUID()}@example.com`;
    const add = () => runOperation(addOwnerOperation, [accountId, added], running.environment);
    expect(await add()).toBe(`${added} is an owner of the account ${accountId} now.`);
    await expect(add()).rejects.toThrow('already');
    await eventually(() => {
      for (const to of [email, added])
        expect(
          running.smtp.mails.filter((mail) => mail.to === to && mail.raw.includes('Our support')),
        ).toHaveLength(1);
    });
    const { rows } = await running
      .kit()
      .db.query(`SELECT action, detail FROM audit_entries WHERE account_id = $1 AND actor = 'operator'`, [
        accountId,
      ]);
    expect(rows).toEqual([{ action: 'person-joined', detail: `${added}, owner` }]);
    // Operators' commands use the real clock.
    running.clock.set(new Date());
    const { accountId: opened } = await running.verify(added, await running.askForCode(added));
    expect(opened).toBe(accountId);
  });

  it('revoke a key by its id or its display prefix', async () => {
    const [one, other] = [await running.signUp(), await running.signUp()];
    expect(await revoke(one.keyId)).toBe(`The key ${one.keyId} is revoked.`);
    expect(await revoke(other.key.slice(0, 12))).toBe(`The key ${other.keyId} is revoked.`);
    // Operators' commands use the real clock.
    running.clock.set(new Date());
    await expect(byKey(one.keyDigest)).rejects.toMatchObject({ code: 'invalid_api_key' });
  });

  it('reject an ambiguous key prefix', async () => {
    const [one, other] = [await running.signUp(), await running.signUp()];
    await running
      .kit()
      .db.query(`UPDATE api_keys SET prefix = 'svc_live_===' WHERE id = ANY($1)`, [[one.keyId, other.keyId]]);
    await expect(revoke('svc_live_===')).rejects.toThrow(one.keyId);
    await expect(byKey(one.keyDigest)).resolves.toBeDefined();
  });

  it.each([
    [() => setStatus('no-address'), 'Usage'],
    [() => setStatus('unknown@example.com', 'gone'), 'Usage'],
    [() => setStatus('unknown@example.com', 'frozen'), 'There is no account'],
    [() => setTier('unknown@example.com', 'gold'), 'Usage'],
    [() => setTier('unknown@example.com', 'paid'), 'There is no account'],
    [() => revoke(), 'Usage'],
    [() => runOperation(addOwnerOperation, ['x', 'one@example.com'], running.environment), 'Usage'],
    [
      () => runOperation(addOwnerOperation, [randomUUID(), 'one@example.com'], running.environment),
      'no open account',
    ],
    [() => revoke('svc_live_???'), 'No live key'],
    [() => revoke(randomUUID()), 'There is no live key'],
  ])('report errors (%#)', async (run, sentence) => {
    await expect(run()).rejects.toThrow(sentence);
  });
});
