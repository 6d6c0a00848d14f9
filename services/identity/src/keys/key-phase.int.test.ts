import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { identity } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { createOperations } from '../test-support/identity-operations.ts';
import { createKeyClient, readSlot } from '../test-support/keys-of-account.ts';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity();
});
afterAll(() => running?.stop());

const DAY_MS = 86_400_000;
const signUp = async () => {
  const account = await running.signUp();
  const limitId = await readSlot(running, account.keyDigest);
  const toPhase = (keyId: string | null) =>
    running.call(identity.getKeyPhase, { accountId: account.accountId, keyId }, testContext());
  return { ...account, limitId, toPhase, session: createKeyClient(running, account.accountId) };
};

describe('the phase of a key', () => {
  it('is active with its own slot and current cap, and those of its account', async () => {
    const { keyId, limitId, toPhase, session, email } = await signUp();
    await session.update(keyId, { dailyCreditCap: 7 });
    expect(await toPhase(keyId)).toMatchObject({ phase: 'active', limitId, dailyCreditCap: 7 });
    await createOperations(running).setTier(email, 'paid');
    await createOperations(running).setStatus(email, 'frozen');
    expect(await toPhase(keyId)).toMatchObject({
      accountStatus: 'frozen',
      tier: 'paid',
      dailyCreditCap: 7,
    });
  });

  it('says whether its person has a cap, which holds for all their keys', async () => {
    const { accountId, keyId, toPhase } = await signUp();
    expect(await toPhase(keyId)).toMatchObject({ isPersonCapped: false });
    const by = { keyId: null, clientAddress: '192.0.2.1', personId: accountId };
    const change = { accountId, by, personId: accountId, dailyCreditCap: 5 };
    await running.call(identity.changePerson, change, testContext());
    expect(await toPhase(keyId)).toMatchObject({ dailyCreditCap: null, isPersonCapped: true });
    expect(await toPhase(null)).toMatchObject({ isPersonCapped: false });
  });

  it('is revoked once its owner ends it at once, even during its grace', async () => {
    const { keyId, toPhase, session } = await signUp();
    const { key } = await session.rotate(keyId);
    await session.revoke(keyId);
    expect(await toPhase(keyId)).toMatchObject({ phase: 'revoked' });
    await session.revoke(key.id, 24);
    expect(await toPhase(key.id)).toMatchObject({ phase: 'ending' });
    await session.revoke(key.id);
    running.clock.advance(2 * DAY_MS);
    expect(await toPhase(key.id)).toMatchObject({ phase: 'revoked' });
  });

  it('is ending, then retired, after a rotation: its work has the cap of its last successor', async () => {
    const { keyId, limitId, toPhase, session } = await signUp();
    const { key: second } = await session.rotate(keyId, { dailyCreditCap: 5 });
    expect(await toPhase(keyId)).toMatchObject({ phase: 'ending', limitId, dailyCreditCap: 5 });
    const { key: third } = await session.rotate(second.id);
    await session.update(third.id, { dailyCreditCap: 4 });
    running.clock.advance(DAY_MS);
    for (const id of [keyId, second.id])
      expect(await toPhase(id)).toMatchObject({ phase: 'retired', limitId, dailyCreditCap: 4 });
  });

  it('is ending, then retired, after an end with grace: its work has the cap of the next key in its slot, if not tighter', async () => {
    const { keyId, limitId, toPhase, session } = await signUp();
    await session.update(keyId, { dailyCreditCap: 9 });
    await session.revoke(keyId, 24);
    expect(await toPhase(keyId)).toMatchObject({ phase: 'ending', limitId, dailyCreditCap: 9 });
    running.clock.advance(DAY_MS);
    expect(await toPhase(keyId)).toMatchObject({ phase: 'retired', limitId, dailyCreditCap: 9 });
    const { id: tighter } = await session.create({ dailyCreditCap: 2 });
    expect(await toPhase(keyId)).toMatchObject({ phase: 'retired', limitId, dailyCreditCap: 9 });
    await session.update(tighter, { dailyCreditCap: 12 });
    expect(await toPhase(keyId)).toMatchObject({ phase: 'retired', limitId, dailyCreditCap: 12 });
  });

  it('follows its own successors, not another key in the same slot', async () => {
    const { accountId, keyId, toPhase, session, email } = await signUp();
    await createOperations(running).setTier(email, 'paid');
    await session.update(keyId, { dailyCreditCap: 6 });
    await session.rotate(keyId);
    const heir = (await session.list()).keys.find(({ replaced_by: heirOf }) => heirOf === null)?.id ?? '';
    running.clock.advance(1);
    await createKeyClient(running, accountId, heir).create({ dailyCreditCap: 1 });
    expect(await toPhase(keyId)).toMatchObject({ phase: 'ending', dailyCreditCap: 6 });
  });

  it('is revoked for a key that the account never had, and after the end of the account', async () => {
    const { keyId, toPhase, email } = await signUp();
    const unknown = { phase: 'revoked', limitId: null, dailyCreditCap: null };
    for (const id of [randomUUID(), (await running.signUp()).keyId])
      expect(await toPhase(id)).toMatchObject(unknown);
    await createOperations(running).setStatus(email, 'closed');
    await createOperations(running).setStatus(email, 'active');
    expect(await toPhase(keyId)).toMatchObject({ phase: 'revoked', accountStatus: 'active' });
  });

  it('is not needed for work of the account itself, which has no slot and no cap', async () => {
    const { toPhase } = await signUp();
    const own = { phase: 'active', limitId: null, dailyCreditCap: null, accountStatus: 'active' };
    expect(await toPhase(null)).toMatchObject(own);
  });

  it('of an unknown account allows no spending', async () => {
    const unknown = { accountId: randomUUID(), keyId: null };
    const asked = running.call(identity.getKeyPhase, unknown, testContext());
    await expect(asked).rejects.toMatchObject({ code: 'account_closed' });
  });
});
