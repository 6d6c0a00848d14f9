import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bulkOrchestrator, undeliveredRow } from '@tds/contracts';
import { newDelivery } from '@tds/contracts/testing';
import { serviceError } from '@tds/errors';
import { failedWith } from './test-support/changes.ts';
import { startJobs, type TestJobs, videoIds } from './test-support/start-jobs.ts';

const MINUTE_MS = 60_000;

let jobs: TestJobs;
beforeAll(async () => {
  jobs = await startJobs({ credits: 5_000 });
});
afterAll(() => jobs?.stop());

const prepare = (name: string, count = 3) => {
  const ids = videoIds(count, name);
  return { ids, create: async () => (await jobs.create({ source: { videoIds: ids } })).job.id };
};

describe('a job under way', () => {
  it('charges exactly the fetched rows, and is completed if only some rows fail', async () => {
    const { ids, create } = prepare('mixed', 140);
    for (const id of ids.slice(0, 10)) jobs.fetcher.cached.add(id);
    for (const id of ids.slice(130)) jobs.fetcher.end(id, failedWith('no_captions'));
    const id = await create();
    const job = await jobs.reach(id, 'completed');
    expect(job.counts).toEqual({
      total: 140,
      pending: 0,
      processing: 0,
      cached: 10,
      fetched: 120,
      error: 10,
      cancelled: 0,
    });
    expect(job.credits).toEqual({ reserved: 0, charged: 120 });
    expect(jobs.fetcher.chargedFor(id)).toBe(120);
    await jobs.eventually(() => expect(jobs.emittedOf(bulkOrchestrator.jobCompleted, id)).toHaveLength(1));
  });

  it('that delivers nothing fails, and shows why in its rows', async () => {
    const { ids, create } = prepare('none');
    for (const id of ids) jobs.fetcher.end(id, failedWith('video_unavailable'));
    const job = await jobs.reach(await create(), 'failed');
    expect(job.videos[0]).toMatchObject({
      status: 'error',
      error_class: 'Unavailable',
      error_code: 'video_unavailable',
      message: expect.any(String),
      retryable: false,
      attempts: 1,
      delivered_language: null,
      credits_charged: 0,
    });
    expect(job.credits).toEqual({ reserved: 0, charged: 0 });
    expect((await jobs.manifest(job.id)).rows[0]).toMatchObject(undeliveredRow);
  });

  it('holds no credit for an ended row, whatever the others wait for', async () => {
    const { ids, create } = prepare('freed', 20);
    for (const id of ids.slice(1)) jobs.fetcher.end(id, failedWith('no_captions'));
    jobs.fetcher.hold(ids[0]!);
    const id = await create();
    await jobs.eventually(async () =>
      expect(await jobs.get(id)).toMatchObject({ counts: { error: 19 }, credits: { reserved: 1 } }),
    );
    jobs.fetcher.deliver(ids[0]!);
    await jobs.reach(id, 'completed');
  });

  it('shows the delivered file in its rows; a fallback without a translation was not requested', async () => {
    const ids = videoIds(1, 'shown');
    const { job } = await jobs.create({ source: { videoIds: ids }, language: 'es' });
    const ended = await jobs.reach(job.id, 'completed');
    expect(ended.videos).toEqual([
      {
        position: 0,
        video_id: ids[0],
        title: `Title of ${ids[0]}`,
        status: 'fetched',
        requested_language: 'es',
        delivered_language: 'en',
        language: 'en',
        fallback: true,
        translation: 'not_requested',
        attempts: 1,
        credits_charged: 1,
        error_class: null,
        error_code: null,
        message: null,
        retryable: null,
        waiting_for: null,
        next_attempt_at: null,
      },
    ]);
    const { rows } = await jobs.manifest(job.id);
    expect(rows[0]).toEqual({
      ...newDelivery(),
      ...ended.videos[0],
      object_key: `files/${ids[0]}`,
      bytes: 10,
      crc32: 0xdead_beef,
      strategy: 'direct',
      published_at: '2026-01-02',
      duration: 60,
      view_count: 7,
      words: 12,
    });
  });

  it('tries a failed row three times, each under a new operation, and holds nothing in between', async () => {
    const { ids, create } = prepare('third', 12);
    jobs.fetcher.end(ids[0]!, failedWith('upstream_error'));
    const id = await create();
    await jobs.eventually(async () => {
      const job = await jobs.get(id);
      expect(job).toMatchObject({ status: 'running', counts: { fetched: 11 }, credits: { reserved: 0 } });
      expect(job.videos[0]).toMatchObject({ status: 'pending', waiting_for: 'retry', attempts: 1 });
      const { errorClass, message } = serviceError('upstream_error').data;
      expect(job.videos[0]).toMatchObject({ error_class: errorClass, error_code: 'upstream_error', message });
      expect(job.videos[0]?.next_attempt_at).not.toBeNull();
    });
    await jobs.passTime(6_000);
    await jobs.eventually(async () => expect((await jobs.get(id)).videos[0]?.attempts).toBe(2));
    jobs.fetcher.deliver(ids[0]!);
    await jobs.passTime(31_000);
    const job = await jobs.reach(id, 'completed');
    expect(job.videos[0]).toMatchObject({ status: 'fetched', attempts: 3, error_code: null });
    expect([jobs.fetcher.chargedFor(id), jobs.fetcher.rowsOf(id).length]).toEqual([12, 14]);
  });
});

const listPauses = (id: string) =>
  jobs.fetcher.requests.filter(
    ({ name, request }) => name === 'pauseBatch' && (request as { batchId: string }).batchId === id,
  );

describe('a paused job', () => {
  it.each([
    ['daily_limit', failedWith('cold_fetch_cap', 1_800), 30 * MINUTE_MS],
    ['budget_exhausted', failedWith('budget_exhausted', 600), 10 * MINUTE_MS],
    ['platform_unavailable', failedWith('ip_blocked'), 10 * MINUTE_MS],
  ] as const)(
    'for %s holds nothing, shows when it continues, and does so by itself',
    async (reason, ending, waitMs) => {
      const { ids, create } = prepare(`p${reason.slice(0, 4)}`, 6);
      for (const each of ids.slice(1, 4)) jobs.fetcher.end(each, ending);
      for (const each of ids.slice(4))
        jobs.fetcher.end(each, reason === 'platform_unavailable' ? ending : () => 'waiting');
      jobs.fetcher.cached.add(ids[0]!);
      const id = await create();
      const paused = await jobs.reach(id, 'paused');
      expect(paused).toMatchObject({
        pause_reason: reason,
        counts: { cached: 1, processing: 0, pending: 5 },
        credits: { reserved: 0 },
      });
      expect(Date.parse(paused.resumes_at as string)).toBeGreaterThan(Date.parse(paused.created_at));
      expect(paused.videos.map(({ attempts }) => attempts)).toEqual([1, 0, 0, 0, 0, 0]);
      // Earlier, the job would end with its running rows instead of pausing.
      await jobs.eventually(() => expect(listPauses(id)).not.toEqual([]));
      // Rows that all end at once would complete the job while it is paused.
      for (const each of ids.slice(1)) jobs.fetcher.queue(each);
      await jobs.passTime(waitMs + 1_000);
      await jobs.eventually(() => {
        expect(jobs.emittedOf(bulkOrchestrator.jobPaused, id)).toHaveLength(1);
        expect(jobs.emittedOf(bulkOrchestrator.jobResumed, id)).toHaveLength(1);
      });
      jobs.fetcher.deliver(...ids);
      const job = await jobs.reach(id, 'completed');
      expect(job).toMatchObject({
        pause_reason: null,
        resumes_at: null,
        credits: { reserved: 0, charged: 5 },
      });
    },
  );

  it('probes an outage with ten rows, and opens the others after an answer of the platform', async () => {
    const { ids, create } = prepare('probe', 60);
    for (const each of ids) jobs.fetcher.end(each, failedWith('ip_blocked'));
    const id = await create();
    await jobs.reach(id, 'paused');
    for (const each of ids) jobs.fetcher.deliver(each);
    await jobs.passTime(31_000);
    expect((await jobs.reach(id, 'completed')).credits.charged).toBe(60);
    const sizes = jobs.fetcher.opened
      .filter(({ batchId, isAccepted }) => batchId === id && isAccepted)
      .map(({ rows }) => rows.length);
    expect(sizes).toEqual([60, 10, 50]);
    expect(listPauses(id).length).toBeLessThan(5);
  });
});
