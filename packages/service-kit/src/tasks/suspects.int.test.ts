import { eventually, sharedNatsUrl } from '@tds/test-kit';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createTaskBench,
  enqueue,
  type Service,
  statesOf,
  untilAll,
  work,
} from '../test-support/task-bench.ts';

describe('a task whose workers vanished twice', () => {
  const bench = createTaskBench(() => ({ servers: sharedNatsUrl() }));
  const { startWorker } = bench;
  afterEach(() => bench.stopAll());

  const saveSuspect = (service: Service, n: number) =>
    service.sql(
      `INSERT INTO messaging.tasks (name, payload, attempts, lost_leases, lease_epoch, lease_until)
       VALUES ('do-work', jsonb_build_object('n', $1::int), 1, 1, 2, clock_timestamp())`,
      n,
    );
  const slotsFor = (service: Service): Promise<number> =>
    service.kit.messaging.statement({ enqueues: work, most: 4 }, async ({ slots }) => ({ result: slots }));

  it('runs when nothing else of its process does, and others begin when it has ended', async () => {
    const gate = Promise.withResolvers<void>();
    const seen: number[] = [];
    const service = await startWorker(async ({ n }) => {
      seen.push(n);
      if (n === 1) await gate.promise;
    });
    await saveSuspect(service, 1);
    await eventually(() => expect(seen).toEqual([1]));
    expect(await slotsFor(service)).toBe(0);
    await enqueue(service, 2);
    gate.resolve();
    await untilAll(service, 'done', 2);
    expect(seen).toEqual([1, 2]);
  });

  it('waits for what is under way', async () => {
    const gate = Promise.withResolvers<void>();
    const seen: number[] = [];
    const service = await startWorker(async ({ n }) => {
      seen.push(n);
      if (n === 1) await gate.promise;
    });
    await enqueue(service, 1);
    await eventually(() => expect(seen).toEqual([1]));
    await saveSuspect(service, 2);
    // It holds back what is new from now on.
    await eventually(async () => expect(await slotsFor(service)).toBe(0));
    expect(await statesOf(service)).toEqual({ ready: 2 });
    expect(seen).toEqual([1]);
    gate.resolve();
    await untilAll(service, 'done', 2);
    expect(seen).toEqual([1, 2]);
  });

  it('is none if whoever lost it lives', async () => {
    const begun = Promise.withResolvers<void>();
    let runs = 0;
    const service = await startWorker(async (_payload, { signal }) => {
      runs += 1;
      if (runs > 1) return;
      begun.resolve();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    });
    await enqueue(service, 1);
    await begun.promise;
    // What another worker does after the lease has run out.
    await service.sql(
      `UPDATE messaging.tasks SET lease_epoch = lease_epoch + 1, lost_leases = lost_leases + 1,
         lease_until = now() + interval '1 hour'`,
    );
    const losses = () => service.sql('SELECT lost_leases FROM messaging.tasks');
    await eventually(async () => expect(await losses()).toEqual([{ lost_leases: 0 }]));
  });
});
