import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testContext } from '@tds/kit/testing';
import { createOperations } from './test-support/identity-operations.ts';
import { createKeyClient } from './test-support/keys-of-account.ts';
import { startIdentity, type TestIdentity } from './test-support/start-identity.ts';

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity();
});
afterAll(() => running?.stop());

const DAY_MS = 86_400_000;
const run = () => running.handlers().schedules.tellEndedKeys(testContext());
const listEmitted = async (accountId: string) => {
  const { rows } = await running.kit().db.query(
    `SELECT payload ->> 'keyId' AS "keyId", (payload ->> 'atOnce')::boolean AS "atOnce" FROM messaging.outbox
     WHERE subject = 'evt.identity.key-revoked.v1' AND payload ->> 'accountId' = $1 ORDER BY id`,
    [accountId],
  );
  return rows;
};
const signUp = async () => {
  const account = await running.signUp();
  return { ...account, session: createKeyClient(running, account.accountId) };
};

describe('the end of a key', () => {
  it('is emitted once when its grace is over, as one that is not at once', async () => {
    const { accountId, session, keyId } = await signUp();
    const { key } = await session.rotate(keyId);
    await session.revoke(key.id, 24);
    await run();
    expect(await listEmitted(accountId)).toEqual([]);
    running.clock.advance(DAY_MS);
    await Promise.all([run(), run()]);
    await run();
    const emitted = await listEmitted(accountId);
    expect(emitted).toHaveLength(2);
    expect(emitted).toEqual(
      expect.arrayContaining([keyId, key.id].map((id) => ({ keyId: id, atOnce: false }))),
    );
  });

  it('at once is emitted at once, and not again at the end of its former grace', async () => {
    const { accountId, session, keyId } = await signUp();
    await session.revoke(keyId, 24);
    await session.revoke(keyId);
    running.clock.advance(DAY_MS);
    await run();
    expect(await listEmitted(accountId)).toEqual([{ keyId, atOnce: true }]);
  });

  it('is not emitted for keys that ended with their account, whose event covers them', async () => {
    const { accountId, email } = await signUp();
    await createOperations(running).setStatus(email, 'closed');
    await run();
    expect(await listEmitted(accountId)).toEqual([]);
  });
});
