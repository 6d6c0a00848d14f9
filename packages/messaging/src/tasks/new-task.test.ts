import { describe, expect, it } from '@jest/globals';
import type { SqlExecutor } from '@tds/base';
import { defineContract } from '@tds/contracts';
import { z } from 'zod';
import { enqueueOnce, newTask } from './task-rows.ts';

const payload = z.object({});
const shape = { payload, leaseMs: 1_000, backoffMs: [1_000], concurrency: 4, timeLimitMs: null };
const { plain, fair } = defineContract('status', {
  tasks: { plain: shape, fair: { ...shape, maxInFlightPerPartition: 2 } },
});

describe('a task that is about to be saved', () => {
  it('is due at once and has no partition by default', () => {
    const plainest = { name: 'fair', payload: '{}', delayMs: 0, partition: null, maxInFlight: null };
    expect(newTask(fair, '{}', {})).toEqual(plainest);
  });

  it('takes the cap of its partition from the contract', () => {
    const task = newTask(fair, '{}', { partition: 'account 1', delayMs: 50 });
    expect(task).toMatchObject({ partition: 'account 1', maxInFlight: 2, delayMs: 50 });
  });

  it('is refused what its contract says nothing about, before anything is saved', () => {
    expect(() => newTask(plain, '{}', { partition: 'account 1' })).toThrow(
      'plain has no maxInFlightPerPartition',
    );
  });
});

describe('a task with a key', () => {
  /** A database that answers with these rows, and what it was asked. */
  const answering = (rows: readonly object[]) => {
    const asked: unknown[][] = [];
    const $queryRawUnsafe = async (...given: unknown[]) => {
      asked.push(given);
      return rows;
    };
    return { asked, tx: { $queryRawUnsafe } as unknown as SqlExecutor };
  };

  it('is saved with whole milliseconds, never less than its delay', async () => {
    const { asked, tx } = answering([{ id: 'a' }]);
    const task = newTask(fair, '{"n":1}', { delayMs: 0.2, partition: 'p' });
    expect(await enqueueOnce(tx, task, { key: 'k', headers: '{}' })).toBe('a');
    expect(asked[0]?.slice(1)).toEqual(['fair', '{"n":1}', '{}', 1, 'k', 'p', 2]);
  });

  it('that the database did not save is an error, not a task without an id', async () => {
    const { tx } = answering([]);
    const saving = enqueueOnce(tx, newTask(plain, '{}', {}), { key: 'k', headers: '{}' });
    await expect(saving).rejects.toThrow('plain was not saved');
  });
});
