import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually, sharedNatsUrl } from '@tds/test-kit';
import { createTaskBench, enqueue, untilAll } from '../test-support/task-bench.ts';

describe('a database that is swapped between two claims', () => {
  const bench = createTaskBench(() => ({ servers: sharedNatsUrl() }));
  afterEach(() => bench.stopAll());

  it('has its tasks begun at once, however long ago they were due, and tells the service', async () => {
    const database = await bench.database();
    const seen: number[] = [];
    let swaps = 0;
    const first = await bench.startWorker(async ({ n }) => void seen.push(n), database.url);
    await first.sql(
      `INSERT INTO messaging.tasks (name, payload, due_at) VALUES ('do-work', '{"n": 1}', now() + interval '1 second')`,
    );
    await first.stop();
    const copy = await bench.copyOf(database);
    const service = await bench.startWorker(async ({ n }) => void seen.push(n), database.url);
    service.kit.onDatabaseSwapped('count', () => {
      swaps += 1;
    });
    await untilAll(service, 'done', 1);
    await enqueue(service, 2);
    await untilAll(service, 'done', 2);
    await copy.putBack();
    await eventually(() => expect(seen).toEqual([1, 2, 1]));
    expect(swaps).toBe(1);
  });
});
