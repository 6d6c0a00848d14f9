import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readProjection } from '@tds/base/testing';
import { displayPrefix, identity } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { createOperations } from '../test-support/identity-operations.ts';
import { createKeyClient, readSlot, works } from '../test-support/keys-of-account.ts';
import { CLIENT_ADDRESS, newSecrets } from '../test-support/sign-in-requests.ts';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity();
});
afterAll(() => running?.stop());

const HOUR_MS = 3_600_000;
type Session = { readonly accountId: string; readonly sessionDigest: string };

const signUp = async () => {
  const account = await running.signUp();
  return { ...account, keys: createKeyClient(running, account.accountId) };
};
const signInAgain = async ({ accountId, email }: { accountId: string; email: string }) => {
  const secrets = newSecrets();
  const { sessionId } = await running.verify(email, await running.askForCode(email), secrets);
  return { accountId, sessionId, sessionDigest: secrets.sessionDigest };
};
const dashboardKey = async ({ accountId, sessionDigest }: Session, replaces?: string) => {
  const { key, keyDigest } = newSecrets();
  const secret = { keyId: randomUUID(), keyDigest, keyPrefix: displayPrefix(key) };
  const request = { accountId, sessionDigest, clientAddress: CLIENT_ADDRESS, replaces, ...secret };
  const reply = await running.call(identity.createDashboardKey, request, testContext());
  return { id: reply.key.id, keyDigest: reply.keyDigest };
};
const logOut = ({ sessionDigest }: Session) =>
  running.call(identity.endSession, { sessionDigest }, testContext());
const phase = async ({ accountId }: Session, keyId: string) =>
  (await running.call(identity.getKeyPhase, { accountId, keyId }, testContext())).phase;
const projected = (keyDigest: string) => readProjection(running.kit().redis, identity.principal, [keyDigest]);

describe('the dashboard key of a session', () => {
  it('is the same for all requests at once and for the hundredth one, and works', async () => {
    const session = await signUp();
    const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => dashboardKey(session)));
    for (let more = others.length; more < 99; more += 1) others.push(await dashboardKey(session));
    expect(new Set([first, ...others].map((key) => JSON.stringify(key))).size).toBe(1);
    expect(await works(running, first?.keyDigest ?? '')).toBe(true);
  });

  it('takes no place of the account, and is none of its keys', async () => {
    const session = await signUp();
    const { keys } = session;
    await keys.create();
    const before = await keys.list();
    const { id, keyDigest } = await dashboardKey(session);
    expect(await keys.list()).toEqual(before);
    for (const change of [keys.rotate(id), keys.revoke(id), keys.update(id, { name: 'mine' })])
      await expect(change).rejects.toMatchObject({ code: 'key_not_found' });
    const account = await running.call(
      identity.getAccount,
      { accountId: session.accountId, keyId: id },
      testContext(),
    );
    expect(account.keys).toMatchObject({ live: 2, current: null });
    expect(await works(running, keyDigest)).toBe(true);
  });

  it('leaves the rotations of a day to the keys of the account', async () => {
    const session = await signUp();
    for (let press = 0; press < 5; press += 1) await dashboardKey(session);
    const rotated = await session.keys.rotate(session.keyId);
    await session.keys.rotate(rotated.key.id);
    expect(await works(running, (await dashboardKey(session)).keyDigest)).toBe(true);
  });

  it('counts in one slot with those of all other sessions, and with no key of the account', async () => {
    const session = await signUp();
    const own = await readSlot(running, (await dashboardKey(session)).keyDigest);
    const other = await signInAgain(session);
    expect(await readSlot(running, (await dashboardKey(other)).keyDigest)).toBe(own);
    const second = await session.keys.create();
    expect([
      await readSlot(running, session.keyDigest),
      await readSlot(running, second.keyDigest),
    ]).not.toContain(own);
    await createOperations(running).setTier(session.email, 'paid');
    const third = await session.keys.create();
    expect(new Set([own, await readSlot(running, third.keyDigest)]).size).toBe(2);
    expect(await readSlot(running, (await dashboardKey(session)).keyDigest)).toBe(own);
  });

  it('is announced by no mail, and hides no other key from mails', async () => {
    const session = await signUp();
    const mails = () =>
      running.smtp.mails.filter(({ to, raw }) => to === session.email && raw.includes('A new API key'));
    running.clock.advance(1_000);
    await dashboardKey(session);
    const { id } = await dashboardKey(await signInAgain(session));
    await createKeyClient(running, session.accountId, id).create();
    await eventually(() => expect(mails()).toHaveLength(1));
    const { rows } = await running
      .kit()
      .db.query(
        `SELECT count(*)::integer AS count FROM audit_entries WHERE action = 'key-created' AND account_id = $1`,
        [session.accountId],
      );
    expect(rows).toEqual([{ count: 4 }]);
  });

  it.each(['logs out', 'is ended by another one'])(
    'ends when the session %s, and its jobs go on',
    async (how) => {
      const owner = await signUp();
      const session = await signInAgain(owner);
      const [kept, key] = [await dashboardKey(owner), await dashboardKey(session)];
      expect(await works(running, key.keyDigest)).toBe(true);
      await eventually(async () => expect(await projected(key.keyDigest)).not.toBeNull());
      const end = { ...owner, sessionId: session.sessionId, clientAddress: CLIENT_ADDRESS };
      const { accountId, sessionDigest, sessionId, clientAddress } = end;
      if (how === 'logs out') await logOut(session);
      else
        await running.call(
          identity.endSessions,
          { accountId, sessionDigest, sessionId, clientAddress },
          testContext(),
        );
      expect(await works(running, key.keyDigest)).toBe(false);
      expect(await projected(key.keyDigest)).toBeNull();
      expect(await phase(session, key.id)).toBe('retired');
      await expect(dashboardKey(session)).rejects.toMatchObject({ code: 'session_required' });
      expect(await works(running, kept.keyDigest)).toBe(true);
    },
  );

  it('ends when its session has been idle for too long, also for gateways that know it', async () => {
    const session = await signUp();
    const key = await dashboardKey(session);
    running.clock.advance(12 * HOUR_MS - 60_000);
    expect(await works(running, key.keyDigest)).toBe(true);
    await eventually(async () => expect(await projected(key.keyDigest)).not.toBeNull());
    expect(await running.kit().redis.pttl(identity.principal.key(key.keyDigest))).toBeLessThanOrEqual(60_000);
    running.clock.advance(60_000);
    expect(await works(running, key.keyDigest)).toBe(false);
    expect(await phase(session, key.id)).toBe('active');
  });

  it('is replaced at once if its secret cannot be derived any more, and only then', async () => {
    const session = await signUp();
    const old = await dashboardKey(session);
    expect(await dashboardKey(session, randomUUID())).toEqual(old);
    const [one, other] = await Promise.all([dashboardKey(session, old.id), dashboardKey(session, old.id)]);
    expect(one).toEqual(other);
    expect(one.id).not.toBe(old.id);
    expect([await works(running, old.keyDigest), await works(running, one.keyDigest)]).toEqual([false, true]);
    expect(await phase(session, old.id)).toBe('retired');
  });

  it('is refused to another account, and to a closed one, whose keys have all ended', async () => {
    const [session, stranger] = [await signUp(), await signUp()];
    const foreign = { accountId: session.accountId, sessionDigest: stranger.sessionDigest };
    await expect(dashboardKey(foreign)).rejects.toMatchObject({ code: 'session_required' });
    const key = await dashboardKey(session);
    await createOperations(running).setStatus(session.email, 'frozen');
    expect(await dashboardKey(session)).toEqual(key);
    await createOperations(running).setStatus(session.email, 'closed');
    await expect(dashboardKey(session)).rejects.toMatchObject({ code: 'session_required' });
    expect(await phase(session, key.id)).toBe('revoked');
  });
});
