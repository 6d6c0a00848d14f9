import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { billing, identity } from '@tds/contracts';
import { createListenerContext, testContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { createKeyClient, readSlot, works } from '../test-support/keys-of-account.ts';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity();
});
afterAll(() => running?.stop());

const HOUR_MS = 3_600_000;
let version = 0;
const tellTier = async (accountId: string, tier: 'free' | 'paid', times = 1) => {
  const customer = { accountId, tier, isDisputed: false, version: ++version };
  const delivery = createListenerContext(billing.customerChanged, customer);
  for (let time = 0; time < times; time += 1)
    await running.handlers().subscriptions.customerChanged(customer, delivery);
};
/** A paid account with five keys, oldest first. */
const fiveKeys = async () => {
  const account = await running.signUp();
  const { accountId } = account;
  await tellTier(accountId, 'paid');
  const session = createKeyClient(running, accountId);
  const keys: { id: string; keyDigest: string }[] = [{ id: account.keyId, keyDigest: account.keyDigest }];
  for (let made = 1; made < 5; made += 1) {
    running.clock.advance(1_000);
    keys.push(await session.create({ name: `key ${made}` }));
  }
  const statuses = async () => {
    const { keys: listed } = await session.list();
    return keys.map(({ id }) => listed.find((one) => one.id === id)?.status);
  };
  return { ...account, session, keys, statuses };
};
const slotsOf = async (keys: readonly { keyDigest: string }[]) =>
  new Set(await Promise.all(keys.map(({ keyDigest }) => readSlot(running, keyDigest))));
const noticesTo = (to: string) =>
  running.smtp.mails.filter(
    (mail) => mail.to === to && mail.raw.includes('Subject: Your account is on the free tier'),
  );

describe('keys beyond a lower tier', () => {
  it('end in 24 hours; those of the first slots stay, and the owner gets one mail that names them', async () => {
    const { accountId, email, session, keys, statuses } = await fiveKeys();
    await tellTier(accountId, 'free', 3);
    expect(await statuses()).toEqual(['active', 'active', 'revoking', 'revoking', 'revoking']);
    await expect(session.rotate(keys[2]?.id ?? '')).rejects.toMatchObject({ code: 'key_revoked' });
    await expect(session.create()).rejects.toMatchObject({ code: 'key_limit' });
    await eventually(() => expect(noticesTo(email)).toHaveLength(1));
    const text = noticesTo(email)[0]?.raw.replaceAll('=\n', '') ?? '';
    for (const name of ['key 2', 'key 3', 'key 4']) expect(text).toContain(name);
    expect(text).not.toContain('key 1');
    running.clock.advance(24 * HOUR_MS);
    const working = await Promise.all(keys.map(({ keyDigest }) => works(running, keyDigest)));
    expect(working).toEqual([true, true, false, false, false]);
  });

  it('a rotated key keeps its place', async () => {
    const { accountId, session, keys } = await fiveKeys();
    const { key } = await session.rotate(keys[0]?.id ?? '');
    await tellTier(accountId, 'free');
    const { keys: listed } = await session.list();
    expect(listed.find(({ id }) => id === key.id)?.status).toBe('active');
  });

  it('stay if the tier returns within 24 hours, unless their owner revoked them', async () => {
    const { accountId, session, keys, statuses } = await fiveKeys();
    await tellTier(accountId, 'free');
    running.clock.advance(23 * HOUR_MS);
    await session.revoke(keys[2]?.id ?? '', 24);
    await session.revoke(keys[3]?.id ?? '');
    await tellTier(accountId, 'paid');
    expect(await statuses()).toEqual(['active', 'active', 'revoking', 'revoked', 'active']);
    running.clock.advance(HOUR_MS);
    expect(await statuses()).toEqual(['active', 'active', 'revoked', 'revoked', 'active']);
  });

  it('stay ended if the tier returns later', async () => {
    const { accountId, statuses } = await fiveKeys();
    await tellTier(accountId, 'free');
    running.clock.advance(24 * HOUR_MS);
    await tellTier(accountId, 'paid');
    expect(await statuses()).toEqual(['active', 'active', 'revoked', 'revoked', 'revoked']);
  });
});

describe('the slots of a lower tier', () => {
  it('are as many as it has keys, at once, and return with the higher tier', async () => {
    const { accountId, keys } = await fiveKeys();
    const before = await slotsOf(keys);
    expect(before.size).toBe(5);
    await tellTier(accountId, 'free');
    const lower = await slotsOf(keys);
    expect(lower.size).toBe(2);
    expect([...before]).toEqual(expect.arrayContaining([...lower]));
    await tellTier(accountId, 'paid');
    expect(await slotsOf(keys)).toEqual(before);
  });

  it('are never more, however many keys are revoked and created', async () => {
    const { accountId, session, keys } = await fiveKeys();
    await tellTier(accountId, 'free');
    running.clock.advance(24 * HOUR_MS);
    const used = await slotsOf(keys.slice(0, 2));
    const live = keys.slice(0, 2).map(({ id }) => id);
    for (let round = 0; round < 8; round += 1) {
      await session.revoke(live.shift() ?? '');
      const key = await session.create();
      live.push(key.id);
      used.add(await readSlot(running, key.keyDigest));
    }
    expect(used.size).toBe(2);
  });

  it('include every key that shares them', async () => {
    const { accountId, keys } = await fiveKeys();
    await tellTier(accountId, 'free');
    const limitId = await readSlot(running, keys[0]?.keyDigest ?? '');
    for (const { id } of [0, 2, 4].map((at) => keys[at] ?? { id: '' }))
      expect(await running.call(identity.getKeyPhase, { accountId, keyId: id }, testContext())).toMatchObject({
        limitId,
      });
  });
});
