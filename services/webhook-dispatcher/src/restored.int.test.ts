import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PayloadOf, webhookDispatcher } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { copyDatabase, eventually } from '@tds/test-kit';
import { sealedSecret, startDispatcher, type TestDispatcher } from './test-support/start-dispatcher.ts';

let service: TestDispatcher;
beforeAll(async () => {
  service = await startDispatcher();
});
afterAll(() => service.stop());

const readWebhook = async (accountId: string) =>
  (await service.call(webhookDispatcher.getWebhook, { accountId }, testContext())).webhook;
const remove = (accountId: string) =>
  service.call(webhookDispatcher.deleteWebhook, { accountId, keyId: null }, testContext());
const listChanges = (accountId: string) =>
  service.caller.received(webhookDispatcher.webhookChanged).filter((change) => change.accountId === accountId);
const findLastChange = (accountId: string, version: number) =>
  eventually(() => {
    const last = listChanges(accountId).find((change) => change.version > version);
    if (last === undefined) throw new Error('not emitted yet');
    return last;
  });

/** Handles an event that this service emitted and its restored database lacks. */
const reapply = async (lost: PayloadOf<typeof webhookDispatcher.webhookChanged>) => {
  const context = {
    ...testContext(),
    messageId: randomUUID(),
    once: (_tx: unknown, effect: () => Promise<void>) => effect(),
    onceIfNewest: () => Promise.reject(new Error('not used')),
  };
  await service.handlers().onOwnLostEvents?.webhookChanged?.(lost, context);
};

/** Restores the copy taken before `change`, so that the database loses the change. */
const loseChange = async (change: () => Promise<unknown>) => {
  const copy = await copyDatabase(service.harness.databases['webhook-dispatcher']);
  await change();
  await copy.putBack();
  return copy;
};

describe('a restored database', () => {
  it('brings back no deleted webhook, replaced URL, old threshold or rotated secret', async () => {
    const [deleted, changed] = [await service.newAccount(), await service.newAccount()];
    const added = randomUUID();
    const rotated = sealedSecret(changed.accountId);
    const url = `${service.receiver.hookUrl}${changed.path}/moved`;
    const keyId = randomUUID();
    const copy = await loseChange(async () => {
      await service.put(changed.accountId, { url, rotateSecret: true, sealedSecret: rotated.sealedSecret });
      await service.put(changed.accountId, { url, lowBalanceThreshold: 9, keyId });
      await remove(deleted.accountId);
      await service.put(added);
      // What the broker has not heard of is lost with the database.
      await eventually(() => {
        expect(listChanges(deleted.accountId).at(-1)?.changes).toEqual(['removed']);
        expect(listChanges(changed.accountId).at(-1)?.keyId).toBe(keyId);
        expect(listChanges(added)).toHaveLength(1);
      });
    });
    await eventually(async () => {
      expect(await readWebhook(deleted.accountId)).toBeNull();
      expect(await readWebhook(changed.accountId)).toMatchObject({
        url,
        low_balance_threshold: 9,
        updated_by_key_id: keyId,
      });
      expect(await readWebhook(added)).toMatchObject({ enabled: true });
    });
    const stored = await service.query<{ sealed: string }>(
      'SELECT sealed FROM secrets s JOIN webhooks w ON w.secret_id = s.id WHERE w.account_id = $1',
      [changed.accountId],
    );
    expect(stored).toEqual([{ sealed: rotated.sealedSecret }]);
    service.receiver.addSecret(rotated.secret);
    await service.emitJob('jobCompleted', { accountId: changed.accountId });
    await eventually(() =>
      expect(service.receiver.received(`${changed.path}/moved`)).toMatchObject([{ isVerified: true }]),
    );
    await service.put(changed.accountId, { url });
    const versions = listChanges(changed.accountId).map(({ version }) => version);
    expect(versions.toSorted((one, other) => one - other)).toEqual(versions);
    await copy.drop();
  });

  it('creates the delivery of an event that arrives before the webhook is known again', async () => {
    const accountId = randomUUID();
    const [lost] = await service.query<{ id: string }>(
      `INSERT INTO messaging.tasks (name, payload, due_at, dedupe_key)
       VALUES ('kit-replay-event', '{}', now() + interval '1 hour', 'emitter lost') RETURNING id`,
    );
    await service.emitJob('jobCompleted', { accountId });
    const waiting = `SELECT FROM messaging.tasks WHERE state = 'ready' AND payload -> 'payload' ->> 'accountId' = $1`;
    await eventually(async () => expect(await service.query(waiting, [accountId])).toHaveLength(1));
    await service.put(accountId);
    await service.query('DELETE FROM messaging.tasks WHERE id = $1', [lost?.id]);
    await service.until(accountId, ({ delivery }) => delivery.status === 'delivered');
  });

  it('keeps a disabled webhook disabled', async () => {
    const { accountId } = await service.newAccount(500);
    const { version: before } = await findLastChange(accountId, 0);
    const copy = await loseChange(async () => {
      await service.query(
        `UPDATE webhooks SET failing_since = now() - interval '6 days', failed_days = 3 WHERE account_id = $1`,
        [accountId],
      );
      await service.emitJob('jobCompleted', { accountId });
      expect(await findLastChange(accountId, before)).toMatchObject({ changes: ['disabled'], keyId: null });
    });
    await eventually(async () => expect(await readWebhook(accountId)).toMatchObject({ enabled: false }));
    await copy.drop();
  });

  it('disables a webhook whose new secret it can no longer open, and notifies its owner', async () => {
    const { accountId } = await service.newAccount();
    const lost = {
      ...{ accountId, changes: ['secret' as const], host: 'hooks.example', keyId: null },
      ...{ state: 'gone.nothing-opens-this', version: Date.now() * 1_000 + 60_000_000 },
    };
    await reapply(lost);
    expect(await readWebhook(accountId)).toMatchObject({ enabled: false, disabled_reason: 'secret_lost' });
    expect(await findLastChange(accountId, lost.version)).toMatchObject({ changes: ['secret_lost'] });
  });

  it('keeps a lost rotation even if the webhook was configured again since', async () => {
    const { accountId, path } = await service.newAccount();
    const { secret, sealedSecret: sealed } = sealedSecret(accountId);
    const { version: before } = await findLastChange(accountId, 0);
    await service.put(accountId, { rotateSecret: true, sealedSecret: sealed });
    const rotation = await findLastChange(accountId, before);
    const [old] = await service.query<{ id: string }>(
      'SELECT id FROM secrets WHERE account_id = $1 ORDER BY created_at LIMIT 1',
      [accountId],
    );
    await service.query('UPDATE webhooks SET secret_id = $2 WHERE account_id = $1', [accountId, old?.id]);
    await service.query('DELETE FROM secrets WHERE account_id = $1 AND id <> $2', [accountId, old?.id]);
    await service.put(accountId, { url: service.receiver.hookUrl + path });
    await reapply(rotation);
    service.receiver.addSecret(secret);
    await service.emitJob('jobCompleted', { accountId });
    await eventually(() => expect(service.receiver.received(path)).toMatchObject([{ isVerified: true }]));
  });
});
