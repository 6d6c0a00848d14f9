import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { webhookDispatcher } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { codeOf, eventually } from '@tds/test-kit';
import { startDispatcher, type TestDispatcher } from '../test-support/start-dispatcher.ts';

let service: TestDispatcher;
beforeAll(async () => {
  service = await startDispatcher();
});
afterAll(() => service.stop());

const attempted =
  (count: number) => (one: { delivery: { attempt_count: number; next_attempt_at: string | null } }) =>
    one.delivery.attempt_count === count && one.delivery.next_attempt_at !== null;
const readWebhook = async (accountId: string) =>
  (await service.call(webhookDispatcher.getWebhook, { accountId }, testContext())).webhook;
const agoSince = (accountId: string, days: number, failedDays = 2) =>
  service.query(
    `UPDATE webhooks SET failing_since = now() - $2::int * interval '1 day', failed_on = failed_on - 1,
       failed_days = $3 WHERE account_id = $1`,
    [accountId, days, failedDays],
  );

describe('a webhook', () => {
  it('that has failed for five days is disabled, and its owner is notified', async () => {
    const { accountId, path } = await service.newAccount(500);
    await service.emitJob('jobCompleted', { accountId });
    await service.until(accountId, attempted(1));
    await agoSince(accountId, 5);
    await service.hurry(accountId);
    await service.until(accountId, attempted(2));
    expect(await readWebhook(accountId)).toMatchObject({ enabled: false, disabled_reason: 'failing' });
    const [disabled] = await eventually(() => {
      const mine = service.caller.received(webhookDispatcher.webhookDisabled);
      if (mine.length === 0) throw new Error('not emitted yet');
      return mine;
    });
    expect(disabled).toMatchObject({ accountId, host: '127.0.0.1' });
    const test = service.call(webhookDispatcher.sendTestEvent, { accountId }, testContext());
    expect(await codeOf(test)).toBe('webhook_not_configured');
    await service.put(accountId, { url: service.receiver.hookUrl + path });
    expect(await readWebhook(accountId)).toMatchObject({
      enabled: true,
      disabled_reason: null,
      disabled_at: null,
    });
  });

  it('that has failed on two days only stays enabled, even if they are far apart', async () => {
    const { accountId } = await service.newAccount(500);
    await service.emitJob('jobCompleted', { accountId });
    await service.until(accountId, attempted(1));
    await agoSince(accountId, 6, 1);
    await service.hurry(accountId);
    await service.until(accountId, attempted(2));
    expect(await readWebhook(accountId)).toMatchObject({ enabled: true });
  });

  it('that is disabled stores its events as failed deliveries, which can be resent when it is enabled', async () => {
    const { accountId, path } = await service.newAccount();
    await service.query(
      `UPDATE webhooks SET enabled = false, disabled_reason = 'failing', disabled_at = now() WHERE account_id = $1`,
      [accountId],
    );
    const jobId = randomUUID();
    await service.emitJob('jobCompleted', { accountId, jobId });
    const { delivery } = await service.until(accountId, (one) => one.delivery.job_id === jobId);
    expect(delivery).toMatchObject({ status: 'failed', attempt_count: 0, next_attempt_at: null });
    await eventually(() =>
      expect(
        service.caller
          .received(webhookDispatcher.jobDeliveryChanged)
          .filter((change) => change.jobId === jobId),
      ).toMatchObject([{ status: 'failed' }]),
    );
    const resend = () =>
      service.call(webhookDispatcher.resendDelivery, { accountId, deliveryId: delivery.id }, testContext());
    expect(await codeOf(resend())).toBe('webhook_not_configured');
    await service.put(accountId, { url: service.receiver.hookUrl + path });
    const again = await resend();
    await service.until(
      accountId,
      (one) => one.delivery.id === again.delivery.id && one.delivery.status === 'delivered',
    );
    expect(service.receiver.received(path)).toMatchObject([
      { deliveryId: again.delivery.id, isVerified: true },
    ]);
  });

  it('that has failed for less than five days stays enabled', async () => {
    const { accountId } = await service.newAccount(500);
    await service.emitJob('jobCompleted', { accountId });
    await service.until(accountId, attempted(1));
    await agoSince(accountId, 4);
    await service.hurry(accountId);
    await service.until(accountId, attempted(2));
    expect(await readWebhook(accountId)).toMatchObject({ enabled: true });
  });

  it('starts counting again after every success', async () => {
    const { accountId } = await service.newAccount(500, 200, 500);
    await service.emitJob('jobCompleted', { accountId });
    await service.until(accountId, attempted(1));
    await agoSince(accountId, 9);
    // The age is checked after an attempt; this one succeeds.
    await service.hurry(accountId);
    await service.until(accountId, ({ delivery }) => delivery.status === 'delivered');
    await service.emitJob('jobFailed', { accountId });
    await service.until(accountId, attempted(1));
    expect(await readWebhook(accountId)).toMatchObject({ enabled: true });
  });

  it('is not disabled by failures at the URL of a job', async () => {
    const { accountId, path } = await service.newAccount();
    service.receiver.script([500], `${path}/job`);
    await agoSince(accountId, 0);
    await service.query('UPDATE webhooks SET failing_since = NULL WHERE account_id = $1', [accountId]);
    await service.emitJob('jobCompleted', {
      accountId,
      webhookUrl: `${service.receiver.hookUrl}${path}/job`,
    });
    await service.until(accountId, attempted(1));
    const [row] = await service.query('SELECT failing_since FROM webhooks WHERE account_id = $1', [accountId]);
    expect(row).toEqual({ failing_since: null });
  });
});
