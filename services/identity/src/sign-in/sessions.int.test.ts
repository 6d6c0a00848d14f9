import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { identity } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { CLIENT_ADDRESS, newSecrets } from '../test-support/sign-in-requests.ts';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity();
});
afterAll(() => running?.stop());

const HOUR_MS = 3_600_000;
const signIn = async (email: string) => {
  const secrets = newSecrets();
  const { sessionId } = await running.verify(email, await running.askForCode(email), secrets);
  return { sessionId, sessionDigest: secrets.sessionDigest };
};
type SessionOwner = { accountId: string; sessionDigest: string };
const end = ({ accountId, sessionDigest }: SessionOwner, sessionId: string | null) =>
  running.call(
    identity.endSessions,
    { accountId, sessionDigest, sessionId, clientAddress: CLIENT_ADDRESS },
    testContext(),
  );
const lives = (sessionDigest: string) =>
  running.call(identity.authenticateSession, { sessionDigest }, testContext()).then(
    () => true,
    (error) => (error.code === 'session_required' ? false : Promise.reject(error)),
  );

describe('the sessions of an account', () => {
  it('are ended by a live one of the same account only', async () => {
    const [own, other] = [await running.signUp(), await running.signUp()];
    const second = await signIn(own.email);
    const foreign = { accountId: own.accountId, sessionDigest: other.sessionDigest };
    await expect(end(foreign, null)).rejects.toMatchObject({ code: 'session_required' });
    await expect(end(other, second.sessionId)).rejects.toMatchObject({ code: 'session_not_found' });
    expect(await end(other, null)).toEqual({ ended: 0 });
    expect(await end(own, null)).toEqual({ ended: 1 });
    const ended = { ...own, sessionDigest: second.sessionDigest };
    await expect(end(ended, null)).rejects.toMatchObject({ code: 'session_required' });
    expect(await Promise.all([own, second, other].map((one) => lives(one.sessionDigest)))).toEqual([
      ...[true, false, true],
    ]);
  });

  it('that end each other at the same time leave exactly one', async () => {
    const own = await running.signUp();
    const second = { ...own, ...(await signIn(own.email)) };
    const settled = await Promise.allSettled([end(own, null), end(second, null)]);
    expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await Promise.all([own, second].map((one) => lives(one.sessionDigest)))).sort()).toEqual([
      ...[false, true],
    ]);
  });

  it('are listed with last use and expiry, without ended ones', async () => {
    const own = await running.signUp();
    running.clock.advance(13 * HOUR_MS);
    const now = running.clock.now();
    const { sessionDigest, sessionId } = await signIn(own.email);
    const { accountId } = own;
    const { sessions } = await running.call(identity.listSessions, { accountId, sessionDigest }, testContext());
    expect(sessions).toEqual([
      {
        id: sessionId,
        account_id: accountId,
        current: true,
        created_at: now.toISOString(),
        last_seen_at: now.toISOString(),
        expires_at: new Date(now.getTime() + 12 * HOUR_MS).toISOString(),
      },
    ]);
  });

  it('that were ended are audited once', async () => {
    const own = await running.signUp();
    const second = await signIn(own.email);
    await end(own, second.sessionId);
    await end(own, null);
    const { rows } = await running
      .kit()
      .db.query(
        `SELECT actor, client_address, detail FROM audit_entries WHERE action = 'sessions-ended' AND account_id = $1`,
        [own.accountId],
      );
    expect(rows).toEqual([{ actor: 'holder', client_address: CLIENT_ADDRESS, detail: second.sessionId }]);
  });
});
