import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { digestSecret, displayPrefix, identity } from '@tds/contracts';
import { callerOf, createTestPool, type Harness, startHarness, testContext } from '@tds/service-kit/testing';
import { eventually, KEY_RING, processEnvironment } from '@tds/test-kit';
import { CLIENT_ADDRESS, newSecrets } from '../test-support/sign-in-requests.ts';
import { PEPPER } from '../test-support/start-identity.ts';

const program = path.resolve(import.meta.dirname, '../main.ts');
const START_WITHIN_MS = 60_000;

let harness: Harness;
let admin: ReturnType<typeof createTestPool>;
const caller = callerOf(identity);
const { call } = caller;
const children: ChildProcess[] = [];

beforeAll(async () => {
  const started = await startHarness({ databases: { identity: 'identity' } });
  harness = started;
  admin = createTestPool(started.databases.identity.adminUrl);
  await started.start(caller.service);
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await admin?.end();
  await harness?.stop();
});

/** Identity as a process of its own. */
const launch = (more: NodeJS.ProcessEnv = {}): ChildProcess => {
  const own = {
    NODE_ENV: 'test',
    SMTP_URL: 'smtp://127.0.0.1:1',
    PEPPER,
    KEY_RING,
    MAIL_DNS: 'off',
    HEALTH_PORT: '0',
  };
  const env = { ...processEnvironment(), ...harness.environmentOf('identity'), ...own, ...more };
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'inherit'], env });
  children.push(child);
  return child;
};

const newAccount = async (): Promise<string> => {
  const id = randomUUID();
  const values = [id, `${id}@example.com`];
  await admin.query(
    'INSERT INTO accounts (id, email, mailbox, created_at) VALUES ($1, $2, $2, now())',
    values,
  );
  return id;
};

describe('a process that dies between making a key and answering', () => {
  it('has made the one key that a repeat is answered with', async () => {
    const accountId = await newAccount();
    const digests = new Map<string, string>();
    /** One request with the same Idempotency-Key, as a gateway sends it. */
    const ask = () => {
      const { key, keyDigest } = newSecrets();
      const idempotency = { digest: digestSecret('killed'), nonce: randomUUID() };
      digests.set(idempotency.nonce, keyDigest);
      const by = { keyId: null, clientAddress: CLIENT_ADDRESS };
      const made = { name: 'x', dailyCreditCap: null, keyDigest, keyPrefix: displayPrefix(key) };
      return call(identity.createKey, { accountId, by, ...made, idempotency }, testContext());
    };
    const dying = launch({ CRASH_AT: 'transaction-committed' });
    const died = once(dying, 'exit');
    await eventually(
      async () => {
        await expect(ask()).rejects.toMatchObject({ code: 'service_unavailable' });
        expect(dying.signalCode).toBe('SIGKILL');
      },
      { withinMs: START_WITHIN_MS },
    );
    await died;
    launch();
    const { id, replay } = await eventually(ask, { withinMs: START_WITHIN_MS });
    const { rows } = await admin.query('SELECT id FROM api_keys WHERE account_id = $1', [accountId]);
    expect(rows).toEqual([{ id }]);
    expect(replay?.keyDigest).toBe(digests.get(replay?.nonce ?? ''));
  });
});
