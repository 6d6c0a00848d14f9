import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestPool } from '@tds/base/testing';
import { webhookDispatcher } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { startDispatcher, type TestDispatcher } from './test-support/start-dispatcher.ts';

let service: TestDispatcher;
beforeAll(async () => {
  service = await startDispatcher();
});
afterAll(() => service?.stop());

const ROUNDS = 30;
const SENDERS = 4;
/** Fewer than an endpoint takes at once, so that none has to wait. */
const DELIVERIES = 12;

it('each delivery is claimed by one of the senders that take turns at its queue at once', async () => {
  const { accountId } = await service.newAccount();
  // Its endpoint is made with the first delivery.
  await service.call(webhookDispatcher.sendTestEvent, { accountId }, testContext());
  const senders = createTestPool(service.harness.databases['webhook-dispatcher'].url, SENDERS);
  const claimAll = async (): Promise<void> => {
    for (let turn = 0; turn < DELIVERIES; turn += 1) await senders.query(`SELECT FROM take_turn('[]', 1)`);
  };
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      await service.query('DELETE FROM deliveries WHERE account_id = $1', [accountId]);
      await service.fill(accountId, DELIVERIES, '-1 minute');
      await service.hurry(accountId);
      await Promise.all(Array.from({ length: SENDERS }, claimAll));
      const taken = 'SELECT FROM deliveries WHERE account_id = $1 AND attempts = 1';
      expect((await service.query(taken, [accountId])).length).toBeGreaterThan(0);
      // A turn that finds the queue locked claims nothing: another one takes what is left.
      await eventually(async () => {
        await senders.query(`SELECT FROM take_turn('[]', $1)`, [DELIVERIES]);
        const claimed = await service.query<{ attempts: number }>(
          'SELECT attempts FROM deliveries WHERE account_id = $1',
          [accountId],
        );
        expect(claimed.map(({ attempts }) => attempts)).toEqual(Array(DELIVERIES).fill(1));
      });
    }
  } finally {
    await senders.end();
  }
});
