import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestPool } from '@tds/base/testing';
import { createSessionToken, digestSecret, identity } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { createOperations } from '../test-support/identity-operations.ts';
import { createKeyClient } from '../test-support/keys-of-account.ts';
import { newSecrets } from '../test-support/sign-in-requests.ts';
import { PEPPER, startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity();
});
afterAll(() => running.stop());

/** Every row of every table as text, without times, whose microseconds look like codes. */
const dump = async (): Promise<{ table: string; row: string }[]> => {
  const admin = createTestPool(running.adminUrl);
  const tables = await admin.query(
    `SELECT table_schema || '.' || table_name AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema IN ('public', 'messaging')`,
  );
  const rows: { table: string; row: string }[] = [];
  for (const { name } of tables.rows) {
    const { rows: found } = await admin.query(`SELECT t::text AS row FROM ${name} t`);
    for (const { row } of found) {
      rows.push({ table: name, row: String(row).replace(/\d\d:\d\d:\d\d(\.\d+)?/g, '') });
    }
  }
  await admin.end();
  return rows;
};

describe('the database', () => {
  it('contains no key, session token, code or pepper, and no digest but in the event of a revocation', async () => {
    const email = 'someone@example.com';
    const code = await running.askForCode(email);
    const secrets = newSecrets();
    const digest = digestSecret(createSessionToken());
    const verified = await running.verify(email, code, secrets, { newDeviceDigest: digest });
    const { accountId, firstKey, deviceProof: proof } = verified;
    await running.askForCode(email, { digest, proof });
    await running.call(identity.authenticateKey, secrets, testContext());
    await running.call(identity.authenticateSession, secrets, testContext());
    const idempotency = { digest: digestSecret('canary-of-a-repeat'), nonce: randomUUID() };
    const kept = await createKeyClient(running, accountId).create({}, { idempotency });
    await createOperations(running).revokeKey(firstKey?.id ?? '');

    const rows = await dump();
    const found = (secret: RegExp | string) =>
      rows.filter(({ row }) => (typeof secret === 'string' ? row.includes(secret) : secret.test(row)));
    // The dump finds known values.
    expect(found(email).map(({ table }) => table)).toContain('public.accounts');
    expect(found(secrets.key.slice(0, 12)).map(({ table }) => table)).toEqual(['public.api_keys']);
    for (const secret of [
      secrets.key,
      secrets.key.slice(9, 52),
      secrets.session,
      PEPPER,
      secrets.sessionDigest,
      digest,
      proof,
      'canary-of-a-repeat',
      kept.secret,
      kept.secret.slice(9, 52),
      kept.keyDigest,
    ]) {
      expect(found(secret)).toEqual([]);
    }
    expect(found(new RegExp(`\\b${code}\\b`))).toEqual([]);
    expect(found(secrets.keyDigest).map(({ table }) => table)).toEqual(['messaging.outbox']);
  });

  it('allows no change of the audit', async () => {
    await running.signUp();
    const { db } = running.kit();
    for (const statement of [`UPDATE audit_entries SET actor = 'intruder'`, 'DELETE FROM audit_entries']) {
      await expect(db.query(statement)).rejects.toThrow('append-only');
    }
  });
});
