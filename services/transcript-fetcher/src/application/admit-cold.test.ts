import { describe, expect, it } from 'vitest';
import { coldLimits } from '../domain/cold-caps.ts';
import { poolsWith } from '../test-support/permits.ts';
import { admitCold, admitUnlessKnown, type ColdRequest } from './admit-cold.ts';

const now = () => new Date('2026-11-20T00:00:00.000Z');
const request: ColdRequest = {
  ...{ videoId: 'manualEn001', language: 'en', fallback: true, format: 'srt', tier: 'free', waitMs: 0 },
  ...{
    accountId: 'account',
    keyId: 'key',
    requestId: 'request',
    accountCreatedAt: '2026-11-19T00:00:00.000Z',
  },
  cacheOnly: false,
};
type Row = { opened_id: string | null; is_new: boolean | null; refused: string | null };
type Values = readonly [
  operation: string,
  day: string,
  scopes: string[],
  most: number[],
  hasPermits: boolean,
];

/** Asks a table that answers as given, with so many permits of each pool. */
const ask = async (
  answer: Row | Error | ((values: Values) => Row),
  { free = 5, global = 5, given = request, how = admitCold as typeof admitUnlessKnown } = {},
) => {
  const { pools, left } = poolsWith({ free, global });
  const asked: Values[] = [];
  const sql = async (_statement: unknown, values: Values) => {
    asked.push(values);
    if (answer instanceof Error) throw answer;
    return [typeof answer === 'function' ? answer(values) : answer];
  };
  const deps = { sql, pools, limits: coldLimits, now };
  const admitted = await how(deps as never, given).catch((error: unknown) => error as Error);
  return { admitted, left, asked };
};
const opened: Row = { opened_id: 'request', is_new: true, refused: null };
const full = (refused: string): Row => ({ opened_id: null, is_new: null, refused });
const untouched = { free: 5, global: 5 };

describe('a cold fetch', () => {
  it('is admitted under the scopes of its caller, on the UTC day that begins now, with its price', async () => {
    const { admitted, left, asked } = await ask(opened);
    expect(admitted).toMatchObject({ isNew: true, operation: { id: 'request', price: 1 } });
    expect(left).toEqual({ free: 4, global: 4 });
    const [[operation = '', ...rest] = []] = asked;
    expect(JSON.parse(operation)).toMatchObject({ id: 'request', account_id: 'account', price: 1 });
    expect(rest).toEqual(['2026-11-20', ['account:account', 'key:key'], [25, 100], true, false]);
  });

  it('that joins the account`s open operation takes no permit', async () => {
    const { admitted, left } = await ask({ opened_id: 'other', is_new: false, refused: null });
    expect(admitted).toMatchObject({ isNew: false, operation: { id: 'other' } });
    expect(left).toEqual(untouched);
  });

  it('that never begins returns its permits once, however often that is said', async () => {
    const { admitted, left } = await ask(opened);
    if (admitted === null || admitted instanceof Error) throw new Error('it was admitted');
    await admitted.returnPermits();
    await admitted.returnPermits();
    expect(left).toEqual(untouched);
  });

  it.each([
    ['account:account', 'account_age_ramp'],
    ['key:key', 'cold_fetch_cap'],
  ])('is refused where %s is full, which takes no permit', async (scope, code) => {
    const { admitted, left } = await ask(full(scope));
    expect(admitted).toMatchObject({ code, data: { retryAfterSeconds: 86_400 } });
    expect(left).toEqual(untouched);
  });

  it.each([
    ['free', { free: 0 }, 'free_pool_cap'],
    ['global', { global: 0 }, 'global_cold_cap'],
  ])(
    'is refused where the %s pool is empty, and returns what the other one gave',
    async (_pool, empty, code) => {
      const hasPermits: boolean[] = [];
      const answer = (values: Values) => {
        hasPermits.push(values[4]);
        return full('pool');
      };
      const { admitted, left } = await ask(answer, empty);
      expect(admitted).toMatchObject({ code });
      expect(hasPermits).toEqual([false]);
      expect(left).toEqual({ ...untouched, ...empty });
    },
  );

  it('of a paid key takes nothing of the free pool, and is admitted though that is empty', async () => {
    const { admitted, left } = await ask(opened, { free: 0, given: { ...request, tier: 'paid' } });
    expect(admitted).toMatchObject({ isNew: true });
    expect(left).toEqual({ free: 0, global: 4 });
  });

  it('whose request was disowned before is opened for nobody, and takes no permit', async () => {
    const { admitted, left } = await ask(Object.assign(new Error('duplicate key'), { code: '23505' }));
    expect(admitted).toMatchObject({ code: 'service_unavailable' });
    expect(left).toEqual(untouched);
  });

  it('of which nobody knows whether it is open keeps its permits', async () => {
    const { admitted, left } = await ask(Object.assign(new Error('connection lost'), { code: '08006' }));
    expect(admitted).toMatchObject({ code: '08006' });
    expect(left).toEqual({ free: 4, global: 4 });
  });

  it('that a scope refuses which nobody has given is a defect, and no answer', async () => {
    expect((await ask(full('key:another'))).admitted).toEqual(
      new Error('nothing is known of the full scope key:another'),
    );
  });
});

describe('what the cache may have an answer for', () => {
  it('is not admitted, and returns its permits', async () => {
    const { admitted, left, asked } = await ask(full('known'), { how: admitUnlessKnown });
    expect(admitted).toBeNull();
    expect(left).toEqual(untouched);
    expect(asked[0]?.at(-1)).toBe(true);
  });

  it('is refused like everything else if a cap is full', async () => {
    const { admitted } = await ask(full('key:key'), { how: admitUnlessKnown });
    expect(admitted).toMatchObject({ code: 'cold_fetch_cap' });
  });
});
