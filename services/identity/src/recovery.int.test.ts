import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { identity, type MailChoices } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import type { ListenerContext } from '@tds/messaging';
import { stopsOf } from './mails/stop-token.ts';
import * as recovery from './recovery.ts';
import { createAppClient } from './test-support/connected-apps.ts';
import { createOperations, createTestDeps } from './test-support/identity-operations.ts';
import { createKeyClient, works } from './test-support/keys-of-account.ts';
import { CLIENT_ADDRESS, newSecrets } from './test-support/sign-in-requests.ts';
import { startIdentity, type TestIdentity } from './test-support/start-identity.ts';

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity();
});
afterAll(() => running?.stop());

const DAY_MS = 86_400_000;
/** Of the event; only its request is read. */
const context = () => ({ ...testContext(), requestId: randomUUID() }) as unknown as ListenerContext;
type Table = 'accounts' | 'api_keys' | 'sessions' | 'people';
const read = async (table: Table, id: string) =>
  (await running.kit().db.query(`SELECT * FROM ${table} WHERE id = $1`, [id])).rows[0];
/** Resets a row to an earlier state, as in an older copy of the database. */
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
const listEmitted = async (name: string, id: string) => {
  const { rows } = await running.kit().db.query(
    `SELECT payload FROM messaging.outbox WHERE subject = 'evt.identity.' || $2 || '.v1'
       AND $1 IN (payload ->> 'keyId', payload ->> 'accountId') ORDER BY id`,
    [id, name],
  );
  return rows.map(({ payload }) => payload);
};
const toPhase = (accountId: string, keyId: string) =>
  running.call(identity.getKeyPhase, { accountId, keyId }, testContext());
const signUp = async () => {
  const account = await running.signUp();
  return { ...account, session: createKeyClient(running, account.accountId), deps: createTestDeps(running) };
};

describe('an older copy of the database', () => {
  it('lets no app work again that was disconnected, by its access token or a refresh', async () => {
    const holder = await running.signUp();
    const [deps, apps] = [createTestDeps(running), createAppClient(running)];
    const { id: keyId, grantId } = await apps.connect(holder);
    const token = await apps.issue(grantId);
    const before = await read('api_keys', keyId);
    await apps.end(holder, keyId);
    await putBack('api_keys', before);
    await apps.save('RefreshToken', grantId, { grantId });
    expect(await works(running, token)).toBe(true);
    const [event] = await listEmitted('key-revoked', keyId);
    await recovery.keyRevoked.run(deps, event, context());
    expect(await works(running, token)).toBe(false);
    expect(await apps.find('RefreshToken', grantId)).toBeNull();
    expect(await toPhase(holder.accountId, keyId)).toMatchObject({ phase: 'revoked' });
  });

  it.each([
    [true, 'revoked'],
    [false, 'retired'],
  ] as const)('lets no key work again that was revoked (at once: %s)', async (atOnce, phase) => {
    const { accountId, keyId, keyDigest, deps } = await signUp();
    const before = await read('api_keys', keyId);
    await createOperations(running).revokeKey(keyId);
    await putBack('api_keys', before);
    expect(await works(running, keyDigest)).toBe(true);
    const event = { accountId, keyId, keyDigest, atOnce };
    await recovery.keyRevoked.run(deps, event, context());
    await recovery.keyRevoked.run(deps, event, context());
    expect(await works(running, keyDigest)).toBe(false);
    expect(await toPhase(accountId, keyId)).toMatchObject({ phase });
    expect(await listEmitted('key-revoked', keyId)).toHaveLength(2);
  });

  it('does not return a lost cap or life to a key, and continues with higher versions', async () => {
    const { accountId, keyId, keyDigest, session, deps } = await signUp();
    const before = await read('api_keys', keyId);
    await session.update(keyId, { dailyCreditCap: 9 });
    await session.update(keyId, { dailyCreditCap: 2 });
    await session.revoke(keyId, 24);
    const emitted = await listEmitted('key-changed', keyId);
    await putBack('api_keys', before);
    for (const one of [...emitted, ...emitted.toReversed()])
      await recovery.keyChanged.run(deps, one, context());
    expect(await toPhase(accountId, keyId)).toMatchObject({ phase: 'ending', dailyCreditCap: 2 });
    await session.update(keyId, { name: 'later' });
    expect((await listEmitted('key-changed', keyId)).at(-1).keyVersion).toBeGreaterThan(
      emitted.at(-1).keyVersion,
    );
    running.clock.advance(DAY_MS);
    expect(await works(running, keyDigest)).toBe(false);
  });

  it('gets the last emitted status of accounts, and the next one is newer', async () => {
    const { accountId, email, keyDigest, deps } = await signUp();
    const before = await read('accounts', accountId);
    for (const status of ['frozen', 'active', 'frozen'] as const)
      await createOperations(running).setStatus(email, status);
    const emitted = await listEmitted('account-status-changed', accountId);
    await putBack('accounts', before);
    for (const one of [...emitted, ...emitted]) await recovery.accountStatusChanged.run(deps, one, context());
    expect(await running.call(identity.authenticateKey, { keyDigest }, testContext())).toMatchObject({
      status: 'frozen',
    });
    await createOperations(running).setStatus(email, 'active');
    expect((await listEmitted('account-status-changed', accountId)).at(-1).version).toBeGreaterThan(
      emitted.at(-1).version,
    );
  });

  it('mails nothing again that its holder ended, also by the link of a mail, and the next choice is newer', async () => {
    const { accountId, deps } = await signUp();
    const choose = (choices: Partial<MailChoices>) =>
      running.call(identity.changeMailChoices, { accountId, choices }, testContext());
    await choose({ time_zone: 'Asia/Tokyo' });
    const before = await read('people', accountId);
    await choose({ digest_hour: 5 });
    const token = stopsOf(deps.vault.stopKey, accountId, deps.now()).all.path.split('=').at(-1) ?? '';
    await running.call(identity.stopEventMails, { token }, testContext());
    const emitted = await listEmitted('mail-choices-changed', accountId);
    await putBack('people', before);
    for (const one of [...emitted, ...emitted.toReversed()])
      await recovery.mailChoicesChanged.run(deps, one, context());
    expect(await choose({})).toMatchObject({ time_zone: 'Asia/Tokyo', digest_hour: 5, event_mails: false });
    expect(await choose({ event_mails: true })).toMatchObject({ event_mails: true });
    for (const one of emitted) await recovery.mailChoicesChanged.run(deps, one, context());
    expect(await choose({})).toMatchObject({ event_mails: true });
  });

  it('gives an account its newest name again, and an older one never', async () => {
    const { accountId, keyId, deps } = await signUp();
    const by = { keyId: null, personId: accountId, clientAddress: CLIENT_ADDRESS };
    const name = (next: string | null) =>
      running.call(identity.nameAccount, { accountId, by, name: next }, testContext());
    const shown = async () => (await toPhase(accountId, keyId)).accountName;
    const before = await read('accounts', accountId);
    await name('First');
    await name('Second');
    const emitted = await listEmitted('account-named', accountId);
    expect(emitted).toHaveLength(2);
    await putBack('accounts', before);
    expect(await shown()).toBeNull();
    for (const one of [...emitted, ...emitted.toReversed()])
      await recovery.accountNamed.run(deps, one, context());
    expect(await shown()).toBe('Second');
    await name(null);
    for (const one of emitted) await recovery.accountNamed.run(deps, one, context());
    expect(await shown()).toBeNull();
  });

  it('closes an account again, with its keys', async () => {
    const { accountId, email, keyId, deps } = await signUp();
    const [account, key] = [await read('accounts', accountId), await read('api_keys', keyId)];
    await createOperations(running).setStatus(email, 'closed');
    await putBack('accounts', account);
    await putBack('api_keys', key);
    for (const one of await listEmitted('account-status-changed', accountId))
      await recovery.accountStatusChanged.run(deps, one, context());
    expect(await toPhase(accountId, keyId)).toMatchObject({
      accountStatus: 'closed',
      phase: 'revoked',
    });
  });

  it.each(['logout', 'one by one', 'all others'])('ends sessions again that were ended by %s', async (how) => {
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
    const emitted = await listEmitted('sessions-ended', accountId);
    for (const one of [...emitted, ...emitted]) await recovery.sessionsEnded.run(deps, one, context());
    expect(await isIn()).toBe(false);
    const others = await running.call(identity.listSessions, asking, testContext());
    expect(others.sessions).toHaveLength(1);
  });

  it('keeps the end of keys beyond a lower tier, and keeps them if the tier had returned', async () => {
    const { accountId, email, session, deps } = await signUp();
    await createOperations(running).setTier(email, 'paid');
    const keys = [await session.create(), await session.create()];
    const last = keys[1]?.id ?? '';
    const paid = await read('api_keys', last);
    await createOperations(running).setTier(email, 'free');
    const fallen = await listEmitted('key-changed', last);
    const free = await read('api_keys', last);
    await putBack('api_keys', paid);
    for (const one of fallen) await recovery.keyChanged.run(deps, one, context());
    expect(await toPhase(accountId, last)).toMatchObject({ phase: 'ending' });
    expect(await read('api_keys', last)).toMatchObject({ over_limit: true });
    await putBack('api_keys', free);
    await createOperations(running).setTier(email, 'paid');
    const risen = (await listEmitted('key-changed', last)).slice(fallen.length);
    await putBack('api_keys', free);
    for (const one of risen) await recovery.keyChanged.run(deps, one, context());
    expect(await toPhase(accountId, last)).toMatchObject({ phase: 'active' });
  });

  it('ignores events that are unknown or old', async () => {
    const { accountId, keyId, keyDigest, deps } = await signUp();
    const before = [await read('accounts', accountId), await read('api_keys', keyId)];
    const unknown = { accountId: randomUUID(), keyId: randomUUID(), keyDigest, atOnce: true };
    await recovery.keyRevoked.run(deps, unknown, context());
    await recovery.keyChanged.run(
      deps,
      { ...unknown, keyVersion: 9, keyState: 'ending', dailyCreditCap: 1 },
      context(),
    );
    await recovery.accountStatusChanged.run(deps, { ...unknown, status: 'closed', version: 9 }, context());
    await recovery.accountStatusChanged.run(deps, { accountId, status: 'closed', version: 0 }, context());
    expect([await read('accounts', accountId), await read('api_keys', keyId)]).toEqual(before);
  });
});
