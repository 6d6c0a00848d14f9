import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSql } from '@tds/base';
import { freshVideos, newSteps, type Steps, toOpenRequest, toRead, toRows } from '../../test-support/rows.ts';
import { freshVideo, openTables, type Tables } from '../../test-support/tables.ts';
import { beginFetches, openRows } from './rows.ts';

let tables: Tables;
let steps: Steps;
beforeAll(async () => {
  tables = await openTables();
  steps = newSteps(tables);
});
afterAll(() => tables?.stop());

describe('a read', () => {
  it('is opened for its own reservation without a look into the cache, which the reader does', async () => {
    const read = toRead();
    expect(await steps.open(read)).toEqual([
      {
        rowId: read.reservation,
        state: 'opened',
        operationId: read.reservation,
        reservation: read.reservation,
        item: 1,
        full: null,
      },
    ]);
    const video_id = freshVideo();
    await tables.add.selection({ video_id, transcript_id: await tables.add.transcript({ video_id }) });
    const known = toRead(video_id);
    expect(await steps.open(known)).toMatchObject([{ state: 'known', operationId: null, reservation: null }]);
    expect(await steps.counts(known)).toEqual([0]);
  });

  it('is opened and begun without waiting for the disk, unlike rows of jobs and all else on the connection', async () => {
    const client = await tables.pool.connect();
    // Unlike servers for tests.
    await client.query('SET synchronous_commit = on');
    const sql = createSql(client as unknown as typeof tables.pool);
    const waits = async () =>
      (await client.query('SHOW synchronous_commit')).rows[0].synchronous_commit === 'on';
    const waitsAfter = async (step: () => Promise<unknown>) => {
      await client.query('BEGIN');
      await step();
      const inside = await waits();
      await client.query('COMMIT');
      return [inside, await waits()];
    };
    const read = toRead();
    expect(await waitsAfter(() => openRows(sql, read))).toEqual([false, true]);
    expect(await waitsAfter(() => beginFetches(sql, [read.reservation], randomUUID()))).toEqual([false, true]);
    expect(await waitsAfter(() => openRows(sql, toOpenRequest()))).toEqual([true, true]);
    client.release(true);
  });

  it('joins the open read of its account for the track; not of another account, language or fallback', async () => {
    const first = toRead();
    await steps.open(first);
    const videoId = String(first.rows[0]?.videoId);
    const { accountId } = first;
    expect(await steps.open(toRead(videoId, { accountId }))).toMatchObject([
      { state: 'opened', operationId: first.reservation, reservation: null },
    ]);
    for (const other of [{}, { accountId, language: 'de' }, { accountId, fallback: false }]) {
      const read = toRead(videoId, other);
      expect(await steps.open(read)).toMatchObject([
        { operationId: read.reservation, reservation: read.reservation },
      ]);
    }
  });

  it('is opened and counted once for eight concurrent requests', async () => {
    const { accountId, scopes } = toOpenRequest();
    const videoId = freshVideo();
    const reads = Array.from({ length: 8 }, () => toRead(videoId, { accountId, scopes }));
    const openRequest = async (read: (typeof reads)[number]): Promise<string | null | undefined> => {
      for (;;) {
        const [row] = await openRows(tables.sql, read).catch((error: { code?: string }) => {
          if (error.code === '40001') return [null];
          throw error;
        });
        if (row !== null) return row?.operationId;
      }
    };
    const opened = await Promise.all(reads.map(openRequest));
    expect(new Set(opened).size).toBe(1);
    expect(await steps.counts({ scopes })).toEqual([1]);
  });

  it('has an operation of its own beside a row of a job of the same account; they share the fetch', async () => {
    const batch = await steps.readyBatch({ rows: toRows(freshVideos(1)) });
    const { accountId } = batch;
    const read = toRead(batch.rows[0]?.videoId, { accountId });
    expect(await steps.open(read)).toMatchObject([{ operationId: read.reservation }]);
    expect(await steps.begin([...batch.rows, ...read.rows].map(({ id }) => id))).toHaveLength(1);
  });
});
