import { describe, expect, it } from '@jest/globals';
import { retryConflicts } from './pool.ts';

const conflict = () => Object.assign(new Error('could not serialize access'), { code: '40001' });

/** Fails `failures` times with `error`, and counts how often it was called. */
const workThatFails = (failures: number, error: () => Error) => {
  let calls = 0;
  const work = async () => {
    calls += 1;
    if (calls <= failures) throw error();
    return calls;
  };
  return { work, calls: () => calls };
};

describe('work that meets conflicts', () => {
  it.each([0, 1, 5])('succeeds after %i of them', async (failures) => {
    expect(await retryConflicts(workThatFails(failures, conflict).work)).toBe(failures + 1);
  });

  it('is given up after five repetitions, with the last error', async () => {
    const { work, calls } = workThatFails(100, conflict);
    await expect(retryConflicts(work)).rejects.toMatchObject({ code: '40001' });
    expect(calls()).toBe(6);
  });

  it('is not repeated for any other reason', async () => {
    const { work, calls } = workThatFails(1, () => new Error('no such account'));
    await expect(retryConflicts(work)).rejects.toThrow('no such account');
    expect(calls()).toBe(1);
  });
});
