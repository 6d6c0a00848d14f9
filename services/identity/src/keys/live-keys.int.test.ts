import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { identity } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { createOperations } from '../test-support/identity-operations.ts';
import { createKeyClient, works } from '../test-support/keys-of-account.ts';
import { CLIENT_ADDRESS, newSecrets } from '../test-support/sign-in-requests.ts';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity();
});
afterAll(() => running?.stop());

const DAY_SECONDS = 86_400;
const HOUR_MS = 3_600_000;
const signUp = async () => {
  const account = await running.signUp();
  return { ...account, keys: createKeyClient(running, account.accountId) };
};
const codes = (settled: readonly PromiseSettledResult<unknown>[]) =>
  settled.map((one) => (one.status === 'fulfilled' ? 'ok' : one.reason.code)).sort();

describe('the limit of live keys', () => {
  it.each([
    ['free', 2],
    ['paid', 5],
  ] as const)('is exact when ten keys are created at once: %s accounts have %i', async (tier, limit) => {
    const { email, keys } = await signUp();
    await createOperations(running).setTier(email, tier);
    const created = await Promise.allSettled(Array.from({ length: 10 }, () => keys.create()));
    expect(codes(created)).toEqual([
      ...Array<string>(11 - limit).fill('key_limit'),
      ...Array<string>(limit - 1).fill('ok'),
    ]);
    expect(await keys.list()).toMatchObject({ live_keys: limit, key_limit: limit });
  });

  it('allows a new key as soon as one is revoked', async () => {
    const { keys, keyId } = await signUp();
    await keys.create();
    await expect(keys.create()).rejects.toMatchObject({ code: 'key_limit' });
    await keys.revoke(keyId);
    await expect(keys.create()).resolves.toMatchObject({ status: 'active' });
  });

  it('counts a key with a scheduled revocation while it works, and gives the wait', async () => {
    const { keys, keyId } = await signUp();
    await keys.create();
    await keys.revoke(keyId, 24);
    running.clock.advance(HOUR_MS);
    await expect(keys.create()).rejects.toMatchObject({
      code: 'key_limit',
      data: { retryAfterSeconds: DAY_SECONDS - 3_600 },
    });
    running.clock.advance(23 * HOUR_MS);
    await expect(keys.create()).resolves.toMatchObject({ status: 'active' });
  });

  it('that never clears has a wait of a day, and the message that waiting does not help', async () => {
    const { keys } = await signUp();
    await keys.create();
    await expect(keys.create()).rejects.toMatchObject({
      code: 'key_limit',
      message: expect.stringMatching(/waiting does not help/),
      data: { retryAfterSeconds: DAY_SECONDS },
    });
  });

  it('keeps keys above it after a change of tier', async () => {
    const { email, keys, keyDigest } = await signUp();
    const { setTier } = createOperations(running);
    await setTier(email, 'paid');
    for (let count = 1; count < 5; count += 1) await keys.create();
    await setTier(email, 'free');
    expect(await keys.list()).toMatchObject({ live_keys: 5, key_limit: 2 });
    expect(await works(running, keyDigest)).toBe(true);
    await expect(keys.create()).rejects.toMatchObject({ code: 'key_limit' });
  });
});

describe('the rate of new keys', () => {
  it('is fifty of a person within any 24 hours, so that limits per key are effective, and a rotation does not wait', async () => {
    const { keys, keyId } = await signUp();
    let last = keyId;
    for (let made = 1; made < 50; made += 1) {
      running.clock.advance(1_000);
      await keys.revoke(last);
      last = (await keys.create()).id;
    }
    const refusal = { code: 'key_limit', data: { retryAfterSeconds: DAY_SECONDS - 49 } };
    await expect(keys.create()).rejects.toMatchObject(refusal);
    expect((await keys.rotate(last)).key).toMatchObject({ status: 'active' });
    running.clock.advance((DAY_SECONDS - 48) * 1_000);
    await expect(keys.create()).resolves.toMatchObject({ status: 'active' });
  });
});

describe('the list of keys', () => {
  it('shows all but the secret, newest first, and no key of another account', async () => {
    const { accountId, keys, keyId, key } = await signUp();
    await (await signUp()).keys.create();
    running.clock.advance(1);
    const added = await keys.create({ name: 'laptop', dailyCreditCap: 7 });
    const { keys: listed } = await keys.list();
    expect(listed.map(({ id }) => id)).toEqual([added.id, keyId]);
    expect(listed[0]).toEqual({
      id: added.id,
      person_id: accountId,
      name: 'laptop',
      prefix: added.secret.slice(0, 12),
      daily_credit_cap: 7,
      status: 'active',
      created_at: running.clock.now().toISOString(),
      last_used_at: null,
      revokes_at: null,
      revoked_at: null,
      replaced_by: null,
    });
    expect(JSON.stringify(listed)).not.toContain(key.slice(13));
  });

  it('has the last use to the minute', async () => {
    const { keys, keyDigest } = await signUp();
    const lastUsedAt = async () => (await keys.list()).keys[0]?.last_used_at;
    expect(await lastUsedAt()).toBeNull();
    const first = running.clock.now().toISOString();
    await works(running, keyDigest);
    await eventually(async () => expect(await lastUsedAt()).toBe(first));
    running.clock.advance(60_000);
    await works(running, keyDigest);
    await eventually(async () => expect(await lastUsedAt()).toBe(running.clock.now().toISOString()));
  });

  it('has only the last hundred revoked keys', async () => {
    const { keys, accountId } = await signUp();
    await running.kit().db.query(
      `INSERT INTO api_keys (id, account_id, name, prefix, keyed_digest, sealed_digest, slot, created_at, revoke_at)
       SELECT gen_random_uuid(), $1::text::uuid, 'old ' || n, 'svc_live_abc', sha256(convert_to($1::text || ':' || n, 'UTF8')), '',
         0, $2::timestamptz, $2::timestamptz + n * interval '1 ms'
       FROM generate_series(1, 150) n`,
      [accountId, new Date('2026-01-01T00:00:00Z')],
    );
    const { keys: listed, live_keys: liveKeys } = await keys.list();
    expect(liveKeys).toBe(1);
    expect(listed.filter(({ status }) => status === 'revoked')).toHaveLength(100);
    expect(listed.map(({ name }) => name)).not.toContain('old 50');
    expect(listed.map(({ name }) => name)).toContain('old 51');
  });
});

describe('changing a key', () => {
  it('changes only given fields; a cap of null removes it', async () => {
    const { keys, keyId } = await signUp();
    expect(await keys.update(keyId, { name: 'ci' })).toMatchObject({ name: 'ci', daily_credit_cap: null });
    expect(await keys.update(keyId, { dailyCreditCap: 5 })).toMatchObject({
      name: 'ci',
      daily_credit_cap: 5,
    });
    expect(await keys.update(keyId, { dailyCreditCap: null })).toMatchObject({ daily_credit_cap: null });
  });

  it('is rejected for a revoked key, but not for one that still works', async () => {
    const { keys, keyId } = await signUp();
    await keys.revoke(keyId, 24);
    await expect(keys.update(keyId, { name: 'old' })).resolves.toMatchObject({ status: 'revoking' });
    await keys.revoke(keyId);
    await expect(keys.update(keyId, { name: 'new' })).rejects.toMatchObject({ code: 'key_revoked' });
  });

  it('has the same answer for a key of another account and one that does not exist', async () => {
    const [{ keys }, other] = [await signUp(), await signUp()];
    const refusals = await Promise.all(
      [other.keyId, randomUUID()].flatMap((id) =>
        [keys.update(id, { name: 'mine' }), keys.revoke(id), keys.revoke(id, 24), keys.rotate(id)].map((done) =>
          done.catch((error) => `${error.code} ${error.message}`),
        ),
      ),
    );
    expect(new Set(refusals)).toEqual(new Set(['key_not_found No such key belongs to this account.']));
    expect(await works(running, other.keyDigest)).toBe(true);
  });
});

describe('the prefix of a key', () => {
  it('is unique within the account as long as there is a choice', async () => {
    const { accountId, keyId, key, keys } = await signUp();
    const by = { keyId: null, clientAddress: CLIENT_ADDRESS };
    const secretWith = (keyPrefix: string) => ({ keyPrefix, keyDigest: newSecrets().keyDigest });
    const [taken, free] = [key.slice(0, 12), 'svc_live_new'];
    const given = { accountId, by, name: 'key', dailyCreditCap: null };
    const chosen = { ...secretWith(taken), spares: [secretWith(taken), secretWith(free)] };
    const { key: created } = await running.call(identity.createKey, { ...given, ...chosen }, testContext());
    expect(created.prefix).toBe(free);
    expect(await works(running, chosen.spares[1]!.keyDigest)).toBe(true);
    expect(await works(running, chosen.keyDigest)).toBe(false);
    await keys.revoke(created.id);
    const rotated = { accountId, by, keyId, ...secretWith(free), spares: [secretWith('svc_live_abc')] };
    const { key: successor } = await running.call(identity.rotateKey, rotated, testContext());
    expect(successor.prefix).toBe('svc_live_abc');
  });
});
