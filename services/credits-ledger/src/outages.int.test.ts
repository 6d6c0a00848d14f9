import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { readProjection } from '@tds/base/testing';
import { creditsLedger } from '@tds/contracts';
import { eventually } from '@tds/test-kit';
import { startLedger, type TestLedger } from './test-support/start-ledger.ts';

let ledger: TestLedger;
beforeEach(async () => {
  ledger = await startLedger();
});
afterEach(async () => {
  expect(await ledger.database.findings()).toEqual([]);
  await ledger.stop();
});

const projected = (accountId: string) =>
  readProjection(ledger.identityKit.redis, creditsLedger.balance, [accountId]);

it('without Redis every command works, and the projection is right again afterwards', async () => {
  const accountId = randomUUID();
  await ledger.requests.reserve({ accountId });
  await ledger.redis.kill();
  const answer = await ledger.requests.reserve({ accountId });
  expect(answer).toMatchObject({ held: [1], free: 98, reserved: 2 });
  await ledger.redis.start();
  await eventually(async () => {
    await ledger.requests.readBalance(accountId);
    expect(await projected(accountId)).toMatchObject({ free: 98, reserved: 2 });
  });
});

it('while connections to the database are cut repeatedly, every charge happens once', async () => {
  const accounts = Array.from({ length: 4 }, () => randomUUID());
  let isOver = false;
  let cuts = 0;
  let progress = Promise.withResolvers<void>();
  const cutting = (async () => {
    while (!isOver) {
      const { rowCount } = await ledger.database.admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE usename = 'credits_ledger_app' AND datname = current_database() AND query ~ '(reserve|resolve)_items'
         ORDER BY random() LIMIT 1`,
      );
      cuts += rowCount ?? 0;
      // Cuts again only after progress, so that a slow machine finishes.
      progress = Promise.withResolvers();
      if (!isOver) await progress.promise;
    }
  })();
  const untilAnswered = async (operation: () => Promise<unknown>) => {
    for (let attempt = 1; attempt <= 20; attempt += 1) {
      try {
        const answer = await operation();
        progress.resolve();
        return answer;
      } catch (error) {
        // Only errors that a caller may retry.
        expect(error).toMatchObject({ code: 'service_unavailable' });
      }
    }
    throw new Error('never answered');
  };
  const charge = async (accountId: string) => {
    for (let i = 0; i < 20; i += 1) {
      const ref = randomUUID();
      await untilAnswered(() => ledger.requests.reserve({ accountId, ref }));
      await untilAnswered(() => ledger.requests.charge(ref));
    }
  };
  await Promise.all(accounts.flatMap((accountId) => [charge(accountId), charge(accountId)]));
  isOver = true;
  progress.resolve();
  await cutting;
  expect(cuts).toBeGreaterThan(3);
  for (const accountId of accounts) {
    const { readBalance: balanceOf } = ledger.requests;
    await eventually(async () => expect(await balanceOf(accountId)).toMatchObject({ free: 60, reserved: 0 }));
  }
});
