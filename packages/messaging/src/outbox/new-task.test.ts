import { describe, expect, it } from '@jest/globals';
import type { SqlExecutor } from '@tds/base';
import { defineContract } from '@tds/contracts';
import { z } from 'zod';
import { enqueueOnce, newTask } from './enqueue.ts';

const payload = z.object({});
const shape = { payload, leaseMs: 1_000, backoffMs: [1_000], concurrency: 4, timeLimitMs: null };
const { plain } = defineContract('status', { tasks: { plain: shape } });

describe('a task that is about to be saved', () => {
  it('is due at once and has no partition by default', () => {
    const defaults = { name: 'plain', payload: '{}', delayMs: 0, partition: null };
    expect(newTask(plain, '{}', {})).toEqual(defaults);
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
    const task = newTask(plain, '{"n":1}', { delayMs: 0.2, partition: 'p' });
    expect(await enqueueOnce(tx, task, { key: 'k', headers: '{}' })).toBe('a');
    expect(asked[0]?.slice(1)).toEqual(['plain', '{"n":1}', '{}', 1, 'k', 'p']);
  });

  it('that the database did not save is an error, not a task without an id', async () => {
    const { tx } = answering([]);
    const saving = enqueueOnce(tx, newTask(plain, '{}', {}), { key: 'k', headers: '{}' });
    await expect(saving).rejects.toThrow('plain was not saved');
  });
});
