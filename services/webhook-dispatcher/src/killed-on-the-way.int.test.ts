import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { webhookDispatcher } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { doomedProcesses, eventually } from '@tds/test-kit';
import { receiverCalls } from './test-support/receivers.ts';
import { startDispatcher, type TestDispatcher } from './test-support/start-dispatcher.ts';

const program = path.resolve(import.meta.dirname, 'main.ts');
let service: TestDispatcher;
let calls: ReturnType<typeof receiverCalls>;
const doomed = doomedProcesses(program, () => service.environment);
beforeAll(async () => {
  service = await startDispatcher();
  calls = receiverCalls(service);
});
afterAll(async () => {
  doomed.stop();
  await service?.stop();
});

/** A waiting delivery with `attempts` attempts, of an account whose queue is never due. */
const seed = async (attempts: number) => {
  const account = await service.newAccount();
  const { accountId } = account;
  const { delivery } = await service.call(webhookDispatcher.sendTestEvent, { accountId }, testContext());
  await service.until(accountId, (one) => one.delivery.status === 'delivered');
  await service.stopService();
  await service.query(
    `UPDATE deliveries d SET state = 'waiting', attempts = $2, attempt_log = '[]', ended_at = NULL, due_at = now(), secret_id = w.secret_id
     FROM webhooks w WHERE d.id = $1 AND w.account_id = d.account_id`,
    [delivery.id, attempts],
  );
  return { ...account, id: delivery.id };
};
const endAbandoned = () => service.handlers().schedules.endAbandonedAttempts(testContext());
const dieCounting = async (accountId: string) => {
  await doomed.dieAt('attempts-counted', () => service.hurry(accountId));
  await service.rows.endLeases('deliveries');
  await service.startService();
  await endAbandoned();
};

describe('a process that dies after it has counted an attempt and before it has sent it', () => {
  it('in the first attempt loses that attempt, and the next one delivers', async () => {
    const { accountId, path: at, id } = await seed(0);
    await dieCounting(accountId);
    const lost = await service.get(accountId, id);
    expect(lost).toMatchObject({
      delivery: { status: 'pending', attempt_count: 1 },
      attempts: [{ number: 1, error: 'interrupted', status: null }],
    });
    await service.hurry(accountId);
    const { delivery } = await service.until(accountId, (one) => one.delivery.status === 'delivered');
    expect(delivery.attempt_count).toBe(2);
    const ids = service.receiver.received(at).map(({ deliveryId }) => deliveryId);
    expect(ids).toEqual([id, id]);
  });

  it('in the fifth attempt leaves a failed delivery without a sixth', async () => {
    const { accountId, path: at, id } = await seed(4);
    await dieCounting(accountId);
    await service.hurry(accountId);
    expect(await service.get(accountId, id)).toMatchObject({
      delivery: { status: 'failed', attempt_count: 5 },
      attempts: [{ number: 5, error: 'interrupted' }],
    });
    expect(service.receiver.received(at)).toHaveLength(1);
  });
});

describe('an event for two receivers', () => {
  it.each(['event-received:job-completed', 'transaction-committed:job-completed', 'attempts-counted'])(
    'is one delivery to each, if the process dies at %s',
    async (point) => {
      const accountId = randomUUID();
      const paths = [`/${randomUUID()}`, `/${randomUUID()}`];
      const made: string[] = [];
      for (const at of paths) made.push((await calls.create(accountId, service.receiver.hookUrl + at)).id);
      await service.stopService();
      let emitted: Promise<unknown> | undefined;
      await doomed.dieAt(point, async () => {
        emitted ??= service.emitJob('jobCompleted', { accountId });
        await emitted;
      });
      await service.rows.endLeases('deliveries');
      await service.startService();
      await endAbandoned();
      await eventually(async () => {
        await service.hurry(accountId);
        const { deliveries } = await service.list(accountId);
        expect(deliveries).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }]);
        expect(new Set(deliveries.map(({ receiver_id: id }) => id))).toEqual(new Set(made));
      });
      for (const at of paths)
        expect(new Set(service.receiver.received(at).map(({ deliveryId }) => deliveryId)).size).toBe(1);
    },
  );
});

describe('a process that saves an outcome too late', () => {
  it('changes nothing: the outcome of the process that ended the attempt stays', async () => {
    const { accountId, path: at } = await service.newAccount('slow', 200);
    await service.emitJob('jobCompleted', { accountId });
    await eventually(() => expect(service.receiver.received(at)).toHaveLength(1));
    await service.rows.loseLeases('deliveries');
    await endAbandoned();
    const { delivery } = await service.until(accountId, (one) => one.attempts.length === 1);
    expect(delivery).toMatchObject({ status: 'pending', attempt_count: 1 });
    await service.hurry(accountId);
    const after = await service.until(accountId, (one) => one.delivery.status === 'delivered');
    expect(after.attempts.map(({ number, error }) => [number, error])).toEqual([
      [1, 'interrupted'],
      [2, null],
    ]);
    expect(new Set(service.receiver.received(at).map(({ deliveryId }) => deliveryId)).size).toBe(1);
  });
});

describe('a failure on our side', () => {
  const failingOf = async (accountId: string) =>
    (
      await service.query(
        `SELECT w.failing_since, e.is_failing FROM webhooks w JOIN endpoints e ON e.account_id = w.account_id WHERE w.account_id = $1`,
        [accountId],
      )
    )[0];

  it('interrupts an attempt: it is logged at the time of its claim, and does not count against the receiver', async () => {
    const { accountId } = await seed(0);
    await doomed.dieAt('attempts-counted', () => service.hurry(accountId));
    await service.rows.endLeases('deliveries');
    const [claim] = await service.query<{ at: Date }>(
      `SELECT due_at - interval '30 seconds' AS at FROM deliveries WHERE account_id = $1`,
      [accountId],
    );
    await service.startService();
    const { attempts } = await service.until(accountId, (one) => one.attempts.length === 1);
    expect(attempts).toMatchObject([{ error: 'interrupted', at: claim?.at.toISOString() }]);
    expect(await failingOf(accountId)).toEqual({ failing_since: null, is_failing: false });
  });

  it('to sign an attempt does not count, and the attempt is made when the key is back', async () => {
    const { accountId, path: at } = await service.newAccount();
    await service.query(`UPDATE secrets SET sealed = 'gone.' || sealed WHERE account_id = $1`, [accountId]);
    await service.emitJob('jobCompleted', { accountId });
    await service.until(
      accountId,
      ({ delivery }) =>
        delivery.next_attempt_at !== null &&
        delivery.attempt_count === 0 &&
        Date.parse(delivery.next_attempt_at) > Date.parse(delivery.created_at) + 30_000,
    );
    expect(await failingOf(accountId)).toEqual({ failing_since: null, is_failing: false });
    await service.query('UPDATE secrets SET sealed = substring(sealed FROM 6) WHERE account_id = $1', [
      accountId,
    ]);
    await service.hurry(accountId);
    const { delivery, attempts } = await service.until(accountId, (one) => one.delivery.status === 'delivered');
    expect([delivery.attempt_count, attempts.map(({ number }) => number)]).toEqual([1, [1]]);
    expect(service.receiver.received(at)).toHaveLength(1);
  });

  it('to save one outcome does not block the others, which come first', async () => {
    const [poisoned, other] = [await service.newAccount('slow'), await service.newAccount()];
    await service.emitJob('jobCompleted', { accountId: poisoned.accountId });
    await eventually(() => expect(service.receiver.received(poisoned.path)).toHaveLength(1));
    // The event's schema rejects this id.
    await service.query(
      `UPDATE deliveries SET job_id = 'aaaaaaaa-aaaa-faaa-0aaa-aaaaaaaaaaaa' WHERE account_id = $1`,
      [poisoned.accountId],
    );
    await service.emitJob('jobCompleted', { accountId: other.accountId });
    await service.until(other.accountId, (one) => one.delivery.status === 'delivered');
    await service.query(`UPDATE deliveries SET due_at = now(), attempts = 5 WHERE state = 'sending'`);
    await expect(service.handlers().schedules.endAbandonedAttempts(testContext())).rejects.toThrow(
      'cannot save outcomes of webhooks',
    );
    const [left] = await service.query(
      `SELECT due_at > now() AS "isLater" FROM deliveries WHERE account_id = $1`,
      [poisoned.accountId],
    );
    expect(left).toEqual({ isLater: true });
    await service.query('DELETE FROM deliveries WHERE account_id = $1', [poisoned.accountId]);
  });
});

describe('a process that is stopped', () => {
  it('saves the outcome of a six-second attempt, while another instance keeps sending', async () => {
    const { accountId, path: at } = await service.newAccount('long', 200);
    await service.emitJob('jobCompleted', { accountId });
    await eventually(() => expect(service.receiver.received(at)).toHaveLength(1));
    const other = await service.startInstance();
    await service.stopService();
    const rows = await service.query(
      'SELECT state, attempts, attempt_log FROM deliveries WHERE account_id = $1',
      [accountId],
    );
    expect(rows).toMatchObject([
      { state: 'delivered', attempts: 1, attempt_log: [{ status: 200, error: null }] },
    ]);
    await service.startService();
    await other.stop();
    expect(service.receiver.received(at)).toHaveLength(1);
  });

  it('finishes its attempts and leaves none running', async () => {
    const { accountId } = await service.newAccount('slow');
    await service.emitJob('jobCompleted', { accountId });
    await eventually(async () =>
      expect(await service.query(`SELECT FROM deliveries WHERE state = 'sending'`)).toHaveLength(1),
    );
    await service.stopService();
    const rows = await service.query('SELECT state, attempts FROM deliveries WHERE account_id = $1', [
      accountId,
    ]);
    expect(rows).toEqual([{ state: 'delivered', attempts: 1 }]);
    await service.startService();
  });
});
