import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { authenticateSession, endSessions, listSessions } from '@tds/contracts';
import { CLIENT_ADDRESS, context, newSecrets } from '../test-support/gateway-stand-in.ts';
import { type IdentityUnderTest, startIdentity } from '../test-support/identity-under-test.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity?.stop());

const HOUR_MS = 3_600_000;
const signIn = async (email: string) => {
  const secrets = newSecrets();
  const { sessionId } = await identity.verify(email, await identity.askForCode(email), secrets);
  return { sessionId, sessionDigest: secrets.sessionDigest };
};
type Asker = { accountId: string; sessionDigest: string };
const end = ({ accountId, sessionDigest }: Asker, sessionId: string | null) =>
  identity.call(
    endSessions,
    { accountId, sessionDigest, sessionId, clientAddress: CLIENT_ADDRESS },
    context(),
  );
const lives = (sessionDigest: string) =>
  identity.call(authenticateSession, { sessionDigest }, context()).then(
    () => true,
    (error) => (error.code === 'session_required' ? false : Promise.reject(error)),
  );

describe('the sessions of an account', () => {
  it('are ended by a live one of its own only, and never another account`s', async () => {
    const [own, other] = [await identity.signUp(), await identity.signUp()];
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

  it('that end each other at once leave exactly one', async () => {
    const own = await identity.signUp();
    const second = { ...own, ...(await signIn(own.email)) };
    const settled = await Promise.allSettled([end(own, null), end(second, null)]);
    expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await Promise.all([own, second].map((one) => lives(one.sessionDigest)))).sort()).toEqual([
      ...[false, true],
    ]);
  });

  it('are listed with when they were used and when they end; those that ended are not', async () => {
    const own = await identity.signUp();
    identity.clock.advance(13 * HOUR_MS);
    const now = identity.clock.now();
    const { sessionDigest, sessionId } = await signIn(own.email);
    const { accountId } = own;
    const { sessions } = await identity.call(listSessions, { accountId, sessionDigest }, context());
    expect(sessions).toEqual([
      {
        ...{ id: sessionId, isCurrent: true, createdAt: now.toISOString(), seenAt: now.toISOString() },
        expiresAt: new Date(now.getTime() + 12 * HOUR_MS).toISOString(),
      },
    ]);
  });

  it('that were ended are on the record, once', async () => {
    const own = await identity.signUp();
    const second = await signIn(own.email);
    await end(own, second.sessionId);
    await end(own, null);
    const { rows } = await identity.kit.db.query(
      `SELECT actor, client_address, detail FROM audit_entries WHERE action = 'sessions-ended' AND account_id = $1`,
      [own.accountId],
    );
    expect(rows).toEqual([{ actor: 'holder', client_address: CLIENT_ADDRESS, detail: second.sessionId }]);
  });
});
