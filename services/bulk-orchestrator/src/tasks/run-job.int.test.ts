import { bulkOrchestrator } from '@tds/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failedWith, refusedWith } from '../test-support/fake-fetcher.ts';
import { startJobs, type TestJobs, videoIds } from '../test-support/start-jobs.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let jobs: TestJobs;
beforeAll(async () => {
  jobs = await startJobs({ credits: 5_000, limits: { coldWindow: 10, coldClaim: 1, window: 30 } });
});
afterAll(() => jobs?.stop());

const run = async (name: string, count = 3) => {
  const ids = videoIds(count, name);
  const before = { charged: jobs.ledger.charged(), held: jobs.ledger.held() };
  const create = async () => (await jobs.create({ source: { videoIds: ids } })).job.id;
  return { ids, create, charged: () => jobs.ledger.charged() - before.charged };
};
const toldOf = (event: Parameters<typeof jobs.received>[0], jobId: string) =>
  jobs.received(event).filter((told) => (told as { jobId: string }).jobId === jobId);
describe('a job under way', () => {
  it('charges exactly what is fetched, and ends completed where only some rows fail', async () => {
    const { ids, create, charged } = await run('mixed', 40);
    for (const id of ids.slice(0, 10)) jobs.fetcher.cached.add(id);
    for (const id of ids.slice(30)) jobs.fetcher.end(id, failedWith('no_captions'));
    const id = await create();
    const job = await jobs.reach(id, 'completed');
    expect(job.counts).toEqual({
      ...{ total: 40, pending: 0, processing: 0, cached: 10, fetched: 20, error: 10, cancelled: 0 },
    });
    expect(job.credits).toEqual({ reserved: 0, charged: 20 });
    expect(charged()).toBe(20);
    expect(jobs.ledger.held()).toBe(0);
    await jobs.eventually(() => expect(toldOf(bulkOrchestrator.jobCompleted, id)).toHaveLength(1));
  });

  it('that delivers nothing ends failed, and says in its rows why', async () => {
    const { ids, create, charged } = await run('none');
    for (const id of ids) jobs.fetcher.end(id, failedWith('video_unavailable'));
    const job = await jobs.reach(await create(), 'failed');
    expect(job.videos[0]).toMatchObject({
      ...{ status: 'error', error_class: 'Unavailable', error_code: 'video_unavailable', attempts: 1 },
      ...{ delivered_language: null, fallback: null, translation: null, credits_charged: 0 },
    });
    expect(charged()).toBe(0);
    expect(jobs.ledger.held()).toBe(0);
  });

  it('has no more rows at the fetcher than its window', async () => {
    jobs.fetcher.most.atOnce = 0;
    const { create } = await run('window', 80);
    await jobs.reach(await create(), 'completed');
    expect(jobs.fetcher.most.atOnce).toBe(10);
  });

  it('says in its rows what was delivered; a fallback without a translation was not requested', async () => {
    const ids = videoIds(1, 'told');
    const { job } = await jobs.create({ source: { videoIds: ids }, language: 'es' });
    const ended = await jobs.reach(job.id, 'completed');
    expect(ended.videos).toEqual([
      {
        ...{ position: 0, video_id: ids[0], title: `Title of ${ids[0]}`, status: 'fetched' },
        ...{ requested_language: 'es', delivered_language: 'en', language: 'en', fallback: true },
        ...{ translation: 'not_requested', attempts: 1, credits_charged: 1 },
        ...{ error_class: null, error_code: null },
      },
    ]);
    const { rows } = await jobs.manifest(job.id);
    expect(rows[0]).toMatchObject({
      ...{ object_key: `files/${ids[0]}`, bytes: 10, sha256: 'ab'.repeat(32), strategy: 'direct' },
      ...{ caption_kind: 'manual', published_at: '2026-01-02' },
    });
  });

  it('tries a failed row three times, and charges it once where the third is delivered', async () => {
    const { ids, create, charged } = await run('third', 12);
    jobs.fetcher.end(ids[0]!, failedWith('upstream_error'));
    const id = await create();
    await jobs.eventually(async () => expect((await jobs.get(id)).counts).toMatchObject({ fetched: 11 }));
    await jobs.passTime(6_000);
    await jobs.eventually(async () => expect((await jobs.get(id)).videos[0]?.attempts).toBe(2));
    jobs.fetcher.deliver(ids[0]!);
    await jobs.passTime(31_000);
    const job = await jobs.reach(id, 'completed');
    expect(job.videos[0]).toMatchObject({ status: 'fetched', attempts: 3, error_code: null });
    expect(charged()).toBe(12);
  });
});

describe('a row that was expected to be cached and is not', () => {
  it('is paid by a reservation of its own, once', async () => {
    const { ids, create, charged } = await run('expired', 2);
    for (const id of ids) jobs.fetcher.cached.add(id);
    const find = jobs.fetcher.commands.findCachedSelections;
    jobs.fetcher.commands.findCachedSelections = async ({ videoIds: asked }) => {
      for (const id of asked) jobs.fetcher.cached.delete(id);
      return { cached: asked, failed: [] };
    };
    const id = await create();
    jobs.fetcher.commands.findCachedSelections = find;
    const job = await jobs.reach(id, 'completed');
    expect(job.counts).toMatchObject({ fetched: 2 });
    expect(charged()).toBe(2);
    expect(jobs.fetcher.fetched.filter((video) => ids.includes(video))).toHaveLength(2);
  });
});

/** As the ledger reads it from a UUIDv7; a ref that is none has no month. */
const monthOf = (ref: string): string | undefined => {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(ref) ?? [];
  return high && new Date(Number.parseInt(`${high}${low}`, 16)).toISOString().slice(0, 7);
};

describe('a job whose reservation is gone', () => {
  it.each(['forgotten', 'released'] as const)(
    'because it was %s makes another one, in the month of that moment, and charges each row once',
    async (how) => {
      const { ids, create } = await run(`gone${how.slice(0, 1)}`, 4);
      for (const id of ids) jobs.fetcher.hold(id);
      const id = await create();
      await jobs.eventually(async () => expect((await jobs.get(id)).counts.processing).toBe(4));
      const [[ref] = ['']] = jobs.ledger.ofJob(id);
      if (how === 'released') jobs.ledger.release(ref);
      else jobs.ledger.forget(ref);
      for (const each of ids) jobs.fetcher.deliver(each);
      const job = await jobs.reach(id, 'completed');
      expect(job.counts).toMatchObject({ fetched: 4 });
      const refs = jobs.ledger.ofJob(id);
      expect(refs.reduce((sum, [, { charged }]) => sum + charged.size, 0)).toBe(4);
      // The ledger keeps a reservation with the month of the time in its ref.
      const month = jobs.clock.now().toISOString().slice(0, 7);
      expect(refs.map(([each]) => monthOf(each))).toEqual(refs.map(() => month));
    },
  );
});

describe('a paused job', () => {
  it.each([
    ['daily_limit', refusedWith('cold_fetch_cap', 1_800), 30 * MINUTE_MS],
    ['budget_exhausted', failedWith('budget_exhausted', 600), 10 * MINUTE_MS],
    ['platform_unavailable', failedWith('ip_blocked'), 10 * MINUTE_MS],
  ] as const)('for %s keeps what it holds, and goes on by itself', async (reason, ending, waitMs) => {
    const { ids, create, charged } = await run(`p${reason.slice(0, 4)}`, 4);
    for (const each of ids.slice(1)) jobs.fetcher.end(each, ending);
    jobs.fetcher.cached.add(ids[0]!);
    const id = await create();
    const paused = await jobs.reach(id, 'paused');
    expect(paused).toMatchObject({ pause_reason: reason, counts: { cached: 1, processing: 0, pending: 3 } });
    expect(paused.videos.map(({ attempts }) => attempts)).toEqual([1, 0, 0, 0]);
    for (const each of ids) jobs.fetcher.deliver(each);
    await jobs.passTime(waitMs);
    const job = await jobs.reach(id, 'completed');
    expect(job.pause_reason).toBeNull();
    expect(charged()).toBe(3);
    await jobs.eventually(() => {
      expect(toldOf(bulkOrchestrator.jobPaused, id)).toHaveLength(1);
      expect(toldOf(bulkOrchestrator.jobResumed, id)).toHaveLength(1);
    });
  });
});

describe('a live video', () => {
  it('is waited for without holding up the others, and delivered when it is over', async () => {
    const { ids, create, charged } = await run('live', 3);
    jobs.fetcher.end(ids[0]!, failedWith('transcript_not_ready', 600));
    const id = await create();
    await jobs.eventually(async () => expect((await jobs.get(id)).counts.fetched).toBe(2));
    expect(await jobs.get(id)).toMatchObject({ status: 'running', credits: { reserved: 1, charged: 2 } });
    jobs.fetcher.deliver(ids[0]!);
    await jobs.passTime(HOUR_MS);
    const job = await jobs.reach(id, 'completed');
    expect(job.videos[0]).toMatchObject({ status: 'fetched', attempts: 1 });
    expect(charged()).toBe(3);
  });
});
