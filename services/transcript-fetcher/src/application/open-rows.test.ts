import { describe, expect, it } from 'vitest';
import { coldLimits } from '../domain/cold-caps.ts';
import { batchOf } from '../test-support/batches.ts';
import { poolsWith } from '../test-support/permits.ts';
import { openRows } from './open-rows.ts';

const now = () => new Date('2026-11-20T23:59:59.001Z');
type Answered = { row_id: string; opened_id: string | null; is_new: boolean; refused: string | null };
type Given = {
  day: string;
  permits: number;
  scopes: { name: string; most: number }[];
  rows: { id: string }[];
};

/** Opens rows in a table that answers as given, with so many permits. */
const open = async ({
  permits,
  tier = 'free',
  answers,
  count = 4,
}: {
  permits: { free: number; global: number };
  tier?: 'free' | 'paid';
  answers: (given: Given) => Answered[];
  count?: number;
}) => {
  const { pools, left, days } = poolsWith(permits);
  const statements: Given[] = [];
  const sql = async (_statement: unknown, [json]: readonly string[]) => {
    const given: Given = JSON.parse(String(json));
    statements.push(given);
    return answers(given).map((row) => ({ ...row, tasks: 1 }));
  };
  const messaging = {
    statement: async (_sends: unknown, run: (sending: object) => Promise<{ result: unknown }>) =>
      (await run({ headers: '{}', slots: 0 })).result,
  };
  const batch = batchOf(
    Array.from({ length: count }, (_, at) => `openRows00${at}`),
    { tier },
  );
  const rows = batch.rows.map((row) => ({ ...row, seen: false }));
  const request = { ...batch, rows: [...batch.rows], waitMs: 0 };
  const deps = { sql, messaging, pools, limits: coldLimits, now };
  const outcome = openRows(deps as never, request, rows);
  const result = await outcome.catch((error: unknown) => error as Error);
  return { result, left, days, statements, ids: rows.map(({ operationId }) => operationId) };
};

/** As `open_batch`: as many as there are permits for are new. */
const asPermitted = ({ rows, permits }: Given): Answered[] =>
  rows.map(({ id }, at) =>
    at < permits
      ? { row_id: id, opened_id: id, is_new: true, refused: null }
      : { row_id: id, opened_id: null, is_new: false, refused: 'pool' },
  );

describe('opening rows', () => {
  it('does nothing for none', async () => {
    const { result, statements } = await open({
      permits: { free: 1, global: 1 },
      answers: asPermitted,
      count: 0,
    });
    expect(result).toEqual({ waiting: [], refused: [] });
    expect(statements).toEqual([]);
  });

  it('takes a permit of each pool for each row, on the UTC day that it is, and counts them for the key', async () => {
    const { result, left, days, statements, ids } = await open({
      permits: { free: 5, global: 9 },
      answers: asPermitted,
    });
    expect(result).toMatchObject({ refused: [], waiting: ids.map((openedId) => ({ openedId })) });
    expect(left).toEqual({ free: 1, global: 5 });
    expect([...days]).toEqual(['2026-11-20']);
    expect(statements).toMatchObject([{ day: '2026-11-20', permits: 4, scopes: [{ most: 100 }] }]);
  });

  it('asks for as many rows as the smallest pool has room for, and names that one to the others', async () => {
    const { result, left, statements, ids } = await open({
      permits: { free: 3, global: 2 },
      answers: asPermitted,
    });
    expect(statements).toMatchObject([{ permits: 2 }]);
    expect(result).toMatchObject({ waiting: ids.slice(0, 2).map((openedId) => ({ openedId })) });
    expect(result).toMatchObject({
      refused: ids
        .slice(2)
        .map((operationId) => ({ operationId, code: 'global_cold_cap', retryAfterSeconds: 1 })),
    });
    // What the free pool gave for the third one is free again.
    expect(left).toEqual({ free: 1, global: 0 });
  });

  it('names the free pool where that is empty, and leaves the other one as it was', async () => {
    const { result, left } = await open({ permits: { free: 0, global: 9 }, answers: asPermitted });
    const code = 'free_pool_cap';
    expect(result).toMatchObject({ waiting: [], refused: [{ code }, { code }, { code }, { code }] });
    expect(left).toEqual({ free: 0, global: 9 });
  });

  it('takes nothing of the free pool for a paid key', async () => {
    const { left } = await open({ permits: { free: 9, global: 9 }, tier: 'paid', answers: asPermitted });
    expect(left).toEqual({ free: 9, global: 5 });
  });

  it('gives the permits of rows back that were refused, joined, or have to be looked at again', async () => {
    const { result, left, ids } = await open({
      permits: { free: 9, global: 9 },
      answers: ({ rows, scopes }) => {
        const [one, two, three, four] = rows.map(({ id }) => ({ row_id: id, is_new: false, refused: null }));
        if (!one || !two || !three || !four) throw new Error('four rows');
        const full = scopes[0]?.name ?? '';
        return [
          { ...one, opened_id: one.row_id, is_new: true },
          { ...two, opened_id: 'another operation' },
          { ...three, opened_id: null, refused: full },
          { ...four, opened_id: null },
        ];
      },
    });
    expect(result).toMatchObject({
      waiting: [
        { row: { operationId: ids[0] }, openedId: ids[0] },
        { row: { operationId: ids[1] }, openedId: 'another operation' },
      ],
      refused: [{ operationId: ids[2], state: 'refused', code: 'cold_fetch_cap' }],
    });
    expect(left).toEqual({ free: 8, global: 8 });
  });
});

describe('a statement that fails', () => {
  const failing = (code: string) => () => {
    throw Object.assign(new Error('refused by the table'), { code });
  };

  it('because another call has opened the same rows changes nothing: they are looked at again', async () => {
    const { result, left } = await open({ permits: { free: 9, global: 9 }, answers: failing('23505') });
    expect(result).toEqual({ waiting: [], refused: [] });
    expect(left).toEqual({ free: 9, global: 9 });
  });

  it('in any other way keeps its permits: nobody knows what is open', async () => {
    const { result, left } = await open({ permits: { free: 9, global: 9 }, answers: failing('08006') });
    expect(result).toMatchObject({ code: '08006' });
    expect(left).toEqual({ free: 5, global: 5 });
  });
});
