import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readProjection } from '@tds/base/testing';
import { identity } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { createOperations } from '../test-support/identity-operations.ts';
import { createKeyClient } from '../test-support/keys-of-account.ts';
import { newSecrets } from '../test-support/sign-in-requests.ts';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity();
});
afterAll(() => running.stop());

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const byKey = (keyDigest: string) => running.call(identity.authenticateKey, { keyDigest }, testContext());
const bySession = (sessionDigest: string) =>
  running.call(identity.authenticateSession, { sessionDigest }, testContext());
const projected = (keyDigest: string) => readProjection(running.kit().redis, identity.principal, [keyDigest]);
const unknown = { code: 'invalid_api_key', message: 'This API key is malformed, unknown or revoked.' };

describe('a key', () => {
  it('unknown and revoked get the same answer', async () => {
    const { keyDigest, keyId } = await running.signUp();
    await createOperations(running).revokeKey(keyId);
    await expect(byKey(newSecrets().keyDigest)).rejects.toMatchObject(unknown);
    await expect(byKey(keyDigest)).rejects.toMatchObject(unknown);
  });

  it('works until the instant of a scheduled revocation, and is not projected for longer', async () => {
    const { keyDigest, keyId, accountId } = await running.signUp();
    await createKeyClient(running, accountId).revoke(keyId, 24);
    running.clock.advance(24 * HOUR_MS - MINUTE_MS);
    await expect(byKey(keyDigest)).resolves.toMatchObject({ keyId });
    await eventually(async () => {
      const leftMs = await running.kit().redis.pttl(identity.principal.key(keyDigest));
      expect(leftMs).toBeGreaterThan(0);
      expect(leftMs).toBeLessThanOrEqual(MINUTE_MS);
    });
    running.clock.advance(MINUTE_MS);
    await expect(byKey(keyDigest)).rejects.toMatchObject(unknown);
  });

  it('is revoked once: later or repeated revocations change nothing', async () => {
    const { keyId, accountId } = await running.signUp();
    const operations = createOperations(running);
    expect(await operations.revokeKey(keyId)).toBe(true);
    expect(await operations.revokeKey(keyId)).toBe(false);
    expect(await createKeyClient(running, accountId).revoke(keyId, 24)).toMatchObject({ status: 'revoked' });
    const { rows } = await running
      .kit()
      .db.query(
        `SELECT payload ->> 'keyId' AS id FROM messaging.outbox WHERE subject = 'evt.identity.key-revoked.v1'`,
      );
    expect(rows.filter(({ id }) => id === keyId)).toHaveLength(1);
  });

  it('is projected after it has authenticated, until it is revoked', async () => {
    const { keyDigest, keyId } = await running.signUp();
    const principal = await byKey(keyDigest);
    await eventually(async () => expect(await projected(keyDigest)).toEqual(principal));
    await createOperations(running).revokeKey(keyId);
    expect(await projected(keyDigest)).toBeNull();
  });

  it('of a frozen account has that status, also in its projection', async () => {
    const { keyDigest, email } = await running.signUp();
    await byKey(keyDigest);
    await eventually(async () => expect(await projected(keyDigest)).toMatchObject({ status: 'active' }));
    await createOperations(running).setStatus(email, 'frozen');
    expect(await projected(keyDigest)).toBeNull();
    await expect(byKey(keyDigest)).resolves.toMatchObject({ status: 'frozen' });
  });
});

describe('a session', () => {
  it('lives for twelve idle hours, counted from its last use', async () => {
    const { sessionDigest } = await running.signUp();
    running.clock.advance(12 * HOUR_MS - MINUTE_MS);
    await expect(bySession(sessionDigest)).resolves.toMatchObject({ keyId: null });
    running.clock.advance(12 * HOUR_MS - 1);
    await expect(bySession(sessionDigest)).resolves.toBeDefined();
    running.clock.advance(12 * HOUR_MS);
    await expect(bySession(sessionDigest)).rejects.toMatchObject({ code: 'session_required', status: 401 });
  });

  it('is written to at most once a minute', async () => {
    const { sessionDigest, accountId } = await running.signUp();
    const seenAt = async () =>
      (await running.kit().db.query('SELECT seen_at FROM sessions WHERE account_id = $1', [accountId])).rows[0]
        .seen_at;
    const signedInAt = await seenAt();
    running.clock.advance(MINUTE_MS - 1);
    await bySession(sessionDigest);
    expect(await seenAt()).toEqual(signedInAt);
    running.clock.advance(1);
    await bySession(sessionDigest);
    expect(await seenAt()).toEqual(running.clock.now());
  });

  it('ends after thirty days however often it is used', async () => {
    const { sessionDigest } = await running.signUp();
    for (let hours = 0; hours < 30 * 24 - 10; hours += 10) {
      running.clock.advance(10 * HOUR_MS);
      await bySession(sessionDigest);
    }
    running.clock.advance(10 * HOUR_MS);
    await expect(bySession(sessionDigest)).rejects.toMatchObject({ code: 'session_required' });
  });

  it('is over once ended, and ending it again succeeds', async () => {
    const { sessionDigest } = await running.signUp();
    for (let turn = 0; turn < 2; turn += 1) {
      await expect(running.call(identity.endSession, { sessionDigest }, testContext())).resolves.toEqual({});
    }
    await expect(bySession(sessionDigest)).rejects.toMatchObject({ code: 'session_required' });
  });

  it('of a closed account is over', async () => {
    const { sessionDigest, email, keyDigest } = await running.signUp();
    await createOperations(running).setStatus(email, 'closed');
    await expect(bySession(sessionDigest)).rejects.toMatchObject({ code: 'session_required' });
    await expect(byKey(keyDigest)).resolves.toMatchObject({ status: 'closed' });
  });
});

describe('the status of an account', () => {
  it('is emitted with a growing version, only when it changes', async () => {
    const { email, accountId } = await running.signUp();
    const { setStatus } = createOperations(running);
    expect(await setStatus(email, 'frozen')).toEqual({ accountId, version: 1 });
    expect(await setStatus(email, 'frozen')).toBeNull();
    expect(await setStatus(email, 'active')).toEqual({ accountId, version: 2 });
    const { rows } = await running.kit().db.query(
      `SELECT payload FROM messaging.outbox
       WHERE subject = 'evt.identity.account-status-changed.v1' AND payload ->> 'accountId' = $1
       ORDER BY payload ->> 'version'`,
      [accountId],
    );
    expect(rows.map(({ payload }) => payload)).toEqual([
      { accountId, status: 'frozen', frozenReason: 'operator', version: 1 },
      { accountId, status: 'active', version: 2 },
    ]);
  });
});
