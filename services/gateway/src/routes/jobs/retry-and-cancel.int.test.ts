import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSessionToken, type Job } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import request from 'supertest';
import { newPrincipal } from '../../test-support/builders.ts';
import { newJob as newSummary } from '../../test-support/jobs.ts';
import { startTestGateway, type TestGateway } from '../../test-support/start-gateway.ts';

let harness: TestGateway;
let account: Awaited<ReturnType<TestGateway['addAccount']>>;
beforeAll(async () => {
  harness = await startTestGateway();
  account = await harness.addAccount({ tier: 'paid' });
});
afterAll(() => harness?.stop());

const JOB = '018f0000-0000-7000-8000-00000000000a';

const newJob = (overrides: Partial<Job> = {}): Job => ({
  ...newSummary({ id: JOB }),
  ...{ videos: [], ...overrides },
});
const post = (path: string, body?: object) => request(harness.url).post(path).set(account.bearer).send(body);
const last = () => harness.jobs.asked.at(-1)?.request as Record<string, unknown>;

describe('retry and cancel', () => {
  it('return the job in its new state', async () => {
    harness.jobs.commands.retryJob = async () => ({ job: newJob(), version: 2, requeued: 3 });
    const retried = await post(`/v1/jobs/${JOB}/retry`);
    expect([retried.status, retried.body]).toEqual([200, { ok: true, job: newJob(), requeued: 3 }]);
    const job = newJob({ status: 'cancelled' });
    harness.jobs.commands.cancelJob = async () => ({ job, version: 2 });
    const cancelled = await post(`/v1/jobs/${JOB}/cancel`);
    expect([cancelled.status, cancelled.body]).toEqual([200, { ok: true, job }]);
  });

  it.each([
    ['cancel', { reason: 'x' }, 'unknown_parameter'],
    ['retry', { rows: [1] }, 'unknown_parameter'],
    ['cancel', [], 'invalid_json'],
    ['cancel', {}, undefined],
  ])('accept no field: %s with %j is answered %s', async (what, body, code) => {
    const job = newJob();
    harness.jobs.commands.cancelJob = async () => ({ job, version: 2 });
    harness.jobs.asked.length = 0;
    const answer = await post(`/v1/jobs/${JOB}/${what}`, body);
    expect([answer.status, answer.body.code]).toEqual([code === undefined ? 200 : 400, code]);
    expect(harness.jobs.asked).toHaveLength(code === undefined ? 1 : 0);
  });

  it('need a session of the owner with the dashboard header', async () => {
    const { accountId } = newPrincipal();
    harness.identity.commands.authenticateSession = async () => newPrincipal({ accountId, keyId: null });
    harness.jobs.commands.cancelJob = async () => ({ job: newJob({ status: 'cancelled' }), version: 2 });
    const cancel = (headers: Record<string, string>) =>
      request(harness.url)
        .post(`/v1/jobs/${JOB}/cancel`)
        .set({ cookie: `svc_dashboard=${createSessionToken()}`, ...headers });
    expect((await cancel({})).body.code).toBe('dashboard_header_required');
    const answer = await cancel({ 'x-service-dashboard': '1' });
    expect([answer.status, answer.body.job.status]).toEqual([200, 'cancelled']);
    expect(last()).toMatchObject({ accountId, jobId: JOB });
  });

  it('of a cancelled job is rejected', async () => {
    harness.jobs.commands.retryJob = async () => {
      throw serviceError('job_cancelled');
    };
    const answer = await post(`/v1/jobs/${JOB}/retry`);
    expect([answer.status, answer.body.code]).toEqual([409, 'job_cancelled']);
  });
});
