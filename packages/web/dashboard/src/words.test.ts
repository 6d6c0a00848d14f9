import { describe, expect, it } from '@jest/globals';
import {
  attemptError,
  deliveryStatus,
  jobRowStatus,
  jobStatus,
  keyStatus,
  monitorStatus,
  purchaseStatus,
} from '@tds/contracts';
import { errorCodes } from '@tds/errors';
import type { ErrorBody } from '@transcript-delivery/sdk';
import {
  appPlace,
  attemptErrors,
  bytes,
  doneOf,
  duration,
  findHindrance,
  isOver,
  jobName,
  loggedWords,
  nextStep,
  placeOf,
  requestState,
  routeWords,
  states,
} from './words.ts';

const counts = { total: 9, pending: 0, processing: 0, cached: 1, fetched: 2, error: 3, cancelled: 3 };
const source = { kind: 'video_ids', input: null, contents: 'all' } as const;
const refusal = (code: ErrorBody['code'], more: object = {}): ErrorBody =>
  ({ ok: false, code, message: 'm', retryable: false, request_id: 'r', ...more }) as ErrorBody;

describe('the words', () => {
  it.each([jobStatus, jobRowStatus, keyStatus, monitorStatus, deliveryStatus, purchaseStatus])(
    'name every state of the API',
    ({ options }) => {
      for (const state of options) expect([state, states[state]]).toEqual([state, expect.anything()]);
    },
  );

  it('name every error of an attempt', () => {
    for (const error of attemptError.options)
      expect([error, attemptErrors[error]]).toEqual([error, expect.any(String)]);
  });

  it('name a job by its name, its source, or the number of its videos', () => {
    expect(jobName({ name: 'Talks', source, counts })).toBe('Talks');
    expect(jobName({ name: null, source: { ...source, kind: 'channel', input: '@a' }, counts })).toBe('@a');
    expect(jobName({ name: null, source, counts: { ...counts, total: 1 } })).toBe('1 video');
  });

  it('show sizes', () => {
    expect([1, 3 * 1_024 ** 2, 20 * 1_024 ** 3].map(bytes)).toEqual(['1 KiB', '3.0 MiB', '20 GiB']);
  });
});

describe('the place of an app', () => {
  it.each([
    ['app.example', 'app.example'],
    ['localhost', 'this computer'],
    ['trusted-bank.example:', 'a program on this device (scheme trusted-bank.example)'],
  ])('is no host if it is a scheme: %s', (host, words) => {
    expect(appPlace({ host })).toBe(words);
  });
});

describe('the progress of a job', () => {
  it('counts every row that has ended', () => {
    expect(doneOf({ counts })).toBe(9);
  });

  it('is over only when no row is under way', () => {
    expect(isOver({ status: 'cancelled', counts })).toBe(true);
    expect(isOver({ status: 'cancelled', counts: { ...counts, processing: 1 } })).toBe(false);
    expect(isOver({ status: 'paused', counts })).toBe(false);
  });
});

it('a duration is rounded up to its largest unit', () => {
  const at = (seconds: number) => new Date(seconds * 1_000).toISOString();
  expect([0, 1, 61, 7_201].map((seconds) => duration(at(5), at(5 + seconds)))).toEqual([
    ...['1 second', '1 second', '2 minutes', '3 hours'],
  ]);
});

describe('the next step of an error', () => {
  it('is the remedy of its code, for every code', () => {
    for (const [code, { remedy }] of Object.entries(errorCodes))
      expect(nextStep(refusal(code as ErrorBody['code']), errorCodes)).toBe(remedy);
  });

  it('names a wait only if waiting helps', () => {
    expect(nextStep(refusal('rate_limit', { retry_after: 61 }), errorCodes)).toContain(
      'Try again in 2 minutes.',
    );
    expect(nextStep(refusal('key_limit', { retry_after: 86_400 }), errorCodes)).not.toContain('Try again');
  });

  it('names the credits that are missing', () => {
    expect(nextStep(refusal('insufficient_credits', { shortfall: 1 }), errorCodes)).toBe(
      'You need 1 credit more.',
    );
  });

  it('leads to the view in which it is carried out', () => {
    expect(placeOf('key_limit', errorCodes)).toEqual(['/keys', 'Keys']);
    // A key of the dashboard has no cap, so it is that of the person.
    expect(placeOf('daily_credit_cap', errorCodes)).toEqual(['/settings', 'People']);
    expect(placeOf('unexpected_error', errorCodes)).toBeUndefined();
  });
});

describe('work that costs credits', () => {
  const account = (available: number, status: 'active' | 'frozen' = 'active') => ({
    account: { status },
    credits: { available },
  });

  it('can start if the credits cover it, and free work without any', () => {
    expect(findHindrance(account(3), 3)).toBeNull();
    expect(findHindrance(account(0), 0)).toBeNull();
  });

  it('cannot without them, or while the account is frozen, and says why', () => {
    expect(findHindrance(account(9), 10)).toBe('It may cost 10 credits, and you have 9 credits.');
    expect(findHindrance(account(0), 1)).toBe('It may cost 1 credit, and you have none.');
    expect(findHindrance(account(9, 'frozen'), 0)).toContain('frozen');
  });
});

describe('a request of the log', () => {
  it('is named by its operation in words', () => {
    expect(['getTranscript', 'createJob', 'listJobVideos'].map(routeWords)).toEqual([
      'Get transcript',
      'Create job',
      'List job videos',
    ]);
    expect(routeWords('sendMcpMessage')).toBe('A tool of an assistant');
  });

  it('says what went wrong and what to do, also if a page would say something else', () => {
    const remedies = {
      one: { message: 'M.', remedy: 'R.' },
      two: { what: 'P.', message: 'M.' },
      three: { what: 'P.' },
    };
    const all = Object.entries(remedies).map(([code, words]) => [
      code,
      { ...words, place: null, waitingHelps: false },
    ]);
    const wordsOf = (code: string) => loggedWords(code, Object.fromEntries(all));
    expect(['one', 'two', 'three', 'unknown'].map(wordsOf)).toEqual(['M. R.', 'M.', undefined, undefined]);
  });

  const stateOf = (status: number, code: string | null, key_id: string | null = 'key') =>
    requestState({ status, code, key_id });

  it('has failed if it has a code, also one of a tool that was answered 200, and each state has a word', () => {
    const found = [
      stateOf(200, 'no_captions'),
      stateOf(404, 'no_captions'),
      stateOf(202, null),
      stateOf(200, null),
    ];
    expect(found).toEqual(['failed', 'failed', 'accepted', 'succeeded']);
    expect(found.every((state) => states[state] !== undefined)).toBe(true);
  });

  it('says what became of the job that it began', () => {
    const request = { status: 202, code: null, key_id: 'key' };
    expect(requestState(request, { status: 'completed' })).toBe('completed');
    expect(requestState({ ...request, code: 'job_size_cap' }, { status: 'completed' })).toBe('failed');
  });

  it('of the dashboard itself is refused, and no failure of a program', () => {
    expect(stateOf(409, 'key_limit', null)).toBe('refused');
    expect(states.refused).toEqual(['Refused', 'quiet']);
  });
});
