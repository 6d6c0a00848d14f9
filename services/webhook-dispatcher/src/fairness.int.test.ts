import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { webhookDispatcher } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { startDispatcher, type TestDispatcher } from './test-support/start-dispatcher.ts';

/** Concurrent attempts of an endpoint. */
const PER_ENDPOINT = 16;
/** Fewer attempts than the account below has deliveries. */
const AT_ONCE = 80;
let service: TestDispatcher;
beforeAll(async () => {
  service = await startDispatcher({ DELIVERIES_AT_ONCE: String(AT_ONCE) });
});
afterAll(() => service.stop());

const delivered = ({ delivery }: { delivery: { status: string } }) => delivery.status === 'delivered';
const sendTest = (accountId: string) =>
  service.call(webhookDispatcher.sendTestEvent, { accountId }, testContext());

const wake = (accountId: string) => service.hurry(accountId);

describe('a receiver that never answers', () => {
  it('does not delay other receivers, even with thousands of waiting deliveries', async () => {
    const dead = await Promise.all(Array.from({ length: 4 }, () => service.newAccount('never')));
    for (const { accountId } of dead) {
      await sendTest(accountId);
      await service.fill(accountId, 2_000, '-1 minute');
      await wake(accountId);
    }
    await eventually(async () => {
      const rows = await service.query(`SELECT FROM deliveries WHERE state = 'sending'`);
      expect(rows.length).toBeGreaterThanOrEqual(4 * PER_ENDPOINT);
    });
    const { accountId } = await service.newAccount();
    await sendTest(accountId);
    const { delivery } = await service.until(accountId, delivered);
    expect(delivery.attempt_count).toBe(1);
  });

  it('gets sixteen concurrent attempts at first, and one after it has failed', async () => {
    const { accountId, path } = await service.newAccount('never');
    await sendTest(accountId);
    await service.fill(accountId, 50, '-1 minute');
    const sending = async () =>
      (await service.query(`SELECT FROM deliveries WHERE account_id = $1 AND state = 'sending'`, [accountId]))
        .length;
    await wake(accountId);
    await eventually(async () => expect(await sending()).toBe(PER_ENDPOINT));
    await eventually(
      async () => {
        expect(service.receiver.received(path).length).toBeGreaterThan(PER_ENDPOINT);
        expect(await sending()).toBe(1);
      },
      { everyMs: 200 },
    );
  });
});

describe('an account with a great many deliveries', () => {
  it('takes turns with others: a new delivery of another account does not wait for the rest', async () => {
    const many = await service.newAccount();
    await sendTest(many.accountId);
    await service.until(many.accountId, delivered);
    await service.fill(many.accountId, 20_000, '-1 minute');
    await wake(many.accountId);
    await eventually(() => expect(service.receiver.received(many.path).length).toBeGreaterThan(20));
    const { accountId } = await service.newAccount();
    await sendTest(accountId);
    await service.until(accountId, delivered);
    const left = await service.query(
      `SELECT FROM deliveries WHERE account_id = $1 AND state = 'waiting' LIMIT 1`,
      [many.accountId],
    );
    expect(left).toHaveLength(1);
    await service.query(`DELETE FROM deliveries WHERE account_id = $1 AND state = 'waiting'`, [many.accountId]);
  });
});

describe('the events of one job', () => {
  it('that wait together leave in the order of their versions', async () => {
    const { accountId, path } = await service.newAccount();
    const jobId = randomUUID();
    await service.rows.makeDue('queues', { where: 'account_id = $1', values: [accountId] }, '100 years');
    const versions = [5, 3, 9, 1, 7];
    const [endpoint] = await service.query<{ id: string }>(
      `INSERT INTO endpoints (id, account_id, url, used_at) VALUES (gen_random_uuid(), $1, $2, now()) RETURNING id`,
      [accountId, service.receiver.hookUrl + path],
    );
    for (const version of versions)
      await service.query(
        `INSERT INTO deliveries (id, account_id, endpoint_id, event_id, kind, body, secret_id, is_override, job_id,
           job_version, due_at, created_at)
         SELECT gen_random_uuid(), $1, $2, gen_random_uuid(), 'job.paused', $4::text, secret_id, false, $3, $4::bigint,
           now() - interval '1 minute', now() FROM webhooks WHERE account_id = $1`,
        [accountId, endpoint?.id, jobId, version],
      );
    await wake(accountId);
    await eventually(() => expect(service.receiver.received(path)).toHaveLength(versions.length));
    expect(service.receiver.received(path).map(({ body }) => body)).toEqual(['1', '3', '5', '7', '9']);
  });
});

describe('several processes', () => {
  it('send each delivery once, though all claim from the same queues', async () => {
    const others = await Promise.all([service.startInstance(), service.startInstance()]);
    const accounts = await Promise.all(Array.from({ length: 5 }, () => service.newAccount()));
    for (const { accountId } of accounts) {
      await sendTest(accountId);
      await service.fill(accountId, 100, '-1 minute');
    }
    await Promise.all(accounts.map(({ accountId }) => wake(accountId)));
    for (const { accountId, path } of accounts) {
      await eventually(async () => {
        const open = await service.query('SELECT FROM deliveries WHERE account_id = $1 AND ended_at IS NULL', [
          accountId,
        ]);
        expect(open).toEqual([]);
      });
      const ids = service.receiver.received(path).map(({ deliveryId }) => deliveryId);
      expect([ids.length, new Set(ids).size]).toEqual([101, 101]);
    }
    for (const { stop } of others) await stop();
  });
});
