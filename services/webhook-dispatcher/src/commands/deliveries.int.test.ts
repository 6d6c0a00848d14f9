import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { webhookDispatcher } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { codeOf, eventually } from '@tds/test-kit';
import { sealedSecret, startDispatcher, type TestDispatcher } from '../test-support/start-dispatcher.ts';

let service: TestDispatcher;
beforeAll(async () => {
  service = await startDispatcher();
});
afterAll(() => service.stop());

const sendTest = (accountId: string) =>
  service.call(webhookDispatcher.sendTestEvent, { accountId }, testContext());
const resend = (accountId: string, deliveryId: string) =>
  service.call(webhookDispatcher.resendDelivery, { accountId, deliveryId }, testContext());
const ended = ({ delivery }: { delivery: { status: string } }) => delivery.status !== 'pending';
const hasAttempts =
  (count: number) => (one: { delivery: { attempt_count: number; next_attempt_at: string | null } }) =>
    one.delivery.attempt_count === count && one.delivery.next_attempt_at !== null;

describe('a test event', () => {
  it('is sent at once and is a delivery like any other', async () => {
    const { accountId, path } = await service.newAccount();
    const { delivery } = await sendTest(accountId);
    expect(delivery).toMatchObject({ event: 'webhook.test', status: 'pending', job_id: null });
    expect((await service.until(accountId, ended)).delivery).toMatchObject({
      id: delivery.id,
      status: 'delivered',
    });
    expect(service.receiver.received(path)).toMatchObject([{ event: 'webhook.test', isVerified: true }]);
  });

  it('needs a webhook', async () => {
    expect(await codeOf(sendTest(randomUUID()))).toBe('webhook_not_configured');
  });
});

describe('deliveries', () => {
  it('are listed newest first, in pages, and by status, kind and job', async () => {
    const { accountId } = await service.newAccount();
    const jobId = randomUUID();
    await service.emitJob('jobPaused', { accountId, jobId, version: 1 });
    await service.until(accountId, ended);
    await service.emitJob('jobResumed', { accountId, jobId, version: 2 });
    await service.until(
      accountId,
      ({ delivery }) => delivery.event === 'job.resumed' && delivery.status === 'delivered',
    );
    await sendTest(accountId);
    await service.until(
      accountId,
      ({ delivery }) => delivery.event === 'webhook.test' && delivery.status === 'delivered',
    );
    const kinds = async (given: object) =>
      (await service.list(accountId, given)).deliveries.map(({ event }) => event);
    expect(await kinds({})).toEqual(['webhook.test', 'job.resumed', 'job.paused']);
    expect(await kinds({ jobId })).toEqual(['job.resumed', 'job.paused']);
    expect(await kinds({ event: 'job.paused' })).toEqual(['job.paused']);
    expect(await kinds({ status: 'failed' })).toEqual([]);
    expect(await service.list(accountId, { limit: 2 })).toMatchObject({ total: 3 });
    expect(await service.list(accountId, { limit: 2, offset: 2 })).toMatchObject({
      total: 3,
      deliveries: [{ event: 'job.paused' }],
    });
  });

  it('of other accounts do not exist', async () => {
    const [mine, other] = [await service.newAccount(), await service.newAccount()];
    const { delivery } = await sendTest(mine.accountId);
    await service.until(mine.accountId, ended);
    for (const asked of [service.get(other.accountId, delivery.id), resend(other.accountId, delivery.id)])
      expect(await codeOf(asked)).toBe('delivery_not_found');
    expect(await codeOf(service.get(mine.accountId, randomUUID()))).toBe('delivery_not_found');
  });

  it('that have ended are resent as new ones that name the old one, with the same body and the current secret', async () => {
    const { accountId, path } = await service.newAccount();
    const { delivery: old } = await sendTest(accountId);
    await service.until(accountId, ended);
    const rotated = sealedSecret(accountId);
    service.receiver.addSecret(rotated.secret);
    const url = service.receiver.hookUrl + path;
    await service.put(accountId, { url, rotateSecret: true, sealedSecret: rotated.sealedSecret });
    const { delivery } = await resend(accountId, old.id);
    expect(delivery).toMatchObject({ resent_from: old.id, event_id: old.event_id, status: 'pending' });
    await service.until(accountId, (one) => one.delivery.id === delivery.id && ended(one));
    const [first, second] = service.receiver.received(path);
    expect([second?.body, second?.deliveryId, second?.isVerified]).toEqual([first?.body, delivery.id, true]);
  });

  it('that wait for a retry are replaced by the resent one, which goes to the current URL', async () => {
    const { accountId, path } = await service.newAccount(500);
    const { delivery: old } = await sendTest(accountId);
    await service.until(accountId, hasAttempts(1));
    await service.put(accountId, { url: `${service.receiver.hookUrl}${path}/moved` });
    const { delivery } = await resend(accountId, old.id);
    await service.until(accountId, (one) => one.delivery.id === delivery.id && ended(one));
    await service.hurry(accountId);
    expect(await service.get(accountId, old.id)).toMatchObject({
      delivery: { status: 'failed', replaced_by: delivery.id, attempt_count: 1, next_attempt_at: null },
    });
    expect(service.receiver.received(path)).toHaveLength(1);
    expect(service.receiver.received(`${path}/moved`)).toMatchObject([{ deliveryId: delivery.id }]);
  });

  it('that are resent during an attempt end with its outcome, without another attempt', async () => {
    const { accountId, path } = await service.newAccount('slow', 200);
    const { delivery: old } = await sendTest(accountId);
    await eventually(() => expect(service.receiver.received(path)).toHaveLength(1));
    const { delivery } = await resend(accountId, old.id);
    await service.until(accountId, (one) => one.delivery.id === delivery.id && ended(one));
    await eventually(async () =>
      expect(await service.get(accountId, old.id)).toMatchObject({
        delivery: { status: 'delivered', replaced_by: delivery.id, attempt_count: 1 },
      }),
    );
  });

  it('are limited to two hundred test events and resends a day, and no row is stored beyond', async () => {
    const { accountId } = await service.newAccount();
    const { delivery } = await sendTest(accountId);
    await service.query('UPDATE queues SET asked = 199 WHERE account_id = $1', [accountId]);
    await resend(accountId, delivery.id);
    expect(await codeOf(resend(accountId, delivery.id))).toBe('webhook_test_cap');
    expect(await codeOf(sendTest(accountId))).toBe('webhook_test_cap');
    expect((await service.list(accountId)).deliveries).toHaveLength(2);
    await service.query('UPDATE queues SET asked_on = asked_on - 1 WHERE account_id = $1', [accountId]);
    await sendTest(accountId);
  });

  it('show their owner the body that was sent', async () => {
    const { accountId, path } = await service.newAccount();
    const { delivery } = await sendTest(accountId);
    await service.until(accountId, ended);
    expect((await service.get(accountId, delivery.id)).body).toBe(service.receiver.received(path)[0]?.body);
  });

  it('keep their secret after a rotation and after the webhook was deleted, and no purge deletes it', async () => {
    for (const change of ['rotate', 'delete'] as const) {
      const { accountId, path, secret } = await service.newAccount(500, 200);
      await sendTest(accountId);
      await service.until(accountId, hasAttempts(1));
      const url = service.receiver.hookUrl + path;
      if (change === 'rotate') await service.put(accountId, { url, rotateSecret: true });
      else await service.call(webhookDispatcher.deleteWebhook, { accountId, keyId: null }, testContext());
      await service.handlers().schedules.purgeOldRows(testContext());
      await service.hurry(accountId);
      await service.until(accountId, ended);
      // The receiver accepts no other secret of this account.
      expect(service.receiver.received(path).map(({ isVerified }) => isVerified)).toEqual([true, true]);
      expect(secret).toMatch(/^whsec_/);
    }
  });

  it('that have ended reference no secret, and an unreferenced secret is deleted', async () => {
    const { accountId } = await service.newAccount();
    await sendTest(accountId);
    await service.until(accountId, ended);
    await service.call(webhookDispatcher.deleteWebhook, { accountId, keyId: null }, testContext());
    await service.handlers().schedules.purgeOldRows(testContext());
    expect(await service.query('SELECT FROM secrets WHERE account_id = $1', [accountId])).toEqual([]);
  });

  it('are deleted after thirty days, with their attempts', async () => {
    const { accountId } = await service.newAccount();
    const { delivery } = await sendTest(accountId);
    await service.until(accountId, ended);
    await service.query(`UPDATE deliveries SET ended_at = now() - interval '31 days' WHERE id = $1`, [
      delivery.id,
    ]);
    await service.handlers().schedules.purgeOldRows(testContext());
    expect(await codeOf(service.get(accountId, delivery.id))).toBe('delivery_not_found');
  });
});

describe('a job', () => {
  it('gets the status of the delivery of its newest event', async () => {
    const { accountId } = await service.newAccount();
    const jobId = randomUUID();
    await service.emitJob('jobCompleted', { accountId, jobId });
    const changes = await eventually(() => {
      const all = service.caller.received(webhookDispatcher.jobDeliveryChanged);
      const mine = all.filter((one) => one.jobId === jobId).sort((one, other) => one.version - other.version);
      if (mine.length < 2) throw new Error('not emitted yet');
      return mine;
    });
    expect(changes.map(({ status }) => status)).toEqual(['pending', 'delivered']);
  });
});
