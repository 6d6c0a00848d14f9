import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { digestSecret } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { createOperations } from '../test-support/identity-operations.ts';
import { createKeyClient } from '../test-support/keys-of-account.ts';
import { CLIENT_ADDRESS, newSecrets } from '../test-support/sign-in-requests.ts';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity?.stop());

const HOUR_MS = 3_600_000;

const signUp = async () => {
  const account = await identity.signUp();
  await createOperations(identity).setTier(account.email, 'paid');
  return { ...account, session: createKeyClient(identity, account.accountId) };
};
/** A request with the Idempotency-Key as the gateway sends it, with a new nonce each time. */
const withKey = (key: string) => ({ idempotency: { digest: digestSecret(key), nonce: randomUUID() } });
const keysMade = async (accountId: string): Promise<number> =>
  Number(
    (await identity.kit().db.query('SELECT count(*) FROM api_keys WHERE account_id = $1', [accountId])).rows[0]
      .count,
  );
const replyOf = ({ secret: _made, keyDigest: _sent, ...reply }: { secret: string; keyDigest: string }) => reply;

describe('the same Idempotency-Key', () => {
  it('creates one key, repeats its answer whatever becomes of the key, and rejects another body', async () => {
    const { accountId, session } = await signUp();
    const once = withKey('once');
    const first = await session.create({ name: 'first' }, once);
    expect(first).not.toHaveProperty('replay');
    await session.update(first.id, { name: 'renamed' });
    await session.revoke(first.id);
    const again = await session.create({ name: 'first' }, withKey('once'));
    for (const other of [{ name: 'other' }, { name: 'first', dailyCreditCap: 3 }])
      await expect(session.create(other, withKey('once'))).rejects.toMatchObject({
        code: 'idempotency_key_reused',
      });
    const replay = { nonce: once.idempotency.nonce, keyDigest: first.keyDigest };
    expect(replyOf(again)).toEqual({ ...replyOf(first), replay });
    expect(await keysMade(accountId)).toBe(2);
  });

  it('creates one key for twenty concurrent requests; nineteen wait for the answer', async () => {
    const { accountId, session } = await signUp();
    const all = await Promise.all(
      Array.from({ length: 20 }, async () => session.create({ name: 'burst' }, withKey('burst'))),
    );
    expect(await keysMade(accountId)).toBe(2);
    const [first] = all.filter((one) => one.replay === undefined);
    const replays = all.filter((one) => one.replay !== undefined);
    expect(replays).toHaveLength(19);
    for (const { replay, ...one } of replays) {
      expect(one).toMatchObject({ id: first?.id, name: first?.name, prefix: first?.prefix });
      expect(replay?.keyDigest).toBe(first?.keyDigest);
    }
  });

  it('repeats a committed answer that was never sent', async () => {
    const { accountId, keyId, session } = await signUp();
    const { key, keyDigest } = newSecrets();
    const by = { keyId: null, clientAddress: CLIENT_ADDRESS };
    const sent = { accountId, by, keyId, keyDigest, keyPrefix: key.slice(0, 12), ...withKey('lost') };
    // This answer is not sent over the bus.
    await identity.handlers().commands.rotateKey(sent, testContext());
    const again = await session.rotate(keyId, withKey('lost'));
    expect(again).toMatchObject({ replaced: { id: keyId }, replay: { keyDigest } });
    expect(await keysMade(accountId)).toBe(2);
  });

  it('is independent for another account, actor, command or rotated key', async () => {
    const [one, other] = [await signUp(), await signUp()];
    const asker = createKeyClient(identity, one.accountId, one.keyId);
    const made = [
      await one.session.create({}, withKey('shared')),
      await asker.create({}, withKey('shared')),
      await other.session.create({}, withKey('shared')),
    ];
    const [first, second] = made.map(({ id }) => id) as [string, string];
    const rotated = [
      await one.session.rotate(first, withKey('shared')),
      await one.session.rotate(second, withKey('shared')),
    ];
    for (const reply of [...made, ...rotated]) expect(reply).not.toHaveProperty('replay');
    expect(await keysMade(one.accountId)).toBe(5);
  });
});

describe('a rotation is repeated', () => {
  it('after the end of the old key', async () => {
    const { keyId, session } = await signUp();
    const first = await session.rotate(keyId, withKey('rotation'));
    await session.revoke(keyId);
    const again = await session.rotate(keyId, withKey('rotation'));
    const changed = session.rotate(keyId, { dailyCreditCap: null, ...withKey('rotation') });
    await expect(changed).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    expect(again).toMatchObject({ key: first.key, replaced: first.replaced });
    expect(again.replay?.keyDigest).toBe(first.keyDigest);
  });

  it('for the key that rotated itself, for five minutes; it may start nothing else', async () => {
    const { accountId, keyId, session } = await signUp();
    const asker = createKeyClient(identity, accountId, keyId);
    const first = await asker.rotate(keyId, withKey('own'));
    await expect(asker.rotate(keyId, withKey('own'))).resolves.toMatchObject({ key: first.key });
    for (const ask of [
      () => asker.rotate(keyId, withKey('guessed')),
      () => asker.rotate(keyId),
      () => asker.rotate(first.key.id, withKey('own')),
      () => asker.create({}, withKey('own')),
    ]) {
      await expect(ask()).rejects.toMatchObject({ code: 'key_is_ending' });
    }
    identity.clock.advance(5 * 60_000);
    await expect(asker.rotate(keyId, withKey('own'))).rejects.toMatchObject({ code: 'key_is_ending' });
    await session.revoke(keyId);
    await expect(asker.rotate(keyId, withKey('own'))).rejects.toMatchObject({ code: 'invalid_api_key' });
  });
});

describe('a kept reply', () => {
  it('is no rejection: the same Idempotency-Key works once there is room', async () => {
    const { accountId, keyId } = await identity.signUp();
    const session = createKeyClient(identity, accountId);
    await session.create();
    await expect(session.create({}, withKey('room'))).rejects.toMatchObject({ code: 'key_limit' });
    await session.revoke(keyId);
    const made = await session.create({}, withKey('room'));
    expect(made).not.toHaveProperty('replay');
  });

  it('is repeated for 24 hours; then the same Idempotency-Key creates a new key', async () => {
    const { session } = await signUp();
    const first = await session.create({}, withKey('daily'));
    identity.clock.advance(24 * HOUR_MS - 1);
    await expect(session.create({}, withKey('daily'))).resolves.toMatchObject({ id: first.id });
    identity.clock.advance(1);
    const second = await session.create({}, withKey('daily'));
    expect(second.id).not.toBe(first.id);
    expect(second).not.toHaveProperty('replay');
    await expect(session.create({}, withKey('daily'))).resolves.toMatchObject({
      id: second.id,
      replay: { keyDigest: second.keyDigest },
    });
  });
});
