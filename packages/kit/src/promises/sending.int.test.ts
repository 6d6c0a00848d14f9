import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestNats, type TestNats } from '@tds/test-kit';
import { createTaskBench, enqueue, untilAll, work } from '../test-support/task-bench.ts';

const conflict = () => Object.assign(new Error('could not serialize access'), { code: '40001' });

describe('sending', () => {
  let nats: TestNats;
  const bench = createTaskBench(() => nats);
  beforeAll(async () => {
    nats = await startTestNats();
  });
  afterEach(() => bench.stopAll());
  afterAll(() => nats.stop());

  const done = () => {
    const numbers: number[] = [];
    return { numbers, handler: async ({ n }: { n: number }) => void numbers.push(n) };
  };
  it('from a transaction that had to be repeated for a conflict sends once', async () => {
    const { numbers, handler } = done();
    const service = await bench.startWorker(handler);
    let tries = 0;
    const result = await service.kit.messaging.transaction(service.client, async (_tx, send) => {
      tries += 1;
      await send.enqueue(work, { n: tries });
      if (tries < 3) throw conflict();
      return 'committed';
    });
    expect([result, tries]).toEqual(['committed', 3]);
    await untilAll(service, 'done', 1);
    expect(numbers).toEqual([3]);
  });

  it('by a SQL function of the service is moved at once by a wake after the commit', async () => {
    const { numbers, handler } = done();
    const service = await bench.startWorker(handler);
    await service.sql(`SELECT messaging.enqueue_task('do-work', '{"n": 8}')`);
    service.kit.messaging.wake();
    await untilAll(service, 'done', 1);
    expect(numbers).toEqual([8]);
  });

  it('in the order of the commits keeps a worker busy, whatever is enqueued at the same time', async () => {
    const { numbers, handler } = done();
    const service = await bench.startWorker(handler);
    const all = Array.from({ length: 60 }, (_, n) => n);
    await Promise.all(all.map((n) => enqueue(service, n)));
    await untilAll(service, 'done', 60);
    expect(numbers.toSorted((a, b) => a - b)).toEqual(all);
  });

  it('of more than the broker takes is refused before anything is saved', async () => {
    const service = await bench.startWorker(async () => {});
    const long = service.kit.messaging.transaction(service.client, (_tx, send) =>
      send.enqueue(
        { ...work, payload: { parse: () => ({ text: 'x'.repeat(600_000) }) } } as never,
        { n: 1 } as never,
      ),
    );
    await expect(long).rejects.toThrow('send the key of an object instead');
    expect(await service.sql('SELECT FROM messaging.tasks')).toEqual([]);
  });
});
