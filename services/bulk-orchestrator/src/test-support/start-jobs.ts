import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { createDeadline } from '@tds/base';
import {
  bulkOrchestrator,
  type Job,
  type ReplyOf,
  type RequestOf,
  search,
  webhookDispatcher,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { createCaller, createFake, observeService, startHarness, testContext } from '@tds/kit/testing';
import { dueRows, eventually } from '@tds/test-kit';
import type { Deps } from '../deps.ts';
import { service } from '../index.ts';
import { fakeFetcher } from './fake-fetcher.ts';
import { fakeIdentity } from './fake-identity.ts';

/** Longer than any wait: a hanging test is ended by its own timeout. */
const TIMEOUT_MS = 600_000;

type CreateJobRequest = Partial<RequestOf<typeof bulkOrchestrator.createJob>>;
type Options = {
  readonly credits?: number;
  readonly limits?: Partial<Deps['limits']>;
  readonly environment?: NodeJS.ProcessEnv;
};
/** The only URL that the fake dispatcher allows. */
export const WEBHOOK_URL = 'https://example.com/jobs';
/** The one receiver that accounts have here. */
export const RECEIVER = '01900000-0000-7000-8000-0000000000aa';

type ScheduleName = 'sweepJobs' | 'compareBatches' | 'reconcileBatches' | 'purgeJobs';

export const videoIds = (count: number, prefix = 'v'): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(11 - prefix.length, '0')}`);

const events = [
  bulkOrchestrator.jobCompleted,
  bulkOrchestrator.jobFailed,
  bulkOrchestrator.jobCancelled,
  bulkOrchestrator.jobPaused,
  bulkOrchestrator.jobResumed,
  bulkOrchestrator.jobRetried,
  bulkOrchestrator.jobErased,
  bulkOrchestrator.jobLost,
  bulkOrchestrator.jobProgressed,
] as const;

/** The times of jobs that pass. */
const TIMES = ['look_at', 'due_at', 'paused_since', 'trouble_since', 'heard_at', 'finished_at'];

/** The service on real servers, with a fetcher and a search in memory. */
export async function startJobs({ credits = 1_000, limits = {}, environment = {} }: Options = {}) {
  const harness = await startHarness({
    databases: {
      'bulk-orchestrator': 'bulk-orchestrator',
      'transcript-fetcher': 'messaging',
      'webhook-dispatcher': 'messaging',
      identity: 'messaging',
    },
  });
  const fetcher = fakeFetcher(credits);
  const finder = createFake(search, {
    listVideos: async () => {
      throw serviceError('source_not_found');
    },
    findPublishDates: async () => ({ dates: {} }),
  });
  const dispatcher = createFake(webhookDispatcher, {
    checkReceivers: async ({ receiverIds }) => {
      if (!receiverIds.every((id) => id === RECEIVER)) throw serviceError('receiver_not_found');
      return {};
    },
    checkWebhookUrl: async ({ url }) => {
      if (url !== WEBHOOK_URL) throw serviceError('webhook_not_configured');
      return {};
    },
  });
  const owner = fakeIdentity();
  const caller = createCaller(bulkOrchestrator, ...events);
  for (const other of [fetcher, finder, dispatcher, owner, caller]) await harness.start(other.service);
  const tested = service.with({ limits: { pulseMs: 20, ...limits } });
  const own = observeService(tested);
  const start = () => harness.start(own.service, environment);
  let running: Awaited<ReturnType<typeof start>> | null = await start();
  const account = randomUUID();
  const keyId = randomUUID();
  const context = (timeoutMs = TIMEOUT_MS) =>
    testContext({ accountId: account, signal: createDeadline(timeoutMs).signal });
  const create = (fields: CreateJobRequest = {}, timeoutMs?: number) =>
    caller.call(
      bulkOrchestrator.createJob,
      {
        accountId: account,
        keyId,
        limitId: null,
        tier: 'paid',
        idempotencyKey: null,
        source: { videoIds: videoIds(3) },
        format: 'srt',
        language: 'en',
        fallback: true,
        webhookUrl: null,
        monitorId: null,
        name: null,
        metadata: {},
        ...fields,
      },
      context(timeoutMs),
    );
  const owned = (jobId: string) => ({ accountId: account, jobId });
  const get = async (jobId: string): Promise<Job> =>
    (await caller.call(bulkOrchestrator.getJob, owned(jobId), context())).job;
  const run = (name: ScheduleName) => own.handlers().schedules[name](context());
  const query = async (text: string, values: unknown[] = []) => (await own.kit().db.query(text, values)).rows;
  const waiting = dueRows('bulk-orchestrator', query);
  const passTime = async (ms: number): Promise<void> => {
    const time = `${ms} milliseconds`;
    await waiting.passTime('job_rows', time, ['next_attempt_at', 'waiting_since']);
    await waiting.passTime('jobs', time, TIMES);
    await waiting.makeDue('messaging.tasks', { where: 'due_at > now()' });
    own.kit().messaging.wake();
    await run('sweepJobs');
  };
  const until = (jobId: string, statuses: readonly Job['status'][], before = async () => {}) =>
    eventually(async () => {
      await before();
      const job = await get(jobId);
      if (!statuses.includes(job.status)) throw new Error(`the job is ${job.status}`);
      return job;
    });
  return {
    harness,
    fetcher,
    finder,
    webhooks: dispatcher,
    account,
    keyId,
    create,
    get,
    owned,
    context,
    call: caller.call,
    eventually,
    received: caller.received,
    handlers: own.handlers,
    kit: own.kit,
    /** One more instance of the service. */
    startAnother: () => harness.start(tested, environment),
    run,
    query,
    waiting,
    passTime,
    emittedOf: (event: Parameters<typeof caller.received>[0], jobId: string) =>
      caller.received(event).filter((event) => (event as { jobId: string }).jobId === jobId),
    /** The source of a job that stays under way until the test ends its videos. */
    lasting: (name: string, count = 2) => {
      const ids = videoIds(count, name);
      for (const id of ids) fetcher.queue(id);
      return { videoIds: ids };
    },
    count: async (): Promise<number> => (await query('SELECT count(*)::int AS n FROM jobs'))[0].n,
    binds: owner.binds,
    passesOn: owner.passesOn,
    cancel: (jobId: string, by: string | null = null) =>
      caller.call(bulkOrchestrator.cancelJob, { ...owned(jobId), keyId: by }, context()),
    retry: (jobId: string, fields: { tier?: 'free' | 'paid'; keyId?: string } = {}) =>
      caller.call(
        bulkOrchestrator.retryJob,
        { ...owned(jobId), tier: 'paid', keyId, limitId: null, ...fields },
        context(),
      ),
    /** Emits the delivery status of a job's newest event. */
    emitDelivery: (jobId: string, status: 'pending' | 'delivered' | 'failed', version: number) =>
      own
        .handlers()
        .subscriptions.jobDeliveryChanged({ accountId: account, jobId, status, version }, context() as never),
    /** Emits whether the account has a webhook. */
    emitWebhook: (isThere: boolean, version: number) => {
      const { webhookConfigured, webhookRemoved } = own.handlers().subscriptions;
      const event = { accountId: account, lowBalanceThreshold: null, version };
      return (isThere ? webhookConfigured : webhookRemoved)(event, context() as never);
    },
    erase: (jobId: string, by: string | null = null) =>
      caller.call(bulkOrchestrator.deleteJob, { ...owned(jobId), keyId: by }, context()),
    manifest: (jobId: string) => caller.call(bulkOrchestrator.getJobManifest, owned(jobId), context()),
    revoke: (revoked: string, atOnce = true) =>
      own
        .handlers()
        .subscriptions.keyRevoked(
          { accountId: account, keyId: revoked, keyDigest: 'a'.repeat(64), atOnce },
          context() as never,
        ),
    becomes: (status: 'active' | 'frozen' | 'closed') =>
      own.handlers().subscriptions.accountStatusChanged({ accountId: account, status, version: 1 }, {
        ...context(),
        onceIfNewest: (_tx: never, effect: () => Promise<void>) => effect(),
      } as never),
    granted: () =>
      own
        .handlers()
        .subscriptions.creditsGranted(
          { accountId: account, bucket: 'purchased', amount: 1, ref: 'purchase' },
          context() as never,
        ),
    /** Waits until the job has one of these statuses, and returns it. */
    reach: (jobId: string, ...statuses: Job['status'][]) => until(jobId, statuses),
    /** Advances the time by minutes until the job has this status. */
    reachInTime: (jobId: string, status: Job['status'], stepMs = 60_000) =>
      until(jobId, [status], () => passTime(stepMs)),
    async stopService() {
      await running?.stop();
      running = null;
    },
    async startService() {
      running ??= await start();
    },
    stop: () => harness.stop(),
  };
}
export type TestJobs = Awaited<ReturnType<typeof startJobs>>;

export type Page = Extract<ReplyOf<typeof search.listVideos>, { state: 'page' }>;

/** A complete listing of these videos. */
export const newListing = (ids: readonly string[], fields: Partial<Page> = {}): Page => ({
  ...{ state: 'page', source: { kind: 'playlist', id: 'PL1' }, contents: 'all', offset: 0 },
  videos: ids.map((video_id, position) => ({
    ...{ video_id, position, title: `Listed ${position}`, published_at: '2026-01-02' },
    ...{ duration: 60, thumbnail_url: null, is_short: false, cached: false },
  })),
  ...{ counts: { listed: ids.length, cold: ids.length }, total: ids.length, next_offset: null },
  ...{ listed_at: '2026-01-03T00:00:00.000Z', freshForMs: 0, ...fields },
});

/** A job whose first video is delivered; the turn of the others does not come. */
export const beginJob = async (jobs: TestJobs, name: string, count = 6) => {
  const ids = videoIds(count, name);
  for (const id of ids.slice(1)) jobs.fetcher.queue(id);
  const { job } = await jobs.create({ source: { videoIds: ids } });
  await jobs.eventually(async () => expect((await jobs.get(job.id)).counts.fetched).toBe(1));
  return { id: job.id, ids };
};
