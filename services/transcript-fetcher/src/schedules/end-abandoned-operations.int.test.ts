import { randomUUID } from 'node:crypto';
import { eventually } from '@tds/test-kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startFetcher, type TestFetcher } from '../test-support/start-fetcher.ts';

type Row = { readonly id: string; readonly count: number };
let fetcher: TestFetcher;
beforeAll(async () => {
  fetcher = await startFetcher();
});
afterAll(() => fetcher?.stop());
afterEach(() => fetcher.ledger.refuse(null));

const within = { withinMs: 90_000, everyMs: 100 };
const until = (check: () => Promise<void>) => eventually(check, within);

/** Failed operations whose credit should have been given back long ago, and whose tasks are gone. */
const overdue = async (count: number): Promise<string[]> => {
  const ids = Array.from({ length: count }, () => randomUUID()).toSorted();
  await fetcher.query(
    `INSERT INTO operations (id, account_id, key_id, video_id, language, fallback, format, state, error, created_at, ended_at)
     SELECT id, gen_random_uuid(), gen_random_uuid(), 'manualEn001', 'en', true, 'srt', 'failed', '{}',
       now() - interval '1 hour' + place * interval '1 millisecond', now() - interval '1 hour'
     FROM unnest($1::uuid[]) WITH ORDINALITY AS given (id, place)`,
    [ids],
  );
  return ids;
};
const openTasks = async (ids: readonly string[]): Promise<number[]> => {
  const rows = await fetcher.query<Row>(
    `SELECT count(t.id)::int AS count FROM unnest($1::text[]) AS o (id)
     LEFT JOIN messaging.tasks t ON t.payload ->> 'operationId' = o.id AND t.state = 'ready' GROUP BY o.id`,
    [ids],
  );
  return rows.map(({ count }) => count);
};
const letters = async (ids: readonly string[]): Promise<string[]> => {
  const rows = await fetcher.query<Row>(
    `SELECT payload ->> 'operationId' AS id FROM messaging.dead_letters WHERE payload ->> 'operationId' = ANY ($1)`,
    [ids],
  );
  return rows.map(({ id }) => id);
};
const settlements = async (ids: readonly string[]) => {
  const rows = await fetcher.query<Row>(
    `SELECT settlement, parked_at IS NOT NULL AS parked, count(*)::int AS count FROM operations
     WHERE id = ANY ($1::uuid[]) GROUP BY 1, 2 ORDER BY 1, 2`,
    [ids],
  );
  return rows;
};
/** Every pause of these tasks is over. */
const passTime = (ids: readonly string[]) =>
  fetcher.query(
    `UPDATE messaging.tasks SET due_at = now() WHERE state = 'ready' AND lease_until IS NULL AND due_at > now()
       AND payload ->> 'operationId' = ANY ($1)`,
    [ids],
  );
const sweeps = async (): Promise<number> => {
  const [row] = await fetcher.query<{ at: string }>(
    `SELECT extract(epoch FROM finished_at) AS at FROM messaging.schedules WHERE name = $1`,
    ['end-abandoned-operations'],
  );
  return Number(row?.at);
};

describe('the sweeper', () => {
  it('asks once for each settlement while the ledger is away, however long, and nothing is given up', async () => {
    fetcher.ledger.refuse('service_unavailable');
    const ids = await overdue(3);
    await until(async () => expect(await openTasks(ids)).toEqual([1, 1, 1]));
    // Through more attempts than a task has: tasks end and others follow, one at a time.
    const tasksOf = async () =>
      (await fetcher.query(`SELECT FROM messaging.tasks WHERE payload ->> 'operationId' = ANY ($1)`, [ids]))
        .length;
    await until(async () => {
      await passTime(ids);
      for (const count of await openTasks(ids)) expect(count).toBeLessThanOrEqual(1);
      expect(await tasksOf()).toBeGreaterThanOrEqual(6);
    });
    expect(await letters(ids)).toEqual([]);
    fetcher.ledger.refuse(null);
    await until(async () => {
      await passTime(ids);
      expect(await settlements(ids)).toEqual([{ settlement: 'released', parked: false, count: 3 }]);
    });
  });

  it('parks what cannot be settled, with one dead letter, and settles five hundred newer ones behind it', async () => {
    const [poisoned] = await overdue(1);
    fetcher.ledger.poison(String(poisoned));
    const newer = await overdue(500);
    const all = [String(poisoned), ...newer];
    await until(async () =>
      expect(await settlements(newer)).toEqual([{ settlement: 'released', parked: false, count: 500 }]),
    );
    await until(async () => {
      await passTime(all);
      expect(await settlements([String(poisoned)])).toEqual([
        { settlement: 'pending', parked: true, count: 1 },
      ]);
    });
    const at = await sweeps();
    await until(async () => expect(await sweeps()).toBeGreaterThan(at));
    expect(await openTasks([String(poisoned)])).toEqual([0]);
    expect(await letters(all)).toEqual([poisoned]);
  });
});
