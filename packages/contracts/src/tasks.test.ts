import { describe, expect, it } from '@jest/globals';
import * as exported from './index.ts';

const tasks = Object.values(exported).flatMap((one) =>
  typeof one === 'object' && 'service' in one && 'tasks' in one ? Object.values(one.tasks) : [],
);

const HOUR_MS = 3_600_000;

describe('the tasks of all contracts', () => {
  it.each(tasks)('$owner $wireName holds its slot for an hour at most', ({ timeLimitMs }) => {
    expect(timeLimitMs).toBeGreaterThanOrEqual(1_000);
    expect(timeLimitMs).toBeLessThanOrEqual(HOUR_MS);
  });

  it.each(tasks)('$owner $wireName is renewed several times before its lease could run out', ({ leaseMs }) => {
    expect(leaseMs).toBeGreaterThanOrEqual(3_000);
  });
});
