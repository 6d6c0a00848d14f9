import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { purchaseRef } from '@tds/contracts';
import { eventually, processEnvironment } from '@tds/test-kit';
import { codeOf, startBilling, type TestBilling } from './test-support/start-billing.ts';

const program = path.resolve(import.meta.dirname, 'main.ts');
const START_WITHIN_MS = 90_000;
const WITHIN = { withinMs: 60_000, everyMs: 250 };

let billing: TestBilling;
const children: ChildProcess[] = [];
beforeAll(async () => {
  billing = await startBilling();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await billing?.stop();
});

/** The service as a process of its own, which dies where it is told to. */
const launch = (crashAt: string): ChildProcess => {
  const env = {
    ...{ ...processEnvironment(), HEALTH_PORT: '0', NODE_ENV: 'test', CRASH_AT: crashAt },
    ...billing.harness.environmentOf('billing'),
    ...billing.settings,
  };
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'inherit'], env });
  children.push(child);
  return child;
};
const untilDead = (dying: ChildProcess) =>
  eventually(() => expect(dying.signalCode).toBe('SIGKILL'), { withinMs: START_WITHIN_MS });
const atTheProcessor = (paymentIntentId: string) =>
  billing.simulator.refunds().filter(({ payment_intent: intent }) => intent === paymentIntentId);

describe('billing that is killed', () => {
  it.each(['transaction-committed', 'task-claimed', 'purchase-granted', 'task-handled', 'task-completed'])(
    'at %s after a payment grants the block once',
    async (crashAt) => {
      const accountId = randomUUID();
      const { purchaseId } = await billing.open({ accountId });
      await billing.stopService();
      const dying = launch(crashAt);
      billing.pay(purchaseId);
      await untilDead(dying);
      await billing.startService();
      const ref = purchaseRef(purchaseId);
      await eventually(async () => {
        expect(billing.ledger.blocks.get(ref)?.standing).toBe(20);
        expect((await billing.find(accountId, purchaseId)).status).toBe('paid');
      }, WITHIN);
      expect(billing.ledger.grants.filter((one) => one === ref)).toHaveLength(1);
    },
  );

  it.each(['transaction-committed', 'refund-submitted', 'task-handled'])(
    'at %s in the middle of a refund gives the money back once, and the block with it',
    async (crashAt) => {
      const { accountId, purchaseId, paymentIntentId, ref } = await billing.buy();
      await billing.stopService();
      const dying = launch(crashAt);
      await eventually(
        async () => {
          if (dying.signalCode === null) await codeOf(billing.refund(accountId, purchaseId));
          expect(dying.signalCode).toBe('SIGKILL');
        },
        { withinMs: START_WITHIN_MS, everyMs: 250 },
      );
      await billing.startService();
      await eventually(async () => {
        expect(atTheProcessor(paymentIntentId)).toHaveLength(1);
        expect((await billing.find(accountId, purchaseId)).refund?.status).toBe('succeeded');
      }, WITHIN);
      expect(billing.ledger.blocks.get(ref)?.standing).toBe(0);
    },
  );
});
