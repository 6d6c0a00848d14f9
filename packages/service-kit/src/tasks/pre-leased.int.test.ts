import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, startTestNats, type TestNats } from '@tds/test-kit';
import type { Sending } from '../runtime/service.ts';
import { createTaskBench, enqueue, type Service, untilAll, work } from '../test-support/task-bench.ts';

describe('a task that begins where it is committed', () => {
  let nats: TestNats;
  const bench = createTaskBench(() => nats);
  const { startWorker } = bench;
  beforeAll(async () => {
    nats = await startTestNats();
  });
  afterEach(() => bench.stopAll());
  afterAll(() => nats.stop());

  /** Enqueues by a statement of the service's own, pre-leased if there is a slot; answers what it was given. */
  const enqueueByStatement = (service: Service, n: number, most = 1): Promise<Sending> =>
    service.kit.messaging.statement({ enqueues: work, most }, async (sending) => {
      const leaseMs = sending.slots > 0 ? sending.leaseMs : null;
      const payload = { n };
      const [row] = await service.sql<{ id: string }>(
        'SELECT messaging.enqueue_held($1, $2, $3, $4) AS id',
        ...[work.wireName, payload, sending.headers, leaseMs],
      );
      const isPreLeased = leaseMs !== null;
      const preLeased = isPreLeased ? [{ id: row?.id ?? '', payload }] : [];
      return { result: sending, preLeased, left: isPreLeased ? 0 : 1 };
    });
  /** Slots are only given while no claim is under way, and the sweep claims once a second. */
  const untilFree = (service: Service, slots: number): Promise<void> =>
    eventually(async () => {
      const given = await service.kit.messaging.statement({ enqueues: work, most: 9 }, async (sending) => ({
        result: sending.slots,
      }));
      expect(given).toBe(slots);
    });

  it('runs there once, as its first attempt, with the payload and the ids that were saved', async () => {
    const seen: [number, number][] = [];
    const service = await startWorker(async ({ n }, { attempt }) => void seen.push([n, attempt]));
    await untilFree(service, 4);
    await enqueueByStatement(service, 1);
    await enqueue(service, 2);
    await untilAll(service, 'done', 2);
    expect(seen.toSorted()).toEqual([
      [1, 1],
      [2, 1],
    ]);
    expect(await service.sql('SELECT FROM messaging.tasks WHERE lease_epoch <> 1')).toEqual([]);
  });

  it('is not begun beyond the slots that there are, and not before others that wait', async () => {
    const gate = Promise.withResolvers<void>();
    let together = 0;
    let most = 0;
    const order: number[] = [];
    const service = await startWorker(async ({ n }) => {
      order.push(n);
      together += 1;
      most = Math.max(most, together);
      await gate.promise;
      together -= 1;
    });
    await untilFree(service, 4);
    for (let n = 0; n < 6; n += 1) await enqueue(service, n);
    expect((await enqueueByStatement(service, 6)).slots).toBe(0);
    gate.resolve();
    await untilAll(service, 'done', 7);
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(most).toBe(4);
  });

  it('leaves its slot free if its transaction is rolled back', async () => {
    const service = await startWorker(async () => {});
    await untilFree(service, 4);
    const failing = service.kit.messaging.transaction(
      {
        $transaction: (begun) =>
          service.client.$transaction(async (tx) => {
            await begun(tx);
            throw new Error('no commit');
          }),
      },
      (_tx, send) => send.enqueue(work, { n: 1 }),
    );
    await expect(failing).rejects.toThrow('no commit');
    await untilFree(service, 4);
    expect(await service.sql('SELECT FROM messaging.tasks')).toEqual([]);
  });
});
