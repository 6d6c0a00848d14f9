import { describe, expect, it } from '@jest/globals';
import { computeDueAt, computeStatus, type JobFacts, pauseFailsAt, type RowFacts } from './job-state.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const at = (ms: number) => new Date(NOW.getTime() + ms);

const job = (given: Partial<JobFacts> = {}): JobFacts => ({
  status: 'running',
  isListed: true,
  startedAt: NOW,
  pauseReason: null,
  pausedSince: null,
  lookAt: null,
  openingId: null,
  troubleSince: null,
  dueAt: null,
  ...given,
});
const rows = (given: Partial<RowFacts> = {}): RowFacts => ({
  remaining: 3,
  atFetcher: 0,
  waitingForBroadcast: 0,
  delivered: 0,
  nextAttemptAt: NOW,
  ...given,
});

describe('the status of a job', () => {
  it.each([
    ['pending before its first row has begun', job({ startedAt: null }), rows({ atFetcher: 3 }), 'pending'],
    ['running while rows are at the fetcher', job(), rows({ atFetcher: 1 }), 'running'],
    ['running while what is left is tried again soon', job(), rows(), 'running'],
    [
      'running while some are there, whatever the others wait for',
      job({ pauseReason: 'daily_limit' }),
      rows({ atFetcher: 1 }),
      'running',
    ],
    [
      'paused if nothing is there and something stands in the way',
      job({ pauseReason: 'daily_limit' }),
      rows(),
      'paused',
    ],
    ['paused where all that is left waits for broadcasts', job(), rows({ waitingForBroadcast: 3 }), 'paused'],
    ['running where only some wait for broadcasts', job(), rows({ waitingForBroadcast: 2 }), 'running'],
    [
      'completed if nothing is left and something was delivered',
      job({ pauseReason: 'daily_limit' }),
      rows({ remaining: 0, delivered: 1 }),
      'completed',
    ],
    ['failed where nothing was', job(), rows({ remaining: 0 }), 'failed'],
    ['enumerating until its rows are there', job({ isListed: false }), rows({ remaining: 0 }), 'enumerating'],
    [
      'paused if they are not available for now',
      job({ isListed: false, pauseReason: 'daily_limit' }),
      rows({ remaining: 0 }),
      'paused',
    ],
    [
      'paused as before while the fetcher is asked',
      job({ status: 'paused', openingId: 'o' }),
      rows({ atFetcher: 3 }),
      'paused',
    ],
    [
      'creating until it is accepted',
      job({ status: 'creating' }),
      rows({ remaining: 0, delivered: 3 }),
      'creating',
    ],
    ['cancelled for ever', job({ status: 'cancelled' }), rows({ atFetcher: 1 }), 'cancelled'],
    [
      'completed, whatever is delivered later',
      job({ status: 'completed' }),
      rows({ remaining: 1 }),
      'completed',
    ],
  ] as const)('is %s', (_title, state, facts, expected) => {
    expect(computeStatus(state, facts)).toBe(expected);
  });
});

describe('a job is due', () => {
  const paused = { pauseReason: 'insufficient_credits', pausedSince: NOW } as const;
  it.each([
    ['when its first row may be opened', job(), rows({ nextAttemptAt: at(5_000) }), at(5_000)],
    ['not at all while all its rows are at the fetcher', job(), rows({ nextAttemptAt: null }), null],
    ['when it is looked at again', job({ ...paused, lookAt: at(60_000) }), rows(), at(60_000)],
    [
      'when it has been paused for thirty days, if nothing else resumes it',
      job({ ...paused, pauseReason: 'key_revoked' }),
      rows(),
      pauseFailsAt(NOW),
    ],
    [
      'when its opening was not answered in time, and not before',
      job({ openingId: 'o', dueAt: at(30_000) }),
      rows(),
      at(30_000),
    ],
    [
      'when its creation has lasted too long',
      job({ status: 'creating', dueAt: at(30_000) }),
      rows(),
      at(30_000),
    ],
    [
      'no more while a few rows try whether the platform is back',
      job({ troubleSince: NOW }),
      rows({ atFetcher: 10 }),
      null,
    ],
    ['when these have been tried', job({ troubleSince: NOW }), rows(), NOW],
    ['when it has not been listed for a minute', job({ isListed: false }), rows({ remaining: 0 }), at(60_000)],
    ['never when it has ended', job({ status: 'completed', lookAt: NOW }), rows(), null],
  ] as const)('%s', (_title, state, facts, expected) => {
    expect(computeDueAt(state, facts, NOW)).toEqual(expected);
  });
});
