import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { identity } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { eventually, fakeClock } from '@tds/test-kit';
import { createKeyClient, works } from '../test-support/keys-of-account.ts';
import { CLIENT_ADDRESS } from '../test-support/sign-in-requests.ts';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity();
});
afterAll(() => running?.stop());

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const fromNow = (ms: number) => new Date(running.clock.now().getTime() + ms).toISOString();
const signUp = async () => {
  const account = await running.signUp();
  return { ...account, keys: createKeyClient(running, account.accountId) };
};
const listEvents = async (name: string, keyId: string): Promise<object[]> => {
  const { rows } = await running.kit().db.query(
    `SELECT payload FROM messaging.outbox WHERE subject = 'evt.identity.' || $2 || '.v1' AND payload ->> 'keyId' = $1
     ORDER BY payload ->> 'keyVersion'`,
    [keyId, name],
  );
  return rows.map(({ payload }) => payload);
};
const countRevocations = async (keyId: string): Promise<number> =>
  (await listEvents('key-revoked', keyId)).length;
const listAuditEntries = async (keyId: string) =>
  (
    await running.kit().db.query(
      `SELECT action, actor, acting_key_id, client_address, request_id <> '' AS has_request, detail
       FROM audit_entries WHERE key_id = $1 ORDER BY id`,
      [keyId],
    )
  ).rows;

describe('revoking a key', () => {
  it('ends it at once; repeating it changes nothing and emits nothing again', async () => {
    const { keys, keyId, keyDigest } = await signUp();
    const revoked = await keys.revoke(keyId);
    expect(revoked).toMatchObject({ status: 'revoked', revoked_at: fromNow(0), revokes_at: null });
    expect(await works(running, keyDigest)).toBe(false);
    running.clock.advance(HOUR_MS);
    expect(await keys.revoke(keyId)).toEqual(revoked);
    expect(await keys.revoke(keyId, 24)).toEqual(revoked);
    expect(await countRevocations(keyId)).toBe(1);
  });

  it('with a grace period keeps it working for 24 hours to the millisecond', async () => {
    const { keys, keyId, keyDigest } = await signUp();
    const end = fromNow(DAY_MS);
    expect(await keys.revoke(keyId, 24)).toMatchObject({
      status: 'revoking',
      revokes_at: end,
      revoked_at: null,
    });
    running.clock.advance(DAY_MS - 1);
    expect(await works(running, keyDigest)).toBe(true);
    running.clock.advance(1);
    expect(await works(running, keyDigest)).toBe(false);
    expect((await keys.list()).keys[0]).toMatchObject({ status: 'revoked', revoked_at: end });
  });

  it('with a grace period holds for a process that starts later', async () => {
    const { keys, keyId, keyDigest } = await signUp();
    const { revokes_at: revokesAt } = await keys.revoke(keyId, 24);
    const clock = fakeClock(new Date(revokesAt as string));
    const later = await running.startAt(clock);
    const ask = () => later.handlers().commands.authenticateKey({ keyDigest }, testContext());
    clock.advance(-1);
    await expect(ask()).resolves.toMatchObject({ keyId });
    clock.advance(1);
    await expect(ask()).rejects.toMatchObject({ code: 'invalid_api_key' });
    await later.stop();
  });

  it('can be brought forward and never delayed', async () => {
    const { keys, keyId } = await signUp();
    const scheduled = await keys.revoke(keyId, 24);
    running.clock.advance(HOUR_MS);
    expect(await keys.revoke(keyId, 24)).toEqual(scheduled);
    expect(await countRevocations(keyId)).toBe(0);
    expect(await keys.revoke(keyId)).toMatchObject({ status: 'revoked', revoked_at: fromNow(0) });
    expect(await countRevocations(keyId)).toBe(1);
  });

  it('is audited with action, author, address and request', async () => {
    const { accountId, keyId } = await signUp();
    const keys = createKeyClient(running, accountId, keyId);
    await keys.update(keyId, { name: 'ci', dailyCreditCap: 3 });
    await keys.revoke(keyId);
    const who = { actor: 'holder', acting_key_id: keyId, client_address: CLIENT_ADDRESS, has_request: true };
    expect(await listAuditEntries(keyId)).toEqual([
      { ...who, acting_key_id: null, action: 'key-created', detail: null },
      { ...who, action: 'key-updated', detail: '{"name":"ci","dailyCreditCap":3}' },
      { ...who, action: 'key-revoked', detail: `from ${fromNow(0)}` },
    ]);
  });
});

describe('rotating a key', () => {
  it('creates a successor with the same name and cap, and keeps the old one working for 24 hours', async () => {
    const { keys, keyId, keyDigest } = await signUp();
    await keys.update(keyId, { name: 'ci', dailyCreditCap: 3 });
    const { key, replaced, keyDigest: newDigest } = await keys.rotate(keyId);
    expect(key).toMatchObject({ name: 'ci', daily_credit_cap: 3, status: 'active', revokes_at: null });
    expect(replaced).toMatchObject({
      id: keyId,
      status: 'revoking',
      revokes_at: fromNow(DAY_MS),
      replaced_by: key.id,
    });
    running.clock.advance(DAY_MS - 1);
    expect([await works(running, keyDigest), await works(running, newDigest)]).toEqual([true, true]);
    running.clock.advance(1);
    expect([await works(running, keyDigest), await works(running, newDigest)]).toEqual([false, true]);
  });

  it('applies given fields, even a cap of null', async () => {
    const { keys, keyId } = await signUp();
    await keys.update(keyId, { dailyCreditCap: 3 });
    const { key } = await keys.rotate(keyId, { name: 'next', dailyCreditCap: null });
    expect(key).toMatchObject({ name: 'next', daily_credit_cap: null });
  });

  it('works at the limit of live keys, since the replaced key no longer counts', async () => {
    const { keys, keyId } = await signUp();
    const second = await keys.create();
    await keys.rotate(keyId);
    await keys.rotate(second.id);
    expect(await keys.list()).toMatchObject({ live_keys: 2, key_limit: 2 });
    await expect(keys.create()).rejects.toMatchObject({ code: 'key_limit' });
  });

  it('does not multiply keys: at most as many replaced ones work as live ones may', async () => {
    const { keys, keyId } = await signUp();
    const { key: second } = await keys.rotate(keyId);
    running.clock.advance(HOUR_MS);
    const { key: third } = await keys.rotate(second.id);
    await expect(keys.rotate(third.id)).rejects.toMatchObject({
      code: 'key_limit',
      data: { retryAfterSeconds: (DAY_MS - HOUR_MS) / 1_000 },
    });
    await keys.revoke(second.id);
    await expect(keys.rotate(third.id)).resolves.toMatchObject({ key: { status: 'active' } });
  });

  it('is rejected for a key that is revoked, ending or replaced', async () => {
    const { keys, keyId } = await signUp();
    const { key } = await keys.rotate(keyId);
    await expect(keys.rotate(keyId)).rejects.toMatchObject({ code: 'key_revoked' });
    await keys.revoke(key.id, 24);
    await expect(keys.rotate(key.id)).rejects.toMatchObject({ code: 'key_revoked' });
    await keys.revoke(key.id);
    await expect(keys.rotate(key.id)).rejects.toMatchObject({ code: 'key_revoked' });
  });

  it('happens once for ten concurrent requests', async () => {
    const { keys, keyId } = await signUp();
    const settled = await Promise.allSettled(Array.from({ length: 10 }, () => keys.rotate(keyId)));
    const refused = settled.filter((one) => one.status === 'rejected');
    expect(refused.map(({ reason }) => reason.code)).toEqual(Array<string>(9).fill('key_revoked'));
    expect((await keys.list()).keys).toHaveLength(2);
    expect((await listAuditEntries(keyId)).map(({ action }) => action)).toEqual(['key-created', 'key-rotated']);
  });

  it('leaves no projected entry beyond the grace', async () => {
    const { keys, keyId, keyDigest } = await signUp();
    await running.call(identity.authenticateKey, { keyDigest }, testContext());
    const leftMs = () => running.kit().redis.pttl(identity.principal.key(keyDigest));
    await eventually(async () => expect(await leftMs()).toBeGreaterThan(0));
    await keys.rotate(keyId);
    expect(await leftMs()).toBe(-2);
    running.clock.advance(DAY_MS - 1_000);
    await works(running, keyDigest);
    await eventually(async () => expect(await leftMs()).toBeGreaterThan(-1));
    expect(await leftMs()).toBeLessThanOrEqual(1_000);
  });
});

describe('a key that continues to work', () => {
  it('is emitted to gateways with every change, in the order of its versions', async () => {
    const { keys, keyId, keyDigest, accountId } = await signUp();
    await keys.update(keyId, { dailyCreditCap: 9 });
    await keys.update(keyId, { dailyCreditCap: 1 });
    await keys.rotate(keyId);
    const other = await keys.create();
    await keys.revoke(other.id, 24);
    const fact = { accountId, keyId, keyDigest };
    expect(await listEvents('key-changed', keyId)).toEqual([
      { ...fact, keyVersion: 1, keyState: 'active', dailyCreditCap: 9 },
      { ...fact, keyVersion: 2, keyState: 'active', dailyCreditCap: 1 },
      { ...fact, keyVersion: 3, keyState: 'ending', dailyCreditCap: 1 },
    ]);
    expect(await listEvents('key-changed', other.id)).toMatchObject([{ keyVersion: 1, keyState: 'ending' }]);
    const principal = await running.call(identity.authenticateKey, { keyDigest }, testContext());
    expect(principal).toMatchObject({ keyVersion: 3, keyState: 'ending', dailyCreditCap: 1 });
  });
});
