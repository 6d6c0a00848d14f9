import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Sql } from '@tds/base';
import { eventually } from '@tds/test-kit';
import { freshVideos, newSteps, type Steps, toEnd, toOpenRequest, toRows } from '../test-support/rows.ts';
import { openTables, type Tables } from '../test-support/tables.ts';
import { Worker } from './worker.ts';

let tables: Tables;
let steps: Steps;
beforeAll(async () => {
  tables = await openTables();
  steps = newSteps(tables);
});
afterAll(() => tables?.stop());

const slots = { all: { reads: 2, jobs: 6 }, max: { reads: 2, jobs: 3 } };
const depsOf = (sql: Sql, places: typeof slots) =>
  ({ sql, slots: places, log: { warn: () => {} }, outcomes: { add: () => {} } }) as never;

/** Workers as in processes of their own. Their fetches run until they are released. */
const createProcesses = () => {
  const living: { running: number }[] = [];
  let gate = Promise.withResolvers<void>();
  let peak = 0;
  const running = () => living.map((one) => one.running);
  const sum = () => running().reduce((total, one) => total + one, 0);
  const never = () => new Promise<never>(() => {});
  const start = () => {
    const own = { running: 0 };
    living.push(own);
    const isDead = () => !living.includes(own);
    const sql: Sql = (statement, values) => (isDead() ? never() : tables.sql(statement, values));
    let fetchId = '';
    const worker: Worker = new Worker(
      depsOf(sql, slots),
      async (_, begun) => {
        fetchId = begun.fetchId;
        own.running += 1;
        peak = Math.max(peak, sum());
        await gate.promise;
        if (isDead()) await never();
        own.running -= 1;
        return { end: toEnd(begun), objects: [], rendered: null };
      },
      async ({ end }) => void (await steps.end([{ ...end, reportTo: null }])),
    );
    /** Ends the process, and its lease of ten seconds. */
    const kill = async (): Promise<void> => {
      living.splice(living.indexOf(own), 1);
      await tables.query(
        `UPDATE workers SET alive_until = now() - interval '1 second'
         WHERE id = (SELECT worker_id FROM fetches WHERE id = $1)`,
        [fetchId],
      );
    };
    return { worker, kill };
  };
  const release = (): void => {
    gate.resolve();
    gate = Promise.withResolvers();
  };
  return { start, running, sum, release, peak: () => peak };
};

it('all processes together never fetch more rows than there are places, each at most its own number, and the places of a dead one come back', async () => {
  const { start, running, sum, release, peak } = createProcesses();
  const all = slots.all.jobs;
  const wake = (woken: readonly { readonly worker: Worker }[]) => {
    for (const { worker } of woken) worker.wake('jobs');
  };
  const batch = await steps.readyBatch({ rows: toRows(freshVideos(60)) });
  const first = start();
  wake([first]);
  await eventually(async () => expect(running()).toEqual([slots.max.jobs]));
  const others = [start(), start()];
  wake(others);
  await eventually(async () => expect(sum()).toBe(all));
  await first.kill();
  expect(sum()).toBe(all - slots.max.jobs);
  await eventually(async () => {
    for (const { worker } of others) await worker.adopt();
    wake(others);
    expect(sum()).toBe(all);
  });
  await eventually(async () => {
    release();
    wake(others);
    expect(new Set(await steps.states(batch.rows.map(({ id }) => id)))).toEqual(new Set(['delivered']));
  });
  await steps.readyBatch({ rows: toRows(freshVideos(20)) });
  wake(others);
  await eventually(async () => expect(running()).toEqual([3, 3]));
  expect(peak()).toBe(all);
  release();
  await Promise.all(others.map(({ worker }) => worker.stop()));
});

it('a small job whose credits are committed late has its turn before the rest of a long one', async () => {
  const began: string[] = [];
  let gate = Promise.withResolvers<void>();
  const one = { reads: 1, jobs: 1 };
  const worker: Worker = new Worker(
    depsOf(tables.sql, { all: one, max: one }),
    async (_, begun) => {
      began.push(begun.videoId);
      await gate.promise;
      return { end: toEnd(begun), objects: [], rendered: null };
    },
    async ({ end }) => void (await steps.end([{ ...end, reportTo: null }])),
  );
  const rowsBegun = async (count: number) => {
    for (let more = count; more > 0; more -= 1) {
      const before = began.length;
      gate.resolve();
      gate = Promise.withResolvers();
      await eventually(async () => expect(began.length).toBeGreaterThan(before));
    }
  };
  await steps.endWaitingRows();
  await steps.readyBatch({ rows: toRows(freshVideos(12)) });
  const small = toOpenRequest({ rows: toRows(freshVideos(1)) });
  await steps.open(small);
  worker.wake('jobs');
  const client = await tables.pool.connect();
  try {
    await client.query('BEGIN');
    const { batchId, reservation, rows } = small;
    await client.query('SELECT hold_rows($1, $2, $3, $4)', [
      batchId,
      reservation,
      [1],
      rows.map(({ id }) => id),
    ]);
    await rowsBegun(4);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  await rowsBegun(2);
  expect(began).toContain(small.rows[0]?.videoId);
  gate.resolve();
  await worker.stop();
});
