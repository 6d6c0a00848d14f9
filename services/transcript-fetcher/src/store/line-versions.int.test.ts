import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freshVideos, newSteps, type Steps, toEnd, toOpening, toRows } from '../test-support/rows.ts';
import { openTables, type Tables } from '../test-support/tables.ts';
import { haltLine, lineVersions, listLines } from './lines.ts';
import type { Opening } from './rows.ts';

let tables: Tables;
let steps: Steps;
beforeAll(async () => {
  tables = await openTables();
  steps = newSteps(tables);
});
afterAll(() => tables?.stop());

const halt = ({ lineId, accountId }: Opening) =>
  haltLine(tables.sql, { lineId: String(lineId), accountId }, 'stopped');

describe('versions', () => {
  it('are database time, grow with each change, and continue above one from the future', async () => {
    const line = toOpening();
    const [{ ms } = { ms: 0 }] = await tables.query<{ ms: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
    );
    await steps.open(line);
    const first = await steps.version(line);
    expect(first).toBeGreaterThanOrEqual(Math.floor(ms));
    const future = first + 1_000_000_000;
    await tables.query('UPDATE line_versions SET version = $2 WHERE line_id = $1', [line.lineId, future]);
    await halt(line);
    expect(await steps.version(line)).toBe(future + 1);
    expect(await lineVersions(tables.sql, [String(line.lineId), randomUUID()])).toEqual([
      { lineId: line.lineId, version: future + 1, openRows: 0 },
    ]);
  });

  it('come with the end of the line, also if its last two rows end at the same moment', async () => {
    for (let n = 0; n < 20; n += 1) {
      const { rows } = await steps.readyLine({ rows: toRows(freshVideos(2)) });
      const begun = await steps.begin(rows.map(({ id }) => id));
      const saved = await Promise.all(begun.map((each) => steps.end([toEnd(each)])));
      expect(saved.flatMap(({ ended }) => ended.map((row) => row.is_over))).toContain(true);
    }
  });

  it('are unique for concurrent writers of one line', async () => {
    const line = toOpening();
    await steps.open(line);
    const next = () => tables.query<{ v: string }>('SELECT next_version($1)::text AS v', [line.lineId]);
    const given = (await Promise.all(Array.from({ length: 30 }, next))).map(([row]) => row?.v);
    expect(new Set(given).size).toBe(30);
  });

  it('become visible in order: a version is not visible before earlier ones', async () => {
    const line = toOpening();
    await steps.open(line);
    const slow = await tables.pool.connect();
    await slow.query('BEGIN');
    await slow.query('SELECT next_version($1)', [line.lineId]);
    const before = await steps.version(line);
    const later = halt(line);
    expect(await steps.version(line)).toBe(before);
    await slow.query('COMMIT');
    slow.release();
    expect((await later).version).toBeGreaterThan(before + 1);
  });
});

it('lines above an age are listed page by page, over all accounts', async () => {
  const lines = await Promise.all(Array.from({ length: 3 }, () => steps.readyLine()));
  const ids = lines.map(({ lineId }) => String(lineId)).toSorted();
  await tables.query(`UPDATE lines SET created_at = now() - interval '1 hour' WHERE id = ANY ($1)`, [ids]);
  const young = await steps.readyLine();
  const listed: string[] = [];
  for (let after: string | null = null; ; ) {
    const page: { lineId: string }[] = await listLines(tables.sql, after, 2);
    if (page.length === 0) break;
    listed.push(...page.map(({ lineId }) => lineId));
    after = listed.at(-1) ?? null;
  }
  expect(listed).toEqual(ids);
  expect(listed).not.toContain(young.lineId);
});
