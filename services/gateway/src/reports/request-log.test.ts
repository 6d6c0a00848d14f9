import { describe, expect, it } from '@jest/globals';
import { loggedRequest, MAX_REPORTED_REQUESTS } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { type Exchange, openExchange } from '../wire/exchange.ts';
import { createRequestLog } from './request-log.ts';

const ACCOUNT = '6b1f5f5e-6b7c-4a0e-9a4f-111111111111';
const JOB = '6b1f5f5e-6b7c-4a0e-9a4f-222222222222';
const VIDEO = 'manualEn001';
const MINUTE_MS = 60_000;
const noCaptions = serviceError('no_captions');

const newExchange = (fields: Partial<Exchange> = {}): Exchange => ({
  ...openExchange(),
  route: 'getTranscript',
  isAuthenticated: true,
  accountId: ACCOUNT,
  ...fields,
});

const newLog = (most?: number) => {
  let now = 0;
  const unlogged: string[] = [];
  const log = createRequestLog(
    () => now,
    (why) => unlogged.push(why),
    most,
  );
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  /** Logs the same failure so many times. */
  const fail = (count: number, code: Parameters<typeof serviceError>[0] = 'no_captions', overrides = {}) => {
    for (let index = 0; index < count; index += 1) log.log(newExchange(overrides), 404, serviceError(code), 5);
  };
  const takeAll = () => log.take(Number.MAX_SAFE_INTEGER);
  return { ...log, unlogged, pass, fail, takeAll };
};

describe('what is logged', () => {
  it('is a request that was charged, that failed, or whose work goes on', () => {
    const { log, takeAll } = newLog();
    log(newExchange({ creditsCharged: 1 }), 200, null, 812.4);
    log(newExchange(), 404, noCaptions, 1.6);
    log(newExchange({ isUnderWay: true }), 202, null, 25_000);
    expect(
      takeAll().map(({ status, code, credits_charged, duration_ms }) => [
        ...[status, code, credits_charged, duration_ms],
      ]),
    ).toEqual([
      [200, null, 1, 812],
      [404, 'no_captions', 0, 2],
      [202, null, 0, 25_000],
    ]);
  });

  it('is no cached read, and no other success that costs nothing', () => {
    const { log, takeAll } = newLog();
    log(newExchange(), 200, null, 1);
    expect(takeAll()).toEqual([]);
  });

  it('is no look that finds no request in the log, no transcript in the cache, or what is for other roles', () => {
    const { log, takeAll } = newLog();
    log(newExchange({ route: 'getRequest' }), 404, serviceError('request_not_logged'), 1);
    log(newExchange(), 404, serviceError('not_cached'), 1);
    log(newExchange({ route: 'listMonitors' }), 403, serviceError('role_required'), 1);
    expect(takeAll()).toEqual([]);
    log(newExchange({ route: 'createMonitor' }), 403, serviceError('role_required'), 1);
    expect(takeAll()).toHaveLength(1);
  });

  it('is no request whose account is unknown or closed', () => {
    const { log, takeAll, unlogged } = newLog();
    log(newExchange({ accountId: null, isAuthenticated: false }), 403, serviceError('invalid_api_key'), 1);
    log(newExchange({ isAuthenticated: false }), 403, serviceError('account_closed'), 1);
    expect([takeAll(), unlogged]).toEqual([[], []]);
  });

  it('are the ids of video and job, and no other parameter, whatever a caller sends', () => {
    const { log, takeAll } = newLog();
    const secret = 'svc_live_secret';
    const query = { video_id: VIDEO, q: secret, channel: secret };
    log(newExchange({ parameters: { params: { jobId: JOB, name: secret }, query } }), 404, noCaptions, 1);
    const [row] = takeAll();
    expect(row).toMatchObject({ video_id: VIDEO, job_id: JOB });
    expect(Object.keys(row ?? {}).toSorted()).toEqual(
      [
        ...Object.keys(loggedRequest.shape).filter((name) => name !== 'created_at' && name !== 'via'),
        'account_id',
      ].toSorted(),
    );
    expect(JSON.stringify(row)).not.toContain(secret);
  });

  it('is the video of an address, and what only the answer named', () => {
    const { log, takeAll } = newLog();
    const query = { input: `https://youtu.be/${VIDEO}` };
    log(newExchange({ parameters: { params: {}, query } }), 404, noCaptions, 1);
    log(newExchange({ subject: { videoId: VIDEO }, creditsCharged: 1 }), 200, null, 1);
    log(newExchange({ subject: { jobId: JOB }, isUnderWay: true }), 202, null, 1);
    expect(takeAll().map(({ video_id, job_id }) => [video_id, job_id])).toEqual([
      [VIDEO, null],
      [VIDEO, null],
      [null, JOB],
    ]);
  });
});

describe('a flood', () => {
  it('of one error is logged up to 120 times a minute for each account, and hides no other error', () => {
    const { fail, pass, takeAll, unlogged } = newLog();
    fail(1_000);
    fail(1, 'rate_limit');
    fail(1, 'no_captions', { accountId: JOB });
    expect([takeAll().length, unlogged.length]).toEqual([122, 880]);
    pass(MINUTE_MS);
    fail(1_000);
    expect(takeAll()).toHaveLength(120);
  });

  it('takes half of the room, so that charged requests have the rest', () => {
    const { fail, log, takeAll, unlogged } = newLog(100);
    fail(80);
    for (let index = 0; index < 80; index += 1) log(newExchange({ creditsCharged: 1 }), 200, null, 1);
    const charges = takeAll().filter(({ credits_charged }) => credits_charged === 1);
    expect([charges.length, unlogged.length]).toEqual([50, 60]);
    expect(new Set(unlogged)).toEqual(new Set(['full']));
  });
});

it('is taken oldest first, a batch at a time, and all of it when room runs out', () => {
  const { log, take, isFilling } = newLog(2_400);
  const ids = Array.from({ length: 600 }, () => {
    const exchange = newExchange({ creditsCharged: 1 });
    expect(isFilling()).toBe(false);
    log(exchange, 200, null, 1);
    return exchange.requestId;
  });
  expect(isFilling()).toBe(true);
  const taken = [take(MAX_REPORTED_REQUESTS), take(MAX_REPORTED_REQUESTS)].flat();
  expect(taken.map(({ request_id }) => request_id)).toEqual(ids);
});
