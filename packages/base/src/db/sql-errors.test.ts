import { describe, expect, it } from '@jest/globals';
import { retryConflicts } from './pool.ts';
import { isDatabaseAway, isWriteConflict } from './sql.ts';

const fromDriver = Object.assign(new Error('deadlock detected'), { code: '40P01' });
/** As Prisma throws for a raw statement over a driver adapter. */
const fromPrismaRaw = Object.assign(new Error('Raw query failed'), {
  code: 'P2010',
  meta: {
    driverAdapterError: Object.assign(new Error('x'), { cause: { originalCode: '40001', kind: 'postgres' } }),
  },
});
const fromPrisma = Object.assign(new Error('write conflict'), { code: 'P2034' });

describe('database errors', () => {
  it('distinguish conflicts, an absent database and faults of the request', () => {
    const wrapped = new Error('outer', { cause: fromDriver });
    expect([fromDriver, fromPrismaRaw, fromPrisma, wrapped].map(isWriteConflict)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    const unique = Object.assign(new Error('duplicate key'), { code: '23505' });
    expect([isWriteConflict(unique), isDatabaseAway(unique)]).toEqual([false, false]);
    const away = ['57P01', '53300', '08006', '55P03', '53100', '3D000', 'ECONNREFUSED', 'P1001'];
    expect(away.map((code) => isDatabaseAway(Object.assign(new Error(code), { code })))).toEqual(
      away.map(() => true),
    );
    expect(isDatabaseAway(new Error('timeout exceeded when trying to connect'))).toBe(true);
    expect(isDatabaseAway(new Error('database "x" is not currently accepting connections'))).toBe(true);
  });
});

describe('retryConflicts', () => {
  it('runs the work again after a conflict', async () => {
    let runs = 0;
    const work = async () => {
      runs += 1;
      if (runs < 3) throw fromPrisma;
      return 'done';
    };
    expect(await retryConflicts(work)).toBe('done');
    expect(runs).toBe(3);
  });

  it('gives up after five repetitions, and at once for other errors', async () => {
    let runs = 0;
    const failWith = (error: Error) => async () => {
      runs += 1;
      throw error;
    };
    await expect(retryConflicts(failWith(fromDriver))).rejects.toBe(fromDriver);
    expect(runs).toBe(6);
    await expect(retryConflicts(failWith(new Error('other')))).rejects.toThrow('other');
    expect(runs).toBe(7);
  });
});
