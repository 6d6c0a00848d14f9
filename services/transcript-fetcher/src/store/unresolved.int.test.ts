import { randomUUID } from 'node:crypto';
import { serviceError } from '@tds/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTables, type Tables } from '../test-support/tables.ts';
import { failFetch } from './fetches.ts';
import { endSettlement, failOperation, failOperations, findOperation } from './operations.ts';
import {
  findOverdueFetches,
  findStuckReserving,
  findUnsettled,
  giveUpCharge,
  knownOperations,
  parkSettlement,
  resolvedOperations,
} from './unresolved.ts';

const error = serviceError('relay_attempt_cap').data;
const MINUTE_MS = 60_000;
let tables: Tables;
beforeAll(async () => {
  tables = await openTables();
});
afterAll(() => tables?.stop());
beforeEach(() => tables.query('DELETE FROM operations'));

const ago = (ms: number) => new Date(Date.now() - ms);
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
const tasksOf = (id: string) =>
  tables.query(`SELECT FROM messaging.tasks WHERE payload ->> 'operationId' = $1`, [id]);
const delivered = async (given: Record<string, unknown> = {}) =>
  tables.add.operation({
    ...{ state: 'delivered', transcript_id: await tables.add.transcript(), charge: 1, ...given },
  });

describe('work that nobody ends', () => {
  it('is an operation that is reserved for longer than that may take', async () => {
    const [stuck] = [
      await tables.add.operation({ created_at: ago(2 * MINUTE_MS) }),
      await tables.add.operation({ created_at: ago(MINUTE_MS / 2) }),
      await tables.add.operation({ created_at: ago(2 * MINUTE_MS), state: 'fetching' }),
      await tables.add.operation({ created_at: ago(2 * MINUTE_MS), state: 'failed' }),
    ];
    expect(await findStuckReserving(tables.db, MINUTE_MS)).toEqual([{ id: stuck }]);
    expect(await findStuckReserving(tables.db, MINUTE_MS, stuck)).toEqual([]);
  });

  it('is a fetch that holds somebody for longer than one may take, and a batch for longer than its turn may', async () => {
    const holding = async (settlement: string, createdMsAgo: number) => {
      const fetch_id = await tables.add.fetch();
      const created_at = ago(createdMsAgo);
      await tables.add.operation({ fetch_id, settlement, created_at, state: 'fetching' });
      return fetch_id;
    };
    const [interactive, batch] = [
      await holding('pending', 4 * MINUTE_MS),
      await holding('by_caller', 31 * MINUTE_MS),
      await holding('pending', 2 * MINUTE_MS),
      await holding('by_caller', 29 * MINUTE_MS),
    ];
    const limits = { interactiveMs: 3 * MINUTE_MS, batchMs: 30 * MINUTE_MS };
    expect(idsOf(await findOverdueFetches(tables.db, limits))).toEqual([interactive, batch].toSorted());
  });

  it('is told in pages by id, so that what cannot be ended hides nothing behind it', async () => {
    const added = Array.from({ length: 3 }, () => tables.add.operation({ created_at: ago(2 * MINUTE_MS) }));
    const [first, ...others] = (await Promise.all(added)).toSorted();
    expect(idsOf(await findStuckReserving(tables.db, MINUTE_MS, first))).toEqual(others);
  });
});

describe('credits that nobody resolves', () => {
  const overdue = { settlement: 'pending', ended_at: ago(5 * MINUTE_MS) };
  const unsettled = () => findUnsettled(tables.db, 2 * MINUTE_MS);

  it('are those of ended operations whose task is gone, each with its charge', async () => {
    const paid = await delivered(overdue);
    const failed = await tables.add.operation({ ...overdue, state: 'failed' });
    await delivered({ ...overdue, ended_at: ago(MINUTE_MS) });
    await delivered({ ...overdue, settlement: 'settled' });
    await delivered({ ...overdue, settlement: 'by_caller' });
    const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
    expect(await unsettled()).toEqual(
      [
        { id: paid, charge: 1 },
        { id: failed, charge: 0 },
      ].toSorted(byId),
    );
  });

  it('are left to the task that asks for them, however often that is tried', async () => {
    const id = await delivered(overdue);
    const enqueue = `SELECT messaging.enqueue('settle-operation', jsonb_build_object('operationId', $1::text)) AS id`;
    const [task] = await tables.query<{ id: string }>(enqueue, [id]);
    expect(await unsettled()).toEqual([]);
    await tables.query(`UPDATE messaging.tasks SET state = 'done', finished_at = now() WHERE id = $1`, [
      task?.id,
    ]);
    expect(idsOf(await unsettled())).toEqual([id]);
  });

  it('are nobody`s once they are parked; what was resolved meanwhile cannot be parked', async () => {
    const [parked, settled] = [await delivered(overdue), await delivered({ settlement: 'settled' })];
    for (const id of [parked, settled]) await parkSettlement(tables.db, id);
    expect(await unsettled()).toEqual([]);
    const rows = await tables.query('SELECT id FROM operations WHERE parked_at IS NOT NULL');
    expect(rows).toEqual([{ id: parked }]);
  });
});

describe('what is compared with the ledger', () => {
  it('is what somebody has resolved, in pages by id, and nothing that is under way or paid by others', async () => {
    const resolved = [
      await delivered({ settlement: 'settled' }),
      await tables.add.operation({ state: 'failed', settlement: 'released' }),
      await delivered({ settlement: 'settled' }),
    ].toSorted();
    for (const settlement of ['pending', 'uncollected', 'by_caller']) await delivered({ settlement });
    const first = await resolvedOperations(tables.db, '00000000-0000-0000-0000-000000000000', 2);
    expect(idsOf(first)).toEqual(resolved.slice(0, 2));
    expect(idsOf(await resolvedOperations(tables.db, first.at(-1)?.id ?? '', 2))).toEqual(resolved.slice(2));
  });

  it('is known if there is an operation of that id, whatever became of it', async () => {
    const ids = [await delivered(), await tables.add.operation({ state: 'failed' }), randomUUID()];
    expect(await knownOperations(tables.sql, ids)).toEqual(new Set(ids.slice(0, 2)));
    expect(await knownOperations(tables.sql, [])).toEqual(new Set());
  });

  it('is given up once, and only if it is charged and settled', async () => {
    const [settled, free, pending] = [
      await delivered({ settlement: 'settled' }),
      await delivered({ settlement: 'settled', charge: 0 }),
      await delivered(),
    ];
    const gaveUp = await Promise.all(
      [settled, settled, free, pending].map((id) => giveUpCharge(tables.db, id)),
    );
    expect(gaveUp.slice(0, 2).toSorted()).toEqual([false, true]);
    expect(gaveUp.slice(2)).toEqual([false, false]);
    expect(await findOperation(tables.db, settled)).toMatchObject({ settlement: 'uncollected', charge: 1 });
  });
});

describe('the end of a settlement', () => {
  const settle = async (id: string, settlement: 'settled' | 'released' | 'uncollected', epoch = '1') => {
    const [task] = await tables.query<{ id: string }>(
      `SELECT messaging.enqueue_held('settle-operation', '{}', '{}', 10000) AS id`,
    );
    return endSettlement(tables.sql, {
      ...{ lease: { id: task?.id ?? '', epoch }, operationId: id, settlement },
    });
  };

  it('is the word for what the operation owes: nothing that costs nothing is settled, and no charge released', async () => {
    const [paid, free] = [await delivered(), await delivered({ charge: 0 })];
    expect(await settle(paid, 'released')).toBeNull();
    expect(await settle(free, 'settled')).toBeNull();
    expect(await settle(free, 'uncollected')).toBeNull();
    expect(await settle(paid, 'uncollected')).toMatchObject({
      id: paid,
      settlement: 'uncollected',
      charge: 1,
    });
    expect(await settle(free, 'released')).toMatchObject({ id: free, settlement: 'released', charge: 0 });
  });

  it('changes nothing where the task has gone to another worker', async () => {
    const id = await delivered();
    await expect(settle(id, 'settled', '2')).rejects.toMatchObject({ code: 'LL001' });
    expect(await findOperation(tables.db, id)).toMatchObject({ settlement: 'pending' });
  });
});

describe('a failure', () => {
  it('ends what is open, once, and nothing that was delivered meanwhile', async () => {
    const [open, done] = [await tables.add.operation(), await delivered()];
    const ends = [open, open, done].map((id) => failOperation(tables.db, id, error, 'released'));
    expect((await Promise.all(ends)).toSorted()).toEqual([false, false, true]);
    expect(await findOperation(tables.db, open)).toMatchObject({
      state: 'failed',
      error,
      settlement: 'released',
    });
    expect(await findOperation(tables.db, done)).toMatchObject({ state: 'delivered', error: null });
  });

  it('of a fetch ends all who wait for it, and tells apart who gets a credit back first', async () => {
    const fetch_id = await tables.add.fetch();
    const [reserved, batch] = [
      await tables.add.operation({ fetch_id, state: 'fetching' }),
      await tables.add.operation({ fetch_id, state: 'fetching', settlement: 'by_caller' }),
      await delivered({ fetch_id }),
    ];
    expect([await failFetch(tables.db, fetch_id), await failFetch(tables.db, fetch_id)]).toEqual([
      true,
      false,
    ]);
    expect(await failOperations(tables.db, fetch_id, error)).toEqual({
      toSettle: [reserved],
      answerable: [batch],
    });
    expect(await failOperations(tables.db, fetch_id, error)).toEqual({ toSettle: [], answerable: [] });
    expect(await tasksOf(String(reserved))).toEqual([]);
  });
});
