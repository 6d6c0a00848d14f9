import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createOperations } from '../test-support/identity-operations.ts';
import { createKeyClient, readSlot } from '../test-support/keys-of-account.ts';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity();
});
afterAll(() => running?.stop());

const HOUR_MS = 3_600_000;
const signUp = async () => {
  const account = await running.signUp();
  return { ...account, session: createKeyClient(running, account.accountId) };
};
const slotsOf = (keys: readonly { readonly keyDigest: string }[]): Promise<string[]> =>
  Promise.all(keys.map(({ keyDigest }) => readSlot(running, keyDigest)));
type Session = ReturnType<typeof createKeyClient>;

describe('a slot', () => {
  it('passes from a deleted key to the next one, however often keys are deleted and created', async () => {
    const { session, keyId, keyDigest } = await signUp();
    const first = await readSlot(running, keyDigest);
    let last = keyId;
    for (let round = 0; round < 10; round += 1) {
      await session.revoke(last);
      const key = await session.create();
      expect(await readSlot(running, key.keyDigest)).toBe(first);
      last = key.id;
    }
  });

  const attacks: Readonly<Record<string, (session: Session, keyId: string) => Promise<{ keyDigest: string }>>> =
    {
      'rotated, and its successor deleted': async (session, keyId) => {
        const { key } = await session.rotate(keyId);
        await session.revoke(key.id);
        return session.create();
      },
      'rotated, and both deleted': async (session, keyId) => {
        const { key } = await session.rotate(keyId);
        await session.revoke(key.id);
        await session.revoke(keyId);
        return session.create();
      },
      'ended with hours of grace that have passed': async (session, keyId) => {
        await session.revoke(keyId, 24);
        running.clock.advance(24 * HOUR_MS);
        return session.create();
      },
      'rotated twice, and the last one rotated again': async (session, keyId) => {
        const { key: second } = await session.rotate(keyId);
        const { key: third } = await session.rotate(second.id);
        await session.revoke(second.id);
        return session.rotate(third.id);
      },
    };
  it.each(Object.entries(attacks))('passes to a new key when a key is %s', async (_what, attack) => {
    const { session, keyId, keyDigest } = await signUp();
    const first = await readSlot(running, keyDigest);
    expect(await readSlot(running, (await attack(session, keyId)).keyDigest)).toBe(first);
  });

  it('passes to a key that another key creates in place of one it deleted', async () => {
    const { accountId, session, keyId, keyDigest } = await signUp();
    const other = await session.create();
    const [first, second] = await slotsOf([{ keyDigest }, other]);
    const asker = createKeyClient(running, accountId, other.id);
    await asker.revoke(keyId);
    expect(await readSlot(running, (await asker.create()).keyDigest)).toBe(first);
    const heir = await asker.rotate(other.id);
    expect(await readSlot(running, heir.keyDigest)).toBe(second);
  });

  it.each([
    ['free', 2],
    ['paid', 5],
  ] as const)('is never made beyond the live keys that a %s account may have, %i', async (tier, limit) => {
    const { email, session, keyId, keyDigest } = await signUp();
    await createOperations(running).setTier(email, tier);
    const slots = new Set([await readSlot(running, keyDigest)]);
    const live = [keyId];
    for (let turn = 0; turn < 24; turn += 1) {
      if (live.length === limit)
        for (const id of live.splice(0, turn % limit === 0 ? limit : 1)) await session.revoke(id);
      const key = await session.create();
      live.push(key.id);
      slots.add(await readSlot(running, key.keyDigest));
    }
    expect(slots.size).toBe(limit);
  });

  it('has one live key, even of ten that are created at once', async () => {
    const { email, session, keyId, keyDigest } = await signUp();
    await createOperations(running).setTier(email, 'paid');
    const made = async () => {
      const all = await Promise.allSettled(Array.from({ length: 10 }, () => session.create()));
      return all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    };
    const before = await made();
    const first = new Set(await slotsOf([{ keyDigest }, ...before]));
    expect(first.size).toBe(5);
    for (const id of [keyId, ...before.map((key) => key.id)]) await session.revoke(id);
    expect(new Set(await slotsOf(await made()))).toEqual(first);
  });

  it('is taken in the order in which it became free', async () => {
    const { session, keyId, keyDigest } = await signUp();
    const second = await session.create();
    const [first] = await slotsOf([{ keyDigest }]);
    await session.revoke(keyId);
    running.clock.advance(HOUR_MS);
    await session.revoke(second.id);
    expect(await readSlot(running, (await session.create()).keyDigest)).toBe(first);
  });

  it('of a capped key is shared with keys that it creates, and no others', async () => {
    const { accountId, email, session, keyId, keyDigest } = await signUp();
    await createOperations(running).setTier(email, 'paid');
    const asker = createKeyClient(running, accountId, keyId);
    const free = await asker.create();
    await session.update(keyId, { dailyCreditCap: 3 });
    const capped = await asker.create({ dailyCreditCap: 2 });
    const own = await session.create({ dailyCreditCap: 2 });
    const [mine, ofFree, ofCapped, ofOwn] = await slotsOf([{ keyDigest }, free, capped, own]);
    expect(ofCapped).toBe(mine);
    expect(new Set([mine, ofFree, ofOwn]).size).toBe(3);
  });
});
