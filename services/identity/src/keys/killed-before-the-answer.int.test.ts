import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestPool } from '@tds/base/testing';
import { digestSecret, displayPrefix, identity } from '@tds/contracts';
import { createCaller, type Harness, startHarness, testContext } from '@tds/kit/testing';
import { doomedProcesses, eventually, KEY_RING } from '@tds/test-kit';
import { CLIENT_ADDRESS, newSecrets } from '../test-support/sign-in-requests.ts';
import { PEPPER } from '../test-support/start-identity.ts';

const program = path.resolve(import.meta.dirname, '../main.ts');

let harness: Harness;
let admin: ReturnType<typeof createTestPool>;
const caller = createCaller(identity);
const { call } = caller;
const settings = { SMTP_URL: 'smtp://127.0.0.1:1', PEPPER, KEY_RING, MAIL_DNS: 'off' };
const doomed = doomedProcesses(program, () => ({ ...harness.environmentOf('identity'), ...settings }));

beforeAll(async () => {
  const started = await startHarness({ databases: { identity: 'identity' } });
  harness = started;
  admin = createTestPool(started.databases.identity.adminUrl);
  await started.start(caller.service);
});
afterAll(async () => {
  doomed.stop();
  await admin?.end();
  await harness?.stop();
});

const newAccount = async (): Promise<string> => {
  const id = randomUUID();
  const values = [id, `${id}@example.com`];
  await admin.query('INSERT INTO accounts (id, email, mailbox, created_at) VALUES ($1, $2, $2, now())', values);
  return id;
};

describe('a process that dies between creating a key and answering', () => {
  it('has created the one key that a repeat returns', async () => {
    const accountId = await newAccount();
    const digests = new Map<string, string>();
    /** One request with the same Idempotency-Key, as a gateway would send it. */
    const ask = () => {
      const { key, keyDigest } = newSecrets();
      const idempotency = { digest: digestSecret('killed'), nonce: randomUUID() };
      digests.set(idempotency.nonce, keyDigest);
      const by = { keyId: null, clientAddress: CLIENT_ADDRESS };
      const made = { name: 'x', dailyCreditCap: null, keyDigest, keyPrefix: displayPrefix(key) };
      return call(identity.createKey, { accountId, by, ...made, idempotency }, testContext());
    };
    await doomed.dieAt('transaction-committed:create-key', ask);
    doomed.launch();
    const { key, replay } = await eventually(ask);
    const { rows } = await admin.query('SELECT id FROM api_keys WHERE account_id = $1', [accountId]);
    expect(rows).toEqual([{ id: key.id }]);
    expect(replay?.keyDigest).toBe(digests.get(replay?.nonce ?? ''));
  });
});
