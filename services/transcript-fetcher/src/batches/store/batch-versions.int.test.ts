import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenRequest } from '../../fetches/store/rows.ts';
import { freshVideos, newSteps, type Steps, toEnd, toOpenRequest, toRows } from '../../test-support/rows.ts';
import { openTables, type Tables } from '../../test-support/tables.ts';
import { batchVersions, listBatches, pauseBatch } from './batches.ts';

let tables: Tables;
let steps: Steps;
beforeAll(async () => {
  tables = await openTables();
  steps = newSteps(tables);
});
afterAll(() => tables?.stop());

const pause = ({ batchId, accountId }: OpenRequest) =>
  pauseBatch(tables.sql, { batchId: String(batchId), accountId }, 'stopped');

describe('versions', () => {
  it('are database time, grow with each change, and continue above one from the future', async () => {
    const batch = toOpenRequest();
    const [{ ms } = { ms: 0 }] = await tables.query<{ ms: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
    );
    await steps.open(batch);
    const first = await steps.version(batch);
    expect(first).toBeGreaterThanOrEqual(Math.floor(ms));
    const future = first + 1_000_000_000;
    await tables.query('UPDATE batch_versions SET version = $2 WHERE batch_id = $1', [batch.batchId, future]);
    await pause(batch);
    expect(await steps.version(batch)).toBe(future + 1);
    expect(await batchVersions(tables.sql, [String(batch.batchId), randomUUID()])).toEqual([
      { batchId: batch.batchId, version: future + 1, openRows: 0 },
    ]);
  });

  it('come with the end of the batch, also if its last two rows end at the same moment', async () => {
    for (let n = 0; n < 20; n += 1) {
      const { rows } = await steps.readyBatch({ rows: toRows(freshVideos(2)) });
      const begun = await steps.begin(rows.map(({ id }) => id));
      const saved = await Promise.all(begun.map((each) => steps.end([toEnd(each)])));
      expect(saved.flatMap(({ ended }) => ended.map((row) => row.is_over))).toContain(true);
    }
  });

  it('are unique for concurrent writers of one batch', async () => {
    const batch = toOpenRequest();
    await steps.open(batch);
    const next = () => tables.query<{ v: string }>('SELECT next_version($1)::text AS v', [batch.batchId]);
    const given = (await Promise.all(Array.from({ length: 30 }, next))).map(([row]) => row?.v);
    expect(new Set(given).size).toBe(30);
  });

  it('become visible in order: a version is not visible before earlier ones', async () => {
    const batch = toOpenRequest();
    await steps.open(batch);
    const slow = await tables.pool.connect();
    await slow.query('BEGIN');
    await slow.query('SELECT next_version($1)', [batch.batchId]);
    const before = await steps.version(batch);
    const later = pause(batch);
    expect(await steps.version(batch)).toBe(before);
    await slow.query('COMMIT');
    slow.release();
    expect((await later).version).toBeGreaterThan(before + 1);
  });
});

it('batches above an age are listed page by page, over all accounts', async () => {
  const batches = await Promise.all(Array.from({ length: 3 }, () => steps.readyBatch()));
  const ids = batches.map(({ batchId }) => String(batchId)).toSorted();
  await tables.query(`UPDATE batches SET created_at = now() - interval '1 hour' WHERE id = ANY ($1)`, [ids]);
  const young = await steps.readyBatch();
  const listed: string[] = [];
  for (let after: string | null = null; ; ) {
    const page: { batchId: string }[] = await listBatches(tables.sql, after, 2);
    if (page.length === 0) break;
    listed.push(...page.map(({ batchId }) => batchId));
    after = listed.at(-1) ?? null;
  }
  expect(listed).toEqual(ids);
  expect(listed).not.toContain(young.batchId);
});
