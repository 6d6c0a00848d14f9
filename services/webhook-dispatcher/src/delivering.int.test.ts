import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, timeOfId, webhookBody, webhookDispatcher } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { newJobEvent, startDispatcher, type TestDispatcher } from './test-support/start-dispatcher.ts';

let service: TestDispatcher;
beforeAll(async () => {
  service = await startDispatcher();
});
afterAll(() => service.stop());

const ended = ({ delivery }: { delivery: { status: string } }) => delivery.status !== 'pending';
const attemptsOf =
  (count: number) => (one: { delivery: { attempt_count: number; next_attempt_at: string | null } }) =>
    one.delivery.attempt_count === count && one.delivery.next_attempt_at !== null;

describe('a delivery', () => {
  it('of a job is signed and has the documented body', async () => {
    const { accountId, path } = await service.newAccount();
    await service.emitJob('jobCompleted', { accountId, version: 7 });
    const { delivery, attempts } = await service.until(accountId, ended);
    expect(delivery).toMatchObject({ status: 'delivered', event: 'job.completed', attempt_count: 1 });
    expect(attempts).toMatchObject([{ number: 1, status: 200, error: null, answer: 'answered 200' }]);
    const [came] = service.receiver.received(path);
    expect(came).toMatchObject({ isVerified: true, event: 'job.completed', deliveryId: delivery.id });
    const body = webhookBody('job.completed').parse(JSON.parse(came?.body ?? ''));
    expect(body).toMatchObject({ id: delivery.event_id, data: { job_id: delivery.job_id, version: 7 } });
  });

  it.each([
    ['jobFailed', 'job.failed'],
    ['jobPaused', 'job.paused'],
    ['jobResumed', 'job.resumed'],
  ] as const)('is created for %s too', async (event, kind) => {
    const { accountId, path } = await service.newAccount();
    await service.emitJob(event, { accountId, pauseReason: 'insufficient_credits', status: 'paused' });
    await service.until(accountId, ended);
    expect(service.receiver.received(path)).toMatchObject([{ event: kind, isVerified: true }]);
  });

  it('of new videos names its monitor, goes to the URL of that, and can be listed by monitor', async () => {
    const { accountId, path } = await service.newAccount();
    const monitorId = randomUUID().replaceAll('-', '');
    await service.emitNewVideos({ accountId, monitorId });
    await service.until(accountId, ended);
    const [came] = service.receiver.received(path);
    expect(came).toMatchObject({ isVerified: true, event: 'channel.new_videos' });
    const body = webhookBody('channel.new_videos').parse(JSON.parse(came?.body ?? ''));
    expect(body.data).toMatchObject({ monitor_id: monitorId, videos: [{ video_id: 'dQw4w9WgXcQ' }] });
    const webhookUrl = `${service.receiver.hookUrl}${path}/monitor`;
    await service.emitNewVideos({ accountId, monitorId, webhookUrl });
    await eventually(() =>
      expect(service.receiver.received(`${path}/monitor`)).toMatchObject([{ isVerified: true }]),
    );
    await service.emitNewVideos({ accountId });
    await eventually(async () => expect((await service.list(accountId)).deliveries).toHaveLength(3));
    const { deliveries } = await service.list(accountId, { monitorId });
    expect(deliveries.map((delivery) => delivery.monitor_id)).toEqual([monitorId, monitorId]);
  });

  it('of new videos is refused without a webhook, so that the monitor emits them again', async () => {
    const [accountId, monitorId] = [randomUUID(), randomUUID().replaceAll('-', '')];
    await service.emitNewVideos({ accountId, after: 7, isExpected: false });
    await service.emitNewVideos({ accountId, monitorId, after: 7 });
    const refused = () => service.caller.received(webhookDispatcher.newVideosRefused);
    await eventually(() => expect(refused()).toMatchObject([{ accountId, monitorId, after: 7 }]));
    expect(await service.list(accountId)).toEqual({ deliveries: [], total: 0 });
  });

  it('is not created for an account without a webhook', async () => {
    const { accountId } = await service.newAccount();
    const other = await service.newAccount();
    await service.call(webhookDispatcher.deleteWebhook, { accountId, keyId: null }, testContext());
    await service.emitJob('jobCompleted', { accountId });
    await service.emitJob('jobCompleted', { accountId: other.accountId });
    await service.until(other.accountId, ended);
    expect(await service.list(accountId)).toEqual({ deliveries: [], total: 0 });
  });

  it('goes to the URL of the job, signed with the secret of the account', async () => {
    const { accountId, path } = await service.newAccount();
    const webhookUrl = `${service.receiver.hookUrl}${path}/job`;
    await service.emitJob('jobCompleted', { accountId, webhookUrl });
    await service.until(accountId, ended);
    expect(service.receiver.received(`${path}/job`)).toMatchObject([{ isVerified: true }]);
    expect(service.receiver.received(path)).toEqual([]);
  });

  it('is attempted five times with the same id, the same body and fresh timestamps, and then never again', async () => {
    const { accountId, path } = await service.newAccount(500);
    await service.emitJob('jobCompleted', { accountId });
    for (const number of [1, 2, 3, 4]) {
      await service.until(accountId, attemptsOf(number));
      await service.hurry(accountId);
    }
    const { delivery, attempts } = await service.until(accountId, ended);
    expect(delivery).toMatchObject({ status: 'failed', attempt_count: 5, next_attempt_at: null });
    expect(attempts.map(({ number, error, status }) => [number, error, status])).toEqual(
      [1, 2, 3, 4, 5].map((number) => [number, 'status', 500]),
    );
    await service.hurry(accountId);
    const came = service.receiver.received(path);
    expect(came).toHaveLength(5);
    expect(new Set(came.map(({ deliveryId, body }) => deliveryId + body)).size).toBe(1);
    expect(came.every(({ isVerified }) => isVerified)).toBe(true);
  });

  it('waits a minute, ten minutes, two hours and twelve hours between its attempts', async () => {
    const { accountId } = await service.newAccount(503);
    await service.emitJob('jobCompleted', { accountId });
    const minutes: number[] = [];
    for (const number of [1, 2, 3, 4]) {
      await service.until(accountId, attemptsOf(number));
      const [row] = await service.query<{ minutes: number }>(
        `SELECT extract(epoch FROM due_at - (attempt_log -> -1 ->> 'at')::timestamptz)::float8 / 60 AS minutes
         FROM deliveries WHERE account_id = $1`,
        [accountId],
      );
      minutes.push(row?.minutes ?? 0);
      await service.hurry(accountId);
    }
    const [first = 0, second = 0, third = 0, fourth = 0] = minutes;
    expect(first).toBeGreaterThanOrEqual(0.99);
    expect(first).toBeLessThan(1.5);
    expect(second).toBeGreaterThanOrEqual(9.99);
    expect(second).toBeLessThan(12);
    expect(third).toBeGreaterThanOrEqual(119.9);
    expect(third).toBeLessThan(133);
    expect(fourth).toBeGreaterThanOrEqual(659);
    expect(fourth).toBeLessThan(721);
  });

  it('that succeeds after failures is delivered and not attempted again', async () => {
    const { accountId, path } = await service.newAccount(500, 'reset', 200);
    await service.emitJob('jobCompleted', { accountId });
    for (const number of [1, 2]) {
      await service.until(accountId, attemptsOf(number));
      await service.hurry(accountId);
    }
    const { delivery, attempts } = await service.until(accountId, ended);
    expect(delivery).toMatchObject({ status: 'delivered', attempt_count: 3 });
    expect(attempts.map(({ error }) => error)).toEqual(['status', 'connection', null]);
    expect(service.receiver.received(path)).toHaveLength(3);
  });

  it('of an event that is handled again after a restore is the same delivery', async () => {
    const { accountId, path } = await service.newAccount();
    const job = newJobEvent({ accountId });
    /** A context of a database that lost its inbox but not its deliveries. */
    const context = {
      ...testContext(),
      messageId: newId(),
      once: (_tx: unknown, effect: () => Promise<void>) => effect(),
      onceIfNewest: () => Promise.reject(new Error('not used')),
    };
    for (let time = 0; time < 3; time += 1) await service.handlers().subscriptions.jobCompleted(job, context);
    const { delivery } = await service.until(accountId, ended);
    expect(delivery.id).toBe(context.messageId);
    const { body } = await service.get(accountId, delivery.id);
    expect(JSON.parse(body).created_at).toBe(timeOfId(context.messageId).toISOString());
    expect((await service.list(accountId)).deliveries).toHaveLength(1);
    expect(service.receiver.received(path)).toHaveLength(1);
  });
});
