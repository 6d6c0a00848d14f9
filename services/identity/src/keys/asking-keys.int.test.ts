import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createOperations } from '../test-support/identity-operations.ts';
import { createKeyClient } from '../test-support/keys-of-account.ts';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity();
});
afterAll(() => running?.stop());

type Keys = ReturnType<typeof createKeyClient>;

/** An account with a requesting key and another key. */
const signUp = async () => {
  const account = await running.signUp();
  await createOperations(running).setTier(account.email, 'paid');
  const session = createKeyClient(running, account.accountId);
  const other = await session.create({ name: 'other' });
  return { ...account, session, other, asker: createKeyClient(running, account.accountId, account.keyId) };
};

const changes: Readonly<Record<string, (keys: Keys, keyId: string) => Promise<unknown>>> = {
  'create a key': (keys) => keys.create(),
  'rotate a key': (keys, keyId) => keys.rotate(keyId),
  'update a key': (keys, keyId) => keys.update(keyId, { name: 'mine' }),
  'revoke a key': (keys, keyId) => keys.revoke(keyId),
  'schedule a revocation': (keys, keyId) => keys.revoke(keyId, 24),
};
const endings: Readonly<Record<string, (keys: Keys, keyId: string) => Promise<unknown>>> = {
  key_is_ending: (keys, keyId) => keys.revoke(keyId, 24),
  'key_is_ending, having been replaced': (keys, keyId) => keys.rotate(keyId),
  invalid_api_key: (keys, keyId) => keys.revoke(keyId),
};

describe.each(Object.entries(changes))('to %s', (_what, change) => {
  it('is allowed for an active key and a session', async () => {
    const [byKey, bySession] = [await signUp(), await signUp()];
    await expect(change(byKey.asker, byKey.other.id)).resolves.toBeDefined();
    await expect(change(bySession.session, bySession.other.id)).resolves.toBeDefined();
  });

  it.each(Object.entries(endings))('gets %s from an ending key, and nothing changes', async (refusal, end) => {
    const { asker, session, other, keyId } = await signUp();
    await end(session, keyId);
    const before = await session.list();
    for (const target of [other.id, keyId]) {
      await expect(change(asker, target)).rejects.toMatchObject({ code: refusal.split(',')[0] });
    }
    expect(await session.list()).toEqual(before);
  });
});

describe('a key', () => {
  it('of another account changes nothing, as if it did not exist', async () => {
    const [{ accountId, other, session }, stranger] = [await signUp(), await running.signUp()];
    const foreign = createKeyClient(running, accountId, stranger.keyId);
    const before = await session.list();
    for (const change of Object.values(changes)) {
      await expect(change(foreign, other.id)).rejects.toMatchObject({ code: 'invalid_api_key' });
    }
    expect(await session.list()).toEqual(before);
  });

  it('that is rotated during its request acts before the rotation or not at all', async () => {
    const { asker, session, other, keyId } = await signUp();
    const [rotated, ...acted] = await Promise.allSettled([
      session.rotate(keyId),
      ...Array.from({ length: 8 }, (_, turn) => asker.update(other.id, { name: `turn ${turn}` })),
    ]);
    expect(rotated?.status).toBe('fulfilled');
    for (const one of acted.filter(({ status }) => status === 'rejected')) {
      expect(one).toMatchObject({ reason: { code: 'key_is_ending' } });
    }
    const { rows } = await running.kit().db.query(
      `SELECT action FROM audit_entries WHERE action = 'key-rotated' AND key_id = $1
         OR action = 'key-updated' AND acting_key_id = $1 ORDER BY id`,
      [keyId],
    );
    const updated = acted.filter(({ status }) => status === 'fulfilled').map(() => 'key-updated');
    expect(rows.map(({ action }) => action)).toEqual([...updated, 'key-rotated']);
  });
});

describe('a daily cap', () => {
  it('is lowered by a key, but raised or removed by a session only, whatever the cap of the key', async () => {
    const { asker, session, other, keyId } = await signUp();
    // Once it has a cap itself, it changes no other key.
    for (const id of [other.id, keyId]) {
      await expect(asker.update(id, { dailyCreditCap: 5 })).resolves.toMatchObject({ daily_credit_cap: 5 });
      await expect(asker.update(id, { dailyCreditCap: 3 })).resolves.toMatchObject({ daily_credit_cap: 3 });
      for (const dailyCreditCap of [4, null]) {
        await expect(asker.update(id, { dailyCreditCap })).rejects.toMatchObject({
          code: 'cap_needs_session',
        });
        await expect(asker.rotate(id, { dailyCreditCap })).rejects.toMatchObject({
          code: 'cap_needs_session',
        });
      }
      await expect(asker.update(id, { name: 'free to choose' })).resolves.toMatchObject({
        daily_credit_cap: 3,
      });
    }
    await expect(session.update(keyId, { dailyCreditCap: null })).resolves.toMatchObject({
      daily_credit_cap: null,
    });
    await expect(session.rotate(other.id, { dailyCreditCap: 9 })).resolves.toMatchObject({
      key: { daily_credit_cap: 9 },
    });
  });

  it('also applies to a new key and to the secret of another key', async () => {
    const { asker, other, keyId } = await signUp();
    await asker.update(keyId, { dailyCreditCap: 3 });
    for (const dailyCreditCap of [4, null]) {
      await expect(asker.create({ dailyCreditCap })).rejects.toMatchObject({ code: 'cap_needs_session' });
    }
    await expect(asker.rotate(other.id, { dailyCreditCap: 3 })).rejects.toMatchObject({
      code: 'cap_needs_session',
    });
    await expect(asker.create({ dailyCreditCap: 3 })).resolves.toMatchObject({ daily_credit_cap: 3 });
    await expect(asker.rotate(keyId)).resolves.toMatchObject({ key: { daily_credit_cap: 3 } });
  });
});
