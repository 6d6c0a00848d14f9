import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { identity } from '@tds/contracts';
import { testContext } from '@tds/service-kit/testing';
import { depsOf, operationsOf } from '../test-support/identity-operations.ts';
import { keysOf, works } from '../test-support/keys-of-account.ts';
import { newSecrets } from '../test-support/sign-in-requests.ts';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';
import {
  retakeAccountStatus,
  retakeKeyChanged,
  retakeKeyRevoked,
  retakeSessionsEnded,
} from './retake-lost-events.ts';

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity();
});
afterAll(() => running?.stop());

const DAY_MS = 86_400_000;
type Table = 'accounts' | 'api_keys' | 'sessions';
const read = async (table: Table, id: string) =>
  (await running.kit().db.query(`SELECT * FROM ${table} WHERE id = $1`, [id])).rows[0];
/** Puts a row back to what it was: as an older copy of the database has it. */
const putBack = async (table: Table, before: Record<string, unknown>) => {
  const columns = Object.keys(before);
  await running
    .kit()
    .db.query(
      `UPDATE ${table} SET (${columns.join(', ')}) = ROW (${columns.map((_, at) => `$${at + 1}`).join(', ')}) WHERE id = $1`,
      [before.id, ...Object.entries(before).flatMap(([name, value]) => (name === 'id' ? [] : [value]))],
    );
};
const insertAgain = async (row: Record<string, unknown>) => {
  const columns = Object.keys(row);
  await running
    .kit()
    .db.query(
      `INSERT INTO sessions (${columns.join(', ')}) VALUES (${columns.map((_, at) => `$${at + 1}`).join(', ')})`,
      Object.values(row),
    );
};
const toldOf = async (name: string, id: string) => {
  const { rows } = await running.kit().db.query(
    `SELECT payload FROM messaging.outbox WHERE subject = 'evt.identity.' || $2 || '.v1'
       AND $1 IN (payload ->> 'keyId', payload ->> 'accountId') ORDER BY id`,
    [id, name],
  );
  return rows.map(({ payload }) => payload);
};
const standingOf = (accountId: string, keyId: string) =>
  running.call(identity.getKeyStanding, { accountId, keyId }, testContext());
const signUp = async () => {
  const account = await running.signUp();
  return { ...account, session: keysOf(running, account.accountId), deps: depsOf(running) };
};

describe('an older copy of the database', () => {
  it.each([
    [true, 'revoked'],
    [false, 'retired'],
  ] as const)('lets no key work again that was revoked (at once: %s)', async (atOnce, standing) => {
    const { accountId, keyId, keyDigest, deps } = await signUp();
    const before = await read('api_keys', keyId);
    await operationsOf(running).revokeKey(keyId);
    await putBack('api_keys', before);
    expect(await works(running, keyDigest)).toBe(true);
    const told = { accountId, keyId, keyDigest, atOnce };
    await retakeKeyRevoked(deps, told, randomUUID());
    await retakeKeyRevoked(deps, told, randomUUID());
    expect(await works(running, keyDigest)).toBe(false);
    expect(await standingOf(accountId, keyId)).toMatchObject({ standing });
    expect(await toldOf('key-revoked', keyId)).toHaveLength(2);
  });

  it('gives a key back neither the cap nor the life that it has lost, and its versions go on above', async () => {
    const { accountId, keyId, keyDigest, session, deps } = await signUp();
    const before = await read('api_keys', keyId);
    await session.update(keyId, { dailyCreditCap: 9 });
    await session.update(keyId, { dailyCreditCap: 2 });
    await session.revoke(keyId, 24);
    const told = await toldOf('key-changed', keyId);
    await putBack('api_keys', before);
    for (const one of [...told, ...told.toReversed()]) await retakeKeyChanged(deps, one);
    expect(await standingOf(accountId, keyId)).toMatchObject({ standing: 'ending', dailyCreditCap: 2 });
    await session.update(keyId, { name: 'later' });
    expect((await toldOf('key-changed', keyId)).at(-1).keyVersion).toBeGreaterThan(told.at(-1).keyVersion);
    running.clock.advance(DAY_MS);
    expect(await works(running, keyDigest)).toBe(false);
  });

  it('has accounts as they were told last, and what is told next is newer', async () => {
    const { accountId, email, keyDigest, deps } = await signUp();
    const before = await read('accounts', accountId);
    for (const status of ['frozen', 'active', 'frozen'] as const)
      await operationsOf(running).setStatus(email, status);
    const told = await toldOf('account-status-changed', accountId);
    await putBack('accounts', before);
    for (const one of [...told, ...told]) await retakeAccountStatus(deps, one, randomUUID());
    expect(await running.call(identity.authenticateKey, { keyDigest }, testContext())).toMatchObject({
      status: 'frozen',
    });
    await operationsOf(running).setStatus(email, 'active');
    expect((await toldOf('account-status-changed', accountId)).at(-1).version).toBeGreaterThan(
      told.at(-1).version,
    );
  });

  it('closes an account again, with its keys', async () => {
    const { accountId, email, keyId, deps } = await signUp();
    const [account, key] = [await read('accounts', accountId), await read('api_keys', keyId)];
    await operationsOf(running).setStatus(email, 'closed');
    await putBack('accounts', account);
    await putBack('api_keys', key);
    for (const one of await toldOf('account-status-changed', accountId))
      await retakeAccountStatus(deps, one, randomUUID());
    expect(await standingOf(accountId, keyId)).toMatchObject({
      accountStatus: 'closed',
      standing: 'revoked',
    });
  });

  it.each(['logout', 'one by one', 'all others'])(
    'lets no session in again that was ended by %s',
    async (how) => {
      const { accountId, email, sessionDigest, deps } = await signUp();
      const own = newSecrets();
      await running.verify(email, await running.askForCode(email), own);
      const asking = { accountId, sessionDigest: own.sessionDigest };
      const listed = await running.call(identity.listSessions, asking, testContext());
      const sessionId = listed.sessions.find(({ current }) => !current)?.id ?? '';
      const before = await read('sessions', sessionId);
      const end = {
        ...asking,
        sessionId: how === 'all others' ? null : sessionId,
        clientAddress: '192.0.2.1',
      };
      if (how === 'logout') await running.call(identity.endSession, { sessionDigest }, testContext());
      else await running.call(identity.endSessions, end, testContext());
      await insertAgain(before);
      const isIn = () =>
        running.call(identity.authenticateSession, { sessionDigest }, testContext()).then(
          () => true,
          () => false,
        );
      expect(await isIn()).toBe(true);
      const told = await toldOf('sessions-ended', accountId);
      for (const one of [...told, ...told]) await retakeSessionsEnded(deps, one);
      expect(await isIn()).toBe(false);
      const others = await running.call(identity.listSessions, asking, testContext());
      expect(others.sessions).toHaveLength(1);
    },
  );

  it('keeps the end of keys beyond a lower tier, and lets them go on if the tier had come back', async () => {
    const { accountId, email, session, deps } = await signUp();
    await operationsOf(running).setTier(email, 'paid');
    const keys = [await session.create(), await session.create()];
    const last = keys[1]?.id ?? '';
    const paid = await read('api_keys', last);
    await operationsOf(running).setTier(email, 'free');
    const fallen = await toldOf('key-changed', last);
    const free = await read('api_keys', last);
    await putBack('api_keys', paid);
    for (const one of fallen) await retakeKeyChanged(deps, one);
    expect(await standingOf(accountId, last)).toMatchObject({ standing: 'ending' });
    expect(await read('api_keys', last)).toMatchObject({ over_limit: true });
    await putBack('api_keys', free);
    await operationsOf(running).setTier(email, 'paid');
    const risen = (await toldOf('key-changed', last)).slice(fallen.length);
    await putBack('api_keys', free);
    for (const one of risen) await retakeKeyChanged(deps, one);
    expect(await standingOf(accountId, last)).toMatchObject({ standing: 'active' });
  });

  it('is not disturbed by what it does not know or knows already', async () => {
    const { accountId, keyId, keyDigest, deps } = await signUp();
    const before = [await read('accounts', accountId), await read('api_keys', keyId)];
    const nobody = { accountId: randomUUID(), keyId: randomUUID(), keyDigest, atOnce: true };
    await retakeKeyRevoked(deps, nobody, randomUUID());
    await retakeKeyChanged(deps, { ...nobody, keyVersion: 9, keyState: 'ending', dailyCreditCap: 1 });
    await retakeAccountStatus(deps, { ...nobody, status: 'closed', version: 9 }, randomUUID());
    await retakeAccountStatus(deps, { accountId, status: 'closed', version: 0 }, randomUUID());
    expect([await read('accounts', accountId), await read('api_keys', keyId)]).toEqual(before);
  });
});
