import { afterEach, describe, expect, it } from '@jest/globals';
import { LeaseLost, RetryLater } from '@tds/base';
import { eventually, sharedNatsUrl } from '@tds/test-kit';
import {
  createTaskBench,
  enqueue,
  type Handler,
  type Service,
  untilAll,
} from '../test-support/task-bench.ts';

const ATTEMPTS = 3;

describe('an attempt that has begun what others see', () => {
  const bench = createTaskBench(() => ({ servers: sharedNatsUrl() }));
  const { startWorker } = bench;
  afterEach(() => bench.stopAll());

  /** As if another worker had got it and were gone. */
  const takeOver = (service: Service) =>
    service.sql('UPDATE messaging.tasks SET lease_epoch = lease_epoch + 1, lease_until = clock_timestamp()');
  /** Begins its effect, or not, and runs until its lease is gone. */
  const untilLost =
    (attempts: number[], isCalling: boolean): Handler =>
    async (_payload, { attempt, beginEffect, signal }) => {
      if (isCalling) await beginEffect();
      attempts.push(attempt);
      if (attempts.length > 1) return;
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      throw new Error('cut off', { cause: signal.reason });
    };

  it.each([
    ['counts', true, [1, 2]],
    ['and one that has not begun it is repeated', false, [1, 1]],
  ])('%s if its worker is lost', async (_what, isCalling, expected) => {
    const attempts: number[] = [];
    const service = await startWorker(untilLost(attempts, isCalling));
    await enqueue(service, 1);
    await eventually(() => expect(attempts).toHaveLength(1));
    await takeOver(service);
    await untilAll(service, 'done', 1);
    expect(attempts).toEqual(expected);
  });

  it.each([
    ['counts', true, 2],
    ['and one that has not begun it is repeated', false, 1],
  ])('%s if the process stops', async (_what, isCalling, expected) => {
    const { url } = await bench.database();
    const attempts: number[] = [];
    const service = await startWorker(untilLost(attempts, isCalling), url);
    await enqueue(service, 1);
    await eventually(() => expect(attempts).toHaveLength(1));
    await service.stop();
    const next = await startWorker(async (_payload, { attempt }) => void attempts.push(attempt), url);
    await untilAll(next, 'done', 1);
    expect(attempts).toEqual([1, expected]);
  });

  it('counts if something it needs turns out to be away', async () => {
    let calls = 0;
    const service = await startWorker(async (_payload, { beginEffect }) => {
      await beginEffect();
      calls += 1;
      throw new RetryLater(1, 'the ledger is away', { isAttempt: false });
    });
    await enqueue(service, 1);
    await untilAll(service, 'dead', 1);
    expect(calls).toBe(ATTEMPTS);
  });

  it('is repeated as often as it takes while nothing was begun', async () => {
    let runs = 0;
    const service = await startWorker(async () => {
      runs += 1;
      if (runs <= ATTEMPTS * 2) throw new RetryLater(1, 'the ledger is away', { isAttempt: false });
    });
    await enqueue(service, 1);
    await untilAll(service, 'done', 1);
    expect(runs).toBe(ATTEMPTS * 2 + 1);
  });

  it('cannot begin once another worker has the task', async () => {
    const refusals: unknown[] = [];
    let runs = 0;
    const service: Service = await startWorker(async (_payload, { beginEffect }) => {
      runs += 1;
      if (runs > 1) return;
      await takeOver(service);
      await beginEffect().catch((error: unknown) => {
        refusals.push(error);
        throw error;
      });
    });
    await enqueue(service, 1);
    await untilAll(service, 'done', 1);
    // The second attempt may end before the first has its answer.
    await eventually(() => expect(refusals).toEqual([expect.any(LeaseLost)]));
  });

  it('begins it once', async () => {
    const refusals: unknown[] = [];
    const service = await startWorker(async (_payload, { beginEffect }) => {
      await beginEffect();
      await beginEffect().catch((error: unknown) => refusals.push(error));
    });
    await enqueue(service, 1);
    await untilAll(service, 'done', 1);
    expect(refusals).toEqual([expect.objectContaining({ message: expect.stringContaining('already') })]);
  });
});
