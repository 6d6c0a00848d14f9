import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { digestSecret } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { limitDeletes, proven } from '@tds/test-kit';
import { createKeyClient } from './test-support/keys-of-account.ts';
import { startIdentity, type TestIdentity } from './test-support/start-identity.ts';

const MANY = proven(10_000, 200_000);

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

const HOUR_MS = 3_600_000;
const purge = () => identity.handlers().schedules.purgeExpired(testContext());
const rows = async (table: string): Promise<number> =>
  Number((await identity.kit().db.query(`SELECT count(*) FROM ${table}`)).rows[0].count);

describe('purging', () => {
  it('keeps rows that a rule needs and deletes them afterwards; accounts and keys stay', async () => {
    const { accountId } = await identity.signUp();
    const idempotency = { digest: digestSecret('again'), nonce: randomUUID() };
    await createKeyClient(identity, accountId).create({}, { idempotency });
    await purge();
    expect(await rows('kept_replies')).toBe(1);
    expect(await rows('sessions')).toBe(1);
    expect(await rows('sign_in_addresses')).toBe(1);
    expect(await rows('throttle_windows')).toBe(9);
    identity.clock.advance(12 * HOUR_MS);
    await purge();
    expect(await rows('sessions')).toBe(0);
    expect(await rows('sign_in_addresses')).toBe(1);
    expect(await rows('throttle_windows')).toBe(9);
    expect(await rows('kept_replies')).toBe(1);
    identity.clock.advance(13 * HOUR_MS);
    await purge();
    for (const table of ['sessions', 'sign_in_addresses', 'throttle_windows', 'kept_replies'])
      expect(await rows(table)).toBe(0);
    expect(await rows('accounts')).toBe(1);
    expect(await rows('api_keys')).toBe(2);
  });

  it('deletes many rows of a table in one run, in short statements', async () => {
    const { db } = identity.kit();
    const { accountId } = await identity.signUp();
    await db.query(
      `INSERT INTO sessions (id, account_id, keyed_digest, created_at, seen_at, idle_expires_at, expires_at)
       SELECT gen_random_uuid(), $1, sha256(int4send(n)), '2020-01-01', '2020-01-01', '2020-01-01', '2020-01-30'
       FROM generate_series(1, ${MANY}) AS n`,
      [accountId],
    );
    await db.query(`
      INSERT INTO sign_in_addresses (email, challenge_id, issued_at, expires_at)
      SELECT n || '@example.com', gen_random_uuid(), '2020-01-01', '2020-01-01' FROM generate_series(1, ${MANY}) AS n`);
    await db.query(`
      INSERT INTO throttle_windows (scope, subject, started_at, hits)
      SELECT 'old', n, '2020-01-01', 1 FROM generate_series(1, ${MANY}) AS n`);
    await db.query(
      `INSERT INTO kept_replies (account_id, actor, operation, digest, asked, nonce, key_id, reply, created_at)
       SELECT $1, 'session', 'create-key', sha256(int4send(n)), '{}', $1, $1, '{}', '2020-01-01'
       FROM generate_series(1, ${MANY}) AS n`,
      [accountId],
    );
    for (const table of ['sessions', 'sign_in_addresses', 'throttle_windows', 'kept_replies'])
      await limitDeletes(identity.adminUrl, table, 1_000);
    await purge();
    expect(await rows('sessions')).toBe(1);
    expect(await rows('sign_in_addresses')).toBe(1);
    expect(await rows('throttle_windows')).toBe(9);
    expect(await rows('kept_replies')).toBe(0);
  });
});
