import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { webhookDispatcher } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { doomedProcesses, eventually } from '@tds/test-kit';
import { startDispatcher, type TestDispatcher } from './test-support/start-dispatcher.ts';

const program = path.resolve(import.meta.dirname, 'main.ts');
let service: TestDispatcher;
const doomed = doomedProcesses(program, () => service.environment);
beforeAll(async () => {
  service = await startDispatcher();
});
afterAll(async () => {
  doomed.stop();
  await service?.stop();
});

type Found = Awaited<ReturnType<TestDispatcher['get']>>;
const hasEnded = ({ delivery }: Found) => delivery.status !== 'pending';
const waits = ({ delivery }: Found) => delivery.attempt_count === 1 && delivery.next_attempt_at !== null;

/** An account with a webhook, and an address that a key gave. */
const withAddress = async (...script: (number | 'slow')[]) => {
  const account = await service.newAccount();
  const at = `${account.path}/app`;
  if (script.length > 0) service.receiver.script(script, at);
  const given = { webhookUrl: service.receiver.hookUrl + at, webhookKeyId: randomUUID() };
  return { ...account, given, heard: () => service.receiver.received(at).length };
};
const refused = { delivery: { status: 'failed' }, attempts: [{ error: 'key_revoked', status: null }] };

describe('an address whose key was revoked at once', () => {
  it.each([
    ['revoke', 'at once'],
    ['passOn', 'with its person, whose work goes on'],
  ] as const)(
    'gets no event of a job or a monitor after %s %s; the webhook of the account gets its own',
    async (end, _when) => {
      const { accountId, path: own, given, heard } = await withAddress();
      await service.emitJob('jobPaused', { accountId, ...given });
      await service.until(accountId, hasEnded);
      expect(heard()).toBe(1);
      service[end](given.webhookKeyId);
      const jobId = randomUUID();
      await service.emitJob('jobCompleted', { accountId, jobId, ...given });
      expect(
        await service.until(accountId, (one) => one.delivery.job_id === jobId && hasEnded(one)),
      ).toMatchObject({
        ...refused,
        delivery: { ...refused.delivery, attempt_count: 0 },
      });
      const monitorId = randomUUID().replaceAll('-', '');
      await service.emitNewVideos({ accountId, monitorId, ...given });
      await service.until(accountId, (one) => one.delivery.monitor_id === monitorId && hasEnded(one));
      await service.emitJob('jobCompleted', { accountId });
      await eventually(() => expect(service.receiver.received(own)).toHaveLength(1));
      expect(heard()).toBe(1);
      await eventually(() =>
        expect(service.caller.received(webhookDispatcher.jobDeliveryChanged)).toContainEqual(
          expect.objectContaining({ jobId, status: 'failed' }),
        ),
      );
    },
  );

  it('gets no retry that waited, and its failure is none of the receiver', async () => {
    const { accountId, given, heard } = await withAddress(500);
    await service.emitJob('jobCompleted', { accountId, ...given });
    await service.until(accountId, waits);
    service.revoke(given.webhookKeyId);
    await service.hurry(accountId);
    const { attempts } = await service.until(accountId, hasEnded);
    expect(attempts.map(({ error }) => error)).toEqual(['status', 'key_revoked']);
    expect(heard()).toBe(1);
  });

  it('gets nothing after a process died between the count of an attempt and the attempt', async () => {
    const { accountId, given, heard } = await withAddress(500);
    await service.emitJob('jobCompleted', { accountId, ...given });
    await service.until(accountId, waits);
    await service.stopService();
    await doomed.dieAt('attempts-counted', () => service.hurry(accountId));
    service.revoke(given.webhookKeyId);
    await service.rows.endLeases('deliveries');
    await service.startService();
    await service.until(accountId, ({ attempts }) => attempts.length === 2);
    await service.hurry(accountId);
    const { attempts } = await service.until(accountId, hasEnded);
    expect(attempts.map(({ error }) => error)).toEqual(['status', 'interrupted', 'key_revoked']);
    expect(heard()).toBe(1);
  });

  it('gets nothing before identity has answered, and then all of it', async () => {
    const { accountId, given, heard } = await withAddress();
    service.identityIsAway(true);
    await service.emitJob('jobCompleted', { accountId, ...given });
    const unsent = ({ delivery }: Found) => delivery.attempt_count === 0 && delivery.next_attempt_at !== null;
    const at = new Date();
    await service.until(accountId, (one) => unsent(one) && new Date(String(one.delivery.next_attempt_at)) > at);
    service.identityIsAway(false);
    expect(heard()).toBe(0);
    await service.hurry(accountId);
    await service.until(accountId, hasEnded);
    expect(heard()).toBe(1);
  });

  it('is left out when the event is sent again: that goes to the webhook of the account', async () => {
    const { accountId, path: own, given, heard } = await withAddress();
    service.revoke(given.webhookKeyId);
    await service.emitJob('jobCompleted', { accountId, ...given });
    const { delivery: old } = await service.until(accountId, hasEnded);
    const again = { accountId, deliveryId: old.id };
    const { delivery } = await service.call(webhookDispatcher.resendDelivery, again, testContext());
    await service.until(accountId, (one) => one.delivery.id === delivery.id && hasEnded(one));
    expect(service.receiver.received(own)).toMatchObject([{ deliveryId: delivery.id, isVerified: true }]);
    expect(heard()).toBe(0);
  });
});
