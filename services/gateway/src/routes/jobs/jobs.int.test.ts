import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Job, jobRowStatus, jobStatus } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import request from 'supertest';
import { startTestGateway, type TestGateway } from '../../test-support/start-gateway.ts';

let harness: TestGateway;
let account: Awaited<ReturnType<TestGateway['addAccount']>>;
beforeAll(async () => {
  harness = await startTestGateway();
  account = await harness.addAccount({ tier: 'paid' });
});
afterAll(() => harness?.stop());
beforeEach(() => void harness.jobs.asked.splice(0));

const ID = 'dQw4w9WgXcQ';
const JOB = '018f0000-0000-7000-8000-00000000000a';
const TIME = '2026-01-15T11:00:00.000Z';

const newJob = (overrides: Partial<Job> = {}): Job => ({
  ...{ id: JOB, status: 'pending', pause_reason: null, error: null, format: 'srt', language: 'en' },
  counts: { total: 0, pending: 0, processing: 0, cached: 0, fetched: 0, error: 0, cancelled: 0 },
  ...{
    source: { kind: 'video_ids', input: null, contents: 'all' },
    omitted: 0,
    fallback: true,
    ...{ receivers: [], monitor_id: null },
    videos: [],
  },
  ...{ credits: { reserved: 1, charged: 0 }, webhook: { url: null, status: 'none' } },
  ...{ person_id: null, resumes_at: null, name: null, metadata: {}, notify_email: false, mail: 'none' },
  ...{ created_at: TIME, started_at: null, finished_at: null, ...overrides },
});
const post = (path: string, body?: object) => request(harness.url).post(path).set(account.bearer).send(body);
const get = (path: string) => request(harness.url).get(path).set(account.bearer);
const last = () => harness.jobs.asked.at(-1)?.request as Record<string, unknown>;

describe('POST /v1/jobs', () => {
  beforeEach(() => {
    harness.jobs.commands.createJob = async () => ({ job: newJob(), isReplayed: false });
  });

  it.each([
    [{}, 'bulk_input_required'],
    [{ input: '' }, 'bulk_input_required'],
    [{ input: 7 }, 'bulk_input_required'],
    [{ input: 'list:x', video_ids: [ID] }, 'conflicting_query_modes'],
    [{ video_ids: [] }, 'empty_list'],
    [{ video_ids: ID }, 'invalid_video_id'],
    [{ video_ids: [ID, 'short'] }, 'invalid_video_id'],
    [{ video_ids: [ID], format: 'pdf' }, 'invalid_format'],
    [{ video_ids: [ID], language: 'no such' }, 'invalid_language'],
    [{ video_ids: [ID], language: ['de', 'en'] }, 'invalid_language'],
    [{ video_ids: [ID], fallback: 'true' }, 'invalid_fallback'],
    [{ video_ids: [ID], notify_email: 'yes' }, 'invalid_notify_email'],
    [{ video_ids: [ID], webhook_url: 'ftp://example.com' }, 'invalid_webhook_url'],
    [{ video_ids: [ID], newest: 3 }, 'conflicting_query_modes'],
    [{ video_ids: [ID], contents: 'shorts' }, 'conflicting_query_modes'],
    [{ input: '@a', newest: 0 }, 'invalid_newest'],
    [{ input: '@a', newest: 501 }, 'invalid_newest'],
    [{ input: '@a', contents: 'live' }, 'invalid_contents'],
    [{ video_ids: [ID], name: 'n'.repeat(121) }, 'invalid_job_name'],
    [{ video_ids: [ID], metadata: { a: 1 } }, 'invalid_metadata'],
    [{ video_ids: [ID], metadata: { ['k'.repeat(41)]: 'v' } }, 'invalid_metadata'],
    [{ video_ids: [ID], metadata: { k: 'v'.repeat(501) } }, 'invalid_metadata'],
    [
      { video_ids: [ID], metadata: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [i, 'v'])) },
      'invalid_metadata',
    ],
    [{ video_ids: [ID], urgent: true }, 'unknown_parameter'],
  ])('rejects %j with %s, without a call to a service', async (body, code) => {
    const answer = await post('/v1/jobs', body);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    if (code === 'invalid_status') expect(answer.body.message).toContain(jobStatus.options.join(', '));
    expect(harness.jobs.asked).toEqual([]);
  });

  it('passes on caller and request, and answers 202 with the job', async () => {
    const answer = await post('/v1/jobs', { video_ids: [ID], format: 'srt', language: 'PT-br, Orig' });
    expect([answer.status, answer.body]).toEqual([202, { ok: true, job: newJob() }]);
    expect(last()).toMatchObject({
      ...{ source: { videoIds: [ID] }, format: 'srt', language: 'pt-BR,orig', fallback: true },
      ...{ idempotencyKey: null, webhookUrl: null, notifyEmail: false, tier: 'paid', monitorId: null },
      personId: account.principal.accountId,
    });
  });

  it('passes on the wanted part of a source, and the name of the job', async () => {
    const labels = { name: 'Lectures', metadata: { course: 'physics' } };
    await post('/v1/jobs', { input: '@a', contents: 'shorts', newest: 5, notify_email: true, ...labels });
    expect(last()).toMatchObject({ source: { newest: 5, contents: 'shorts' }, notifyEmail: true, ...labels });
    await post('/v1/jobs', { input: '@a' });
    const nothing = { name: null, metadata: {} };
    expect(last()).toMatchObject({ source: { input: '@a', contents: 'all', newest: null }, ...nothing });
  });

  it.each([
    ['https://www.youtube.com/@a/shorts', undefined, 'shorts'],
    ['https://www.youtube.com/@a/videos?view=0', undefined, 'videos'],
    ['https://www.youtube.com/@a', undefined, 'all'],
    ['https://www.youtube.com/@a/shorts', 'all', 'all'],
  ])('takes of %s with contents %s what GET /v1/videos lists', async (input, contents, taken) => {
    await post('/v1/jobs', { input, ...(contents && { contents }) });
    expect(last()).toMatchObject({ source: { input, contents: taken } });
    const query = new URLSearchParams({ url: input, ...(contents && { contents }) });
    await get(`/v1/videos?${query}`);
    expect(harness.search.asked.at(-1)?.request).toMatchObject({ input, contents: taken });
  });

  it('marks a repeated answer, whose body is the same', async () => {
    const first = await post('/v1/jobs', { input: 'list:abc' }).set('Idempotency-Key', 'one');
    harness.jobs.commands.createJob = async () => ({ job: newJob(), isReplayed: true });
    const again = await post('/v1/jobs', { input: 'list:abc' }).set('Idempotency-Key', 'one');
    expect(last()).toMatchObject({ idempotencyKey: 'one', source: { input: 'list:abc' } });
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.text).toBe(first.text);
  });

  it('answers a short balance with the missing credits', async () => {
    harness.jobs.commands.createJob = async () => {
      const extras = { required: 5, available: 1, shortfall: 4, buy_url: 'http://localhost/buy' };
      throw serviceError('insufficient_credits', { extras });
    };
    const answer = await post('/v1/jobs', { video_ids: [ID] });
    expect(answer.status).toBe(402);
    expect(answer.body).toMatchObject({ code: 'insufficient_credits', required: 5, shortfall: 4 });
  });
});

describe('DELETE /v1/jobs/{id}', () => {
  const erase = (id: string) => request(harness.url).delete(`/v1/jobs/${id}`).set(account.bearer);

  it('erases an ended job, without a body', async () => {
    harness.jobs.commands.deleteJob = async () => ({});
    const answer = await erase(JOB);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(last()).toMatchObject({ jobId: JOB });
  });

  it.each([
    ['job_not_found', 404],
    ['job_not_ended', 409],
  ] as const)('answers %s by %i', async (code, status) => {
    harness.jobs.commands.deleteJob = async () => {
      throw serviceError(code);
    };
    const answer = await erase(JOB);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
});

describe('reads of jobs', () => {
  it('list them by page and state', async () => {
    const answer = await get('/v1/jobs?limit=7&offset=3&status=paused');
    const page = { total: 0, limit: 7, offset: 3, has_more: false, next: null };
    expect(answer.body).toEqual({ ok: true, jobs: [], ...page });
    expect(last()).toMatchObject({ limit: 7, offset: 3, status: 'paused' });
    await get('/v1/jobs');
    expect(last()).toMatchObject({ limit: 20, offset: 0 });
  });

  it.each([
    ['/v1/jobs?limit=0', 'invalid_limit'],
    ['/v1/jobs?limit=101', 'invalid_limit'],
    ['/v1/jobs?limit=1e1', 'invalid_limit'],
    ['/v1/jobs?offset=-1', 'invalid_offset'],
    ['/v1/jobs?offset=0x1', 'invalid_offset'],
    ['/v1/jobs?status=done', 'invalid_status'],
    ['/v1/jobs?status=paused&status=running', 'invalid_status'],
    [`/v1/jobs/${JOB}/videos?limit=501`, 'invalid_limit'],
    [`/v1/jobs/${JOB}/videos?status=running`, 'invalid_status'],
    ['/v1/jobs/7', 'invalid_job_id'],
    ['/v1/jobs/7/videos', 'invalid_job_id'],
  ])('reject %s with %s', async (path, code) => {
    const answer = await get(path);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(harness.jobs.asked).toEqual([]);
  });

  it.each([
    ['/v1/jobs?limit=0', 'limit is a whole number from 1 to 100.'],
    [`/v1/jobs/${JOB}/videos?limit=501`, 'limit is a whole number from 1 to 500.'],
    [`/v1/jobs/${JOB}/videos?offset=-1`, 'offset is a whole number from 0 to 1000000.'],
    [`/v1/jobs/${JOB}/videos?status=bogus`, `status is one of ${jobRowStatus.options.join(', ')}.`],
  ])('say of %s what this very route takes', async (path, message) => {
    expect((await get(path)).body.message).toContain(message);
  });

  it('are compressed if the caller accepts it', async () => {
    const rows = Array.from({ length: 100 }, () => newJob());
    harness.jobs.commands.listJobs = async () => ({ jobs: rows, total: 100 });
    const answer = await get('/v1/jobs').set('accept-encoding', 'gzip');
    expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(answer.body.jobs).toHaveLength(100);
  });

  it('are limited to a monitor if it is named', async () => {
    const monitorId = 'a1'.repeat(16);
    harness.jobs.commands.listJobs = async () => ({ jobs: [], total: 0 });
    expect((await get(`/v1/jobs?monitor_id=${monitorId}`)).status).toBe(200);
    expect(last()).toMatchObject({ monitorId });
    expect((await get('/v1/jobs?monitor_id=5')).body.code).toBe('invalid_monitor_id');
  });

  it('answer 404 for an unknown job and for one of another account', async () => {
    for (const path of ['', '/videos']) {
      const answer = await get(`/v1/jobs/${randomUUID()}${path}`);
      expect([answer.status, answer.body.code]).toEqual([404, 'job_not_found']);
    }
  });

  it('pass the id on in its stored form', async () => {
    harness.jobs.commands.getJob = async () => ({ job: newJob(), version: 1 });
    const answer = await get(`/v1/jobs/${JOB.toUpperCase()}`);
    expect(answer.body).toEqual({ ok: true, job: newJob() });
    expect(last()).toMatchObject({ jobId: JOB });
  });
});
