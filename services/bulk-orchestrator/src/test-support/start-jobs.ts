import { randomUUID } from 'node:crypto';
import {
  bulkOrchestrator,
  type Job,
  type ReplyOf,
  type RequestOf,
  search,
  serviceError,
} from '@tds/contracts';
import { callerOf, fakeOf, observed, startHarness } from '@tds/service-kit/testing';
import { eventually, fakeClock } from '@tds/test-kit';
import type { Deps } from '../deps.ts';
import { service } from '../index.ts';
import { fakeFetcher } from './fake-fetcher.ts';
import { fakeLedger } from './fake-ledger.ts';

/** Nobody waits that long; a test that hangs is ended by its own timeout. */
const PATIENCE_MS = 600_000;
const MINUTE_MS = 60_000;
const NOON = '2026-11-20T12:00:00.000Z';

const UNDER_WAY = "SELECT id FROM messaging.tasks WHERE state = 'ready' AND lease_until IS NOT NULL";

type Asked = Partial<RequestOf<typeof bulkOrchestrator.createJob>>;
type Options = {
  readonly credits?: number;
  readonly limits?: Partial<Deps['limits']>;
  readonly environment?: NodeJS.ProcessEnv;
};

export const videoIds = (count: number, prefix = 'v'): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(11 - prefix.length, '0')}`);

const events = [
  ...[bulkOrchestrator.jobCompleted, bulkOrchestrator.jobFailed, bulkOrchestrator.jobPaused],
  ...[bulkOrchestrator.jobResumed, bulkOrchestrator.jobRetried, bulkOrchestrator.jobProgressed],
] as const;

/** The service on real servers, between a ledger, a fetcher and a search in memory. */
export async function startJobs({ credits = 1_000, limits = {}, environment = {} }: Options = {}) {
  const harness = await startHarness({
    databases: { 'bulk-orchestrator': 'bulk-orchestrator', 'credits-ledger': 'messaging' },
  });
  const clock = fakeClock(NOON);
  const [ledger, fetcher] = [fakeLedger(credits), fakeFetcher()];
  const finder = fakeOf(search, {
    listVideos: async () => {
      throw serviceError('source_not_found');
    },
  });
  const caller = callerOf(bulkOrchestrator, ...events);
  for (const other of [ledger, fetcher, finder, caller]) await harness.start(other.service);
  const own = observed(service.with({ now: clock.now, limits: { fetchWaitMs: 1_000, ...limits } }));
  const start = () => harness.start(own.service, environment);
  let running: Awaited<ReturnType<typeof start>> | null = await start();
  const account = randomUUID();
  const keyId = randomUUID();
  const context = (patienceMs = PATIENCE_MS) => ({
    requestId: randomUUID(),
    accountId: account,
    signal: AbortSignal.timeout(patienceMs),
  });
  const scheduled = () => ({ ...context(), record: { add: () => undefined } }) as never;
  const create = (given: Asked = {}, patienceMs?: number) =>
    caller.call(
      bulkOrchestrator.createJob,
      {
        ...{ accountId: account, keyId, tier: 'paid', accountCreatedAt: '2026-01-01T00:00:00.000Z' },
        ...{ idempotencyKey: null, source: { videoIds: videoIds(3) }, format: 'srt', language: 'en' },
        ...{ fallback: true, webhookUrl: null, monitorId: null, ...given },
      },
      context(patienceMs),
    );
  const owned = (jobId: string) => ({ accountId: account, jobId });
  const get = async (jobId: string): Promise<Job> =>
    (await caller.call(bulkOrchestrator.getJob, owned(jobId), context())).job;
  /** When nothing is under way, lets time pass for the service and for the tasks that wait in its database, and sweeps. */
  const passTime = async (ms: number) => {
    await eventually(async () => {
      const { rows } = await own.kit().db.query(UNDER_WAY);
      if (rows.length > 0) throw new Error('a task is under way');
    });
    clock.advance(ms);
    await own.kit().db.query('UPDATE messaging.tasks SET due_at = now() WHERE due_at > now()');
    own.kit().messaging.wake();
    await own.handlers().schedules.sweepJobs(scheduled());
  };
  return {
    ...{ harness, clock, ledger, fetcher, finder, account, create, get, owned, context },
    call: caller.call,
    eventually,
    received: caller.received,
    handlers: own.handlers,
    kit: own.kit,
    environment,
    cancel: (jobId: string) => caller.call(bulkOrchestrator.cancelJob, owned(jobId), context()),
    retry: (jobId: string, tier: 'free' | 'paid' = 'paid') =>
      caller.call(bulkOrchestrator.retryJob, { ...owned(jobId), tier }, context()),
    manifest: (jobId: string) => caller.call(bulkOrchestrator.getJobManifest, owned(jobId), context()),
    /** Waits until the job is in one of these states, and answers it. */
    reach: (jobId: string, ...statuses: Job['status'][]): Promise<Job> =>
      eventually(async () => {
        const job = await get(jobId);
        if (!statuses.includes(job.status)) throw new Error(`the job is ${job.status}`);
        return job;
      }),
    passTime,
    /** Lets minutes pass until the job is in this state. */
    reachInTime: (jobId: string, status: Job['status']): Promise<Job> =>
      eventually(async () => {
        await passTime(MINUTE_MS);
        const job = await get(jobId);
        if (job.status !== status) throw new Error(`the job is ${job.status}`);
        return job;
      }),
    reconcile: async () => {
      await own.handlers().schedules.reconcileReservations(scheduled());
      await own.handlers().schedules.reconcileCharges(scheduled());
    },
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

export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'answered',
    (error: { code?: string }) => error.code ?? String(error),
  );

export type Page = Extract<ReplyOf<typeof search.listVideos>, { state: 'page' }>;

/** A whole listing of these videos. */
export const listingOf = (ids: readonly string[], given: Partial<Page> = {}): Page => ({
  ...{ state: 'page', source: { kind: 'playlist', id: 'PL1' }, contents: 'all', offset: 0 },
  videos: ids.map((video_id, position) => ({
    ...{ video_id, position, title: `Listed ${position}`, published_at: '2026-01-02T00:00:00.000Z' },
    ...{ duration: 60, thumbnail_url: null, is_short: false, cached: false },
  })),
  ...{ counts: { listed: ids.length, cold: ids.length }, total: ids.length, next_offset: null },
  ...{ listed_at: '2026-01-03T00:00:00.000Z', freshForMs: 0, ...given },
});
