import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { identity } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { codeOf } from '@tds/test-kit';
import { createAppClient } from '../test-support/connected-apps.ts';
import { createOperations } from '../test-support/identity-operations.ts';
import { createKeyClient } from '../test-support/keys-of-account.ts';
import { createPeople } from '../test-support/people.ts';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

let running: TestIdentity;
let apps: ReturnType<typeof createAppClient>;
beforeAll(async () => {
  running = await startIdentity();
  apps = createAppClient(running);
});
afterAll(() => running?.stop());

const DAY_MS = 86_400_000;
const REFUSED = 'begun_by_another_key';
/** An account with a key of a cap, and whether a key may change what another one has begun. */
const signUp = async () => {
  const holder = await running.signUp();
  const { accountId } = holder;
  await createOperations(running).setTier(holder.email, 'paid');
  const session = createKeyClient(running, accountId);
  const capped = await session.create({ dailyCreditCap: 2 });
  const outcome = (keyId: string, begunBy: string | null) =>
    codeOf(running.call(identity.checkOwnWork, { accountId, keyId, begunBy }, testContext()));
  return { holder, session, capped, outcome, byCapped: createKeyClient(running, accountId, capped.id) };
};

describe('what a key has begun', () => {
  it('is changed by every key without a cap, and by no app, other capped key or unknown key', async () => {
    const { holder, capped, outcome } = await signUp();
    const app = (await apps.connect(holder)).id;
    for (const begunBy of [null, capped.id, app, randomUUID()])
      expect(await outcome(holder.keyId, begunBy)).toBe('answered');
    for (const keyId of [capped.id, app, randomUUID()])
      for (const begunBy of [null, holder.keyId, randomUUID()])
        expect(await outcome(keyId, begunBy)).toBe(REFUSED);
    expect([await outcome(app, capped.id), await outcome(capped.id, app)]).toEqual([REFUSED, REFUSED]);
  });

  it('is that of the key that replaces it, under whose cap it goes on, but not if it was revoked at once', async () => {
    const { session, capped, outcome } = await signUp();
    const { key: next } = await session.rotate(capped.id);
    expect(await outcome(next.id, capped.id)).toBe('answered');
    running.clock.advance(DAY_MS);
    expect(await outcome(next.id, capped.id)).toBe('answered');
    const { key: last } = await session.rotate(next.id);
    await session.revoke(next.id);
    expect(await outcome(last.id, next.id)).toBe(REFUSED);
  });
});

describe('what a removed person passed on', () => {
  it('is no capped key`s that comes into its slot, and has no cap of who left', async () => {
    const { holder, capped, outcome } = await signUp();
    const people = createPeople(running);
    const owner = { ...holder, personId: holder.accountId };
    const member = await people.join(owner, `left-${holder.accountId}@example.com`);
    const { id } = await people.createKey(member);
    await people.change(owner, member.personId, { dailyCreditCap: 1 });
    await people.remove(owner, member.personId, 'pass_on');
    const session = createKeyClient(running, holder.accountId);
    const next = await session.create({ dailyCreditCap: 1 });
    for (const keyId of [capped.id, next.id]) expect(await outcome(keyId, id)).toBe(REFUSED);
    expect(await outcome(holder.keyId, id)).toBe('answered');
    const phase = { accountId: holder.accountId, keyId: id };
    expect(await running.call(identity.getKeyPhase, phase, testContext())).toMatchObject({
      ...{ phase: 'retired', dailyCreditCap: null, isPersonCapped: false, isPersonRemoved: true },
    });
  });
});

describe('who pays what was passed on', () => {
  const join = async () => {
    const people = createPeople(running);
    const owner = await people.signUp();
    await createOperations(running).setTier(owner.email, 'paid');
    const [member, other] = [
      await people.join(owner, `gone-${owner.accountId}@example.com`),
      await people.join(owner, `other-${owner.accountId}@example.com`, 'owner'),
    ];
    const { id } = await people.createKey(member);
    const phase = (keyId = id) =>
      running.call(identity.getKeyPhase, { accountId: owner.accountId, keyId }, testContext());
    return { people, owner, member, other, id, phase };
  };

  it('is who passed it on, in the slot of their sessions, under their cap; and who removes them later', async () => {
    const { people, owner, member, other, phase } = await join();
    const [ofOther, ofOwner] = [await people.dashboardKey(other), await people.dashboardKey(owner)];
    const slot = (await phase(ofOther.id)).limitId;
    expect((await phase()).limitId).not.toBe(slot);
    expect(await phase()).not.toHaveProperty('payingKeyId');
    await people.remove(other, member.personId, 'pass_on');
    const passedOn = { phase: 'retired', limitId: slot, dailyCreditCap: null };
    expect(await phase()).toMatchObject({ ...passedOn, payingKeyId: ofOther.id, isPersonCapped: false });
    await people.change(owner, other.personId, { dailyCreditCap: 5 });
    expect(await phase()).toMatchObject({ ...passedOn, payingKeyId: ofOther.id, isPersonCapped: true });
    await people.remove(owner, other.personId, 'pass_on');
    expect(await phase()).toMatchObject({ ...passedOn, payingKeyId: ofOwner.id, isPersonCapped: false });
  });

  it('is no one if a member leaves: their work ends, so that no cap is left behind', async () => {
    const { people, owner, member, phase } = await join();
    await people.change(owner, member.personId, { dailyCreditCap: 1 });
    expect(await codeOf(people.remove(member, member.personId, 'pass_on'))).toBe('role_required');
    await people.remove(member, member.personId, 'end');
    expect(await phase()).toMatchObject({ phase: 'revoked' });
  });

  it('is the oldest owner if an owner leaves, whatever key comes into their slot', async () => {
    const { people, owner, other, phase } = await join();
    const { id } = await people.createKey(other);
    const ofOwner = await people.dashboardKey(owner);
    await people.remove(other, other.personId, 'pass_on');
    await createKeyClient(running, owner.accountId).create({ dailyCreditCap: 1 });
    expect(await phase(id)).toMatchObject({ payingKeyId: ofOwner.id, dailyCreditCap: null });
  });

  it('is never a key of who left: an heir without a key of their sessions gets one that opens nothing', async () => {
    const { people, owner, member, other, phase } = await join();
    await people.createKey(other);
    await people.remove(other, member.personId, 'pass_on');
    const phases = await Promise.all([phase(), phase(), phase()]);
    const [payer, ...repeated] = [...new Set(phases.map(({ payingKeyId }) => payingKeyId))];
    expect(repeated).toEqual([]);
    const sql = `SELECT payload FROM messaging.outbox WHERE subject = 'evt.identity.key-created.v1' AND payload ->> 'keyId' = $1`;
    const { rows } = await running.kit().db.query(sql, [payer]);
    expect(rows.map(({ payload }) => payload)).toMatchObject([
      { accountId: owner.accountId, personId: other.personId, kind: 'dashboard' },
    ]);
    const { limitId } = await phase((await people.dashboardKey(owner)).id);
    expect(await phase()).toMatchObject({ limitId, payingKeyId: payer, isPersonCapped: false });
    const listed = await createKeyClient(running, owner.accountId).list();
    expect(listed.keys.map((key) => key.id)).not.toContain(payer);
  });

  it('ends with the work of who has it, if that person is removed and their work ends', async () => {
    const { people, owner, member, other, phase } = await join();
    await people.remove(other, member.personId, 'pass_on');
    expect(await phase()).toMatchObject({ phase: 'retired' });
    await people.remove(owner, other.personId, 'end');
    expect(await phase()).toMatchObject({ phase: 'revoked' });
  });
});

describe('a key with a cap', () => {
  it('renames and ends itself and keys that it has created, and ends no other one and no app', async () => {
    const { holder, capped, byCapped } = await signUp();
    const app = (await apps.connect(holder)).id;
    for (const refused of [
      byCapped.update(holder.keyId, { name: 'mine' }),
      byCapped.update(holder.keyId, { dailyCreditCap: 1 }),
      byCapped.revoke(holder.keyId),
      byCapped.revoke(holder.keyId, 24),
      apps.end(holder, app, capped.id),
    ])
      expect(await codeOf(refused)).toBe(REFUSED);
    running.clock.advance(1_000);
    const child = await byCapped.create({ dailyCreditCap: 1 });
    const byChild = createKeyClient(running, holder.accountId, child.id);
    expect(await codeOf(byChild.revoke(capped.id))).toBe(REFUSED);
    expect(await byCapped.update(child.id, { name: 'new' })).toMatchObject({ name: 'new' });
    expect(await byCapped.revoke(child.id)).toMatchObject({ status: 'revoked' });
    const { key: next } = await byCapped.rotate(capped.id);
    const byNext = createKeyClient(running, holder.accountId, next.id);
    for (const id of [capped.id, next.id]) expect(await byNext.revoke(id)).toMatchObject({ status: 'revoked' });
  });
});
