import { describe, expect, it } from '@jest/globals';
import { LeaseLost } from '@tds/base';
import { NoAttemptLeft } from '@tds/base/internals';
import type { Task } from '@tds/contracts';
import type { Pool } from 'pg';
import type { ClaimedTask } from './claim-tasks.ts';
import { createEffect } from './run-task.ts';

const task = { wireName: 'call-stranger', backoffMs: [1_000, 2_000] } as unknown as Task;

/** An effect of one attempt, on a database that still has `rows` rows of this worker. */
const effectOf = (attempt: number, saved: { rowCount: number } | Error = { rowCount: 1 }) => {
  const statements: unknown[][] = [];
  const query = async ({ values }: { values: unknown[] }) => {
    statements.push(values);
    if (saved instanceof Error) throw saved;
    return saved;
  };
  const claimed = { id: 'a', epoch: '7', attempt } as unknown as ClaimedTask;
  return { statements, effect: createEffect({ query } as unknown as Pool, { task, claimed }) };
};

describe('what others see of an attempt', () => {
  it('is saved under the lease before it is done', async () => {
    const { statements, effect } = effectOf(1);
    expect(effect.hasBegun()).toBe(false);
    await effect.begin();
    expect(statements).toEqual([['a', '7']]);
    expect(effect.hasBegun()).toBe(true);
  });

  it('is begun once in an attempt: a second call is a mistake of the handler', async () => {
    const { statements, effect } = effectOf(1);
    await effect.begin();
    await expect(effect.begin()).rejects.toThrow('call-stranger has begun its effect already');
    expect(statements).toHaveLength(1);
  });

  it('is begun in the last attempt, and in none beyond it: nothing is saved then', async () => {
    await effectOf(3).effect.begin();
    const { statements, effect } = effectOf(4);
    await expect(effect.begin()).rejects.toBeInstanceOf(NoAttemptLeft);
    expect([statements, effect.hasBegun()]).toEqual([[], false]);
  });

  it('is not done by who has lost the task', async () => {
    await expect(effectOf(1, { rowCount: 0 }).effect.begin()).rejects.toBeInstanceOf(LeaseLost);
  });

  it('counts as begun if the outcome of saving it is unknown', async () => {
    const { effect } = effectOf(1, new Error('the connection broke'));
    await expect(effect.begin()).rejects.toThrow('the connection broke');
    expect(effect.hasBegun()).toBe(true);
  });
});
