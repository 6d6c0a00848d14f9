import { type JobStatus, jobStatus } from '@tds/contracts';
import { describe, expect, it } from 'vitest';
import { isActive, type JobEvent, jobEvents, nextState } from './job-state.ts';

const all = jobStatus.options;
const from = (event: JobEvent, isListed = true): Partial<Record<JobStatus, JobStatus>> =>
  Object.fromEntries(
    all.flatMap((status) => {
      const next = nextState({ status, isListed }, event);
      return next === null ? [] : [[status, next]];
    }),
  );

describe('the states of a job', () => {
  it.each([
    ['accepted', { creating: 'pending' }],
    ['listed', { enumerating: 'pending' }],
    ['begun', { pending: 'running', running: 'running' }],
    ['paused', { enumerating: 'paused', running: 'paused' }],
    ['resumed', { paused: 'pending' }],
    ['completed', { running: 'completed' }],
    ['failed', { enumerating: 'failed', running: 'failed' }],
    ['retried', { completed: 'pending', failed: 'pending' }],
  ] as const)('%s leads to these and no others', (event, expected) => {
    expect(from(event)).toEqual(expected);
  });

  it('are left for ever once it is cancelled, which every active job can be', () => {
    expect(Object.keys(from('cancelled')).toSorted()).toEqual(all.filter(isActive).toSorted());
    expect(jobEvents.map((event) => nextState({ status: 'cancelled', isListed: true }, event))).toEqual(
      jobEvents.map(() => null),
    );
  });

  it('lead back to the listing where that has not been done', () => {
    expect(from('resumed', false)).toEqual({ paused: 'enumerating' });
    expect(from('retried', false)).toEqual({ completed: 'enumerating', failed: 'enumerating' });
  });
});
