import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { freshVideos, newSteps, type Steps, toRead, toRows } from '../../test-support/rows.ts';
import { openTables, type Tables } from '../../test-support/tables.ts';
import { type OpenRequest, queueRead, waitingPriorities } from './rows.ts';

let tables: Tables;
let steps: Steps;
beforeAll(async () => {
  tables = await openTables();
  steps = newSteps(tables);
});
afterAll(() => tables?.stop());
beforeEach(() => steps.endWaitingRows());

const batchOf = (count: number, given: Partial<OpenRequest> = {}) =>
  steps.readyBatch({ rows: toRows(freshVideos(count)), ...given });
const idsOf = ({ rows }: Pick<OpenRequest, 'rows'>) => rows.map(({ id }) => id);
/** The number of rows of each batch that had their turn. */
const served = async (batches: readonly OpenRequest[]) => {
  const states = await Promise.all(batches.map((batch) => steps.states(idsOf(batch))));
  return states.map((all) => all.filter((state) => state === 'fetching').length);
};
/** Many batches in one statement, each of its own account. */
const addBatches = (count: number, rowsEach: number) =>
  tables.query(
    `WITH batch AS (
       INSERT INTO batches (id, priority, account_id, is_queued, turn)
       SELECT gen_random_uuid(), 'jobs', gen_random_uuid(), true, clock_timestamp() - interval '1 second' * (random() * 4)
       FROM generate_series(1, $1) RETURNING id, account_id, turn
     ), turn AS (INSERT INTO turns SELECT 'jobs', account_id, turn, true FROM batch)
     INSERT INTO operations (id, priority, batch_id, position, account_id, video_id, language, fallback, format, state, price)
     SELECT gen_random_uuid(), 'jobs', id, n, account_id, lpad(left(md5(id::text || n), 10), 11, 'x'), 'en', true, 'srt', 'ready', 0
     FROM batch, generate_series(0, $2 - 1) AS n`,
    [count, rowsEach],
  );

describe('turns', () => {
  it('go reservation accounts, and per reservation through the batches of an account, by position', async () => {
    const busy = randomUUID();
    const batches = [
      await batchOf(9, { accountId: busy }),
      await batchOf(9, { accountId: busy }),
      await batchOf(9),
    ];
    await steps.claim(4);
    expect(await served(batches)).toEqual([1, 1, 2]);
    await steps.claim(4);
    expect(await served(batches)).toEqual([2, 2, 4]);
    const [first] = batches;
    if (!first) throw new Error('there is a batch');
    expect((await steps.states(idsOf(first))).slice(0, 3)).toEqual(['fetching', 'fetching', 'ready']);
  });

  it('of fewer places than accounts serve each account once before any of them twice', async () => {
    const batches = await Promise.all(Array.from({ length: 5 }, () => batchOf(3)));
    for (let n = 0; n < 5; n += 1) await steps.claim(1);
    expect(await served(batches)).toEqual([1, 1, 1, 1, 1]);
  });

  it('reach a newcomer in the first claim beside 1,000 batches of others', async () => {
    await addBatches(1_000, 3);
    for (let n = 0; n < 3; n += 1) await steps.claim(24);
    const newcomer = await batchOf(20);
    await steps.claim(24);
    expect((await served([newcomer]))[0]).toBeGreaterThan(0);
  });

  it('in two concurrent claims cover different rows, and all of them', async () => {
    await Promise.all(Array.from({ length: 6 }, () => batchOf(4)));
    const claimed: string[] = [];
    for (let rows = 1; rows > 0; ) {
      const claims = await Promise.all([steps.claim(4), steps.claim(4)]);
      rows = claims.reduce((sum, claim) => sum + (claim?.rows ?? 0), 0);
      claimed.push(...claims.flatMap((claim) => claim?.begun.map(({ videoId }) => videoId) ?? []));
    }
    expect(claimed).toHaveLength(24);
    expect(new Set(claimed).size).toBe(24);
  });

  it('of accounts that another claim holds are seen to wait, so that no worker goes to rest', async () => {
    await batchOf(4);
    const other = await tables.pool.connect();
    await other.query('BEGIN');
    await other.query('SELECT FROM turns WHERE is_queued FOR UPDATE');
    expect(await steps.claim(4)).toEqual({ rows: 0, begun: [] });
    await other.query('COMMIT');
    other.release();
    expect(await steps.claim(5)).toMatchObject({ rows: 4 });
    expect(await steps.claim(5)).toBeNull();
  });

  it('are never given to more rows than there are places', async () => {
    const accountId = randomUUID();
    await Promise.all([...Array(3)].map(() => batchOf(30)));
    await Promise.all([...Array(3)].map(() => batchOf(30, { accountId })));
    for (const slots of [1, 2, 3, 5, 7, 24]) expect((await steps.claim(slots))?.rows).toBe(slots);
  });

  it('skip rows whose credits are being reserved, but not other rows of the batch', async () => {
    const batch = await batchOf(2);
    await steps.open({
      ...batch,
      reservation: randomUUID(),
      rows: toRows(freshVideos(2)).map((row) => ({ ...row, position: row.position + 5 })),
    });
    expect((await steps.claim(8))?.rows).toBe(2);
    expect(await steps.claim(8).then((claim) => claim?.rows ?? 0)).toBe(0);
  });

  it('include rows of price 0, which need no credit', async () => {
    const batch = await batchOf(0, { rows: toRows(freshVideos(2), { price: 0 }) });
    await tables.query('SELECT queue_batch($1)', [batch.batchId]);
    expect((await steps.claim(8))?.rows).toBe(2);
  });

  it('appear in the changes of the batch as fetching rows', async () => {
    const batch = await batchOf(2);
    const before = await steps.version(batch);
    await steps.claim(2);
    const version = await steps.version(batch);
    expect(version).toBeGreaterThan(before);
    expect((await steps.find(idsOf(batch))).map(({ changeVersion }) => changeVersion)).toEqual([
      version,
      version,
    ]);
  });
});

describe('a batch', () => {
  it('leaves the turns when all rows have begun, and returns with new ones', async () => {
    const batch = await batchOf(2);
    await steps.claim(2);
    await steps.claim(2);
    expect(await waitingPriorities(tables.sql)).toEqual([]);
    const more = {
      ...batch,
      reservation: randomUUID(),
      rows: toRows(freshVideos(1)).map((row) => ({ ...row, position: 7 })),
    };
    await steps.open(more);
    await steps.hold(more);
    expect(await waitingPriorities(tables.sql)).toEqual(['jobs']);
    expect((await steps.claim(2))?.rows).toBe(1);
  });

  it('gains no turn by leaving and returning: waiting batches are served first', async () => {
    const [leaving, waiting] = [await batchOf(1), await batchOf(1)];
    await steps.claim(1);
    expect(await served([leaving, waiting])).toEqual([1, 0]);
    const back = {
      ...leaving,
      reservation: randomUUID(),
      rows: toRows(freshVideos(1)).map((row) => ({ ...row, position: 9 })),
    };
    await steps.open(back);
    await steps.hold(back);
    await steps.claim(1);
    expect(await served([back, waiting])).toEqual([0, 1]);
  });

  it('that is paused has no turn', async () => {
    const batch = await batchOf(3);
    await tables.query(`SELECT pause_batch($1, $2, 'held', $3)`, [
      batch.batchId,
      batch.accountId,
      randomUUID(),
    ]);
    expect((await steps.claim(3))?.rows ?? 0).toBe(0);
  });
});

describe('a read without a free place', () => {
  it('waits in the queue of reads of its account, beside its jobs', async () => {
    const accountId = randomUUID();
    const batch = await batchOf(1, { accountId });
    const reads = [toRead(undefined, { accountId }), toRead()];
    for (const read of reads) {
      await steps.open(read);
      await queueRead(tables.sql, read.reservation);
    }
    expect(await waitingPriorities(tables.sql)).toEqual(['reads', 'jobs']);
    expect((await steps.claim(8, 'reads'))?.rows).toBe(2);
    expect(await served([...reads, batch])).toEqual([1, 1, 0]);
    expect((await steps.claim(8))?.rows).toBe(1);
  });

  it('that has ended meanwhile is not queued and begins nothing', async () => {
    const read = toRead();
    await steps.open(read);
    await tables.query(`UPDATE operations SET state = 'failed', error = '{}', ended_at = now() WHERE id = $1`, [
      read.reservation,
    ]);
    await queueRead(tables.sql, read.reservation);
    expect(await steps.states([read.reservation])).toEqual(['failed']);
    expect((await steps.claim(8, 'reads'))?.rows ?? 0).toBe(0);
    expect(await steps.begin([read.reservation])).toEqual([]);
  });
});
