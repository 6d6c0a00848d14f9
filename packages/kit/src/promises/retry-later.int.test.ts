import { afterEach, describe, expect, it } from '@jest/globals';
import { RetryLater } from '@tds/base';
import { listDeadLetters } from '@tds/messaging/admin';
import { sharedNatsUrl } from '@tds/test-kit';
import { createTaskBench, enqueue, untilAll } from '../test-support/task-bench.ts';

describe('a handler that asks for another attempt later', () => {
  const bench = createTaskBench(() => ({ servers: sharedNatsUrl() }));
  const { startWorker } = bench;
  afterEach(() => bench.stopAll());

  it('gets it then, in the place of the pause that its contract gives', async () => {
    const at: number[] = [];
    const service = await startWorker(async () => {
      at.push(performance.now());
      if (at.length === 1) throw new RetryLater(400, 'come back');
    });
    await enqueue(service, 1);
    await untilAll(service, 'done', 1);
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(395);
  });

  it('uses up its attempts, and leaves a dead letter after the last', async () => {
    const attempts: number[] = [];
    const service = await startWorker(async (_payload, { attempt }) => {
      attempts.push(attempt);
      throw new RetryLater(1, 'still away');
    });
    await enqueue(service, 1);
    await untilAll(service, 'dead', 1);
    expect(attempts).toEqual([1, 2, 3]);
    expect(await listDeadLetters(service.kit.db)).toMatchObject([
      { reason: 'RetryLater: still away', attempts: 3 },
    ]);
  });

  it('uses up none while it says that something it needs is away', async () => {
    const attempts: [number, boolean][] = [];
    const service = await startWorker(async (_payload, { attempt, isLastAttempt }) => {
      attempts.push([attempt, isLastAttempt]);
      if (attempts.length === 2) throw new Error('of its own');
      if (attempts.length < 6) throw new RetryLater(1, 'the receiver is away', { isAttempt: false });
    });
    await enqueue(service, 1);
    await untilAll(service, 'done', 1);
    expect(attempts).toEqual([[1, false], [1, false], ...[1, 2, 3, 4].map(() => [2, false])]);
  });
});
