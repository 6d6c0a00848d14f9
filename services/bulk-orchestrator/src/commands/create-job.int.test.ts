import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bulkOrchestrator } from '@tds/contracts';
import type { ServiceError, ServiceErrorData } from '@tds/errors';
import { codeOf } from '@tds/test-kit';
import { refusedWith } from '../test-support/changes.ts';
import { startJobs, type TestJobs, videoIds, WEBHOOK_URL } from '../test-support/start-jobs.ts';

let jobs: TestJobs;
beforeAll(async () => {
  jobs = await startJobs({ credits: 300 });
});
afterAll(() => jobs?.stop());
const begun: string[] = [];
afterEach(async () => {
  jobs.fetcher.refuse(null);
  jobs.fetcher.fail('submitBatch', null);
  jobs.fetcher.loseAnswer('submitBatch', false);
  for (const id of begun.splice(0)) await jobs.cancel(id);
});

const held = () => jobs.fetcher.held();

describe('a job of several videos', () => {
  it('holds a credit for each cold video, is charged for fetched ones, and holds nothing at its end', async () => {
    const ids = videoIds(5, 'five');
    jobs.fetcher.cached.add(ids[1]!);
    for (const id of ids) if (id !== ids[1]) jobs.fetcher.queue(id);
    const before = jobs.fetcher.money.charged;
    const personId = '018f0000-0000-7000-8000-0000000000bb';
    const { job, isReplayed } = await jobs.create({ source: { videoIds: ids }, personId });
    expect(isReplayed).toBe(false);
    expect(job.person_id).toBe(personId);
    expect(job).toMatchObject({ counts: { cached: 1, pending: 4 }, credits: { reserved: 4, charged: 0 } });
    jobs.fetcher.deliver(...ids);
    const ended = await jobs.reach(job.id, 'completed');
    expect(ended.counts).toMatchObject({ total: 5, cached: 1, fetched: 4 });
    expect(ended.credits).toEqual({ reserved: 0, charged: 4 });
    expect(jobs.fetcher.money.charged - before).toBe(4);
    expect(held()).toBe(0);
  });

  it('is answered before its rows begin, however fast they end', async () => {
    const ids = videoIds(60, 'fast');
    jobs.fetcher.cached.add(ids[0]!);
    const { job } = await jobs.create({ source: { videoIds: ids } });
    expect(job).toMatchObject({ status: 'running', counts: { cached: 1, pending: 59 } });
    expect(job.credits).toEqual({ reserved: 59, charged: 0 });
    expect((await jobs.reach(job.id, 'completed')).credits).toEqual({ reserved: 0, charged: 59 });
  });

  it('is answered by either of two instances while a slow fetcher has ended no row', async () => {
    const another = await jobs.startAnother();
    const sources = ['slow', 'slog', 'slob', 'slot'].map((name) => jobs.lasting(name, 40));
    const created = await Promise.all(sources.map((source) => jobs.create({ source })));
    begun.push(...created.map(({ job }) => job.id));
    for (const { job } of created)
      expect(job).toMatchObject({ counts: { pending: 40 }, credits: { reserved: 40, charged: 0 } });
    expect(held()).toBe(160);
    await another.stop();
  });

  it('is answered while its changes cannot be read', async () => {
    jobs.fetcher.fail('readChanges', 'service_unavailable');
    const { job } = await jobs.create({ source: { videoIds: videoIds(3, 'unread') } });
    expect(job).toMatchObject({ status: 'pending', counts: { pending: 3 } });
    jobs.fetcher.fail('readChanges', null);
    jobs.fetcher.work();
    await jobs.reach(job.id, 'completed');
  });

  it('is not accepted if its caller has no time left, unless it has a key', async () => {
    const before = { jobs: await jobs.count(), charged: jobs.fetcher.money.charged };
    const source = { videoIds: videoIds(3, 'late') };
    expect(await codeOf(jobs.create({ source }, 1_500))).toBe('service_unavailable');
    await jobs.eventually(async () => {
      jobs.fetcher.work();
      expect([await jobs.count(), jobs.fetcher.money.charged, held()]).toEqual([
        before.jobs,
        before.charged,
        0,
      ]);
    });
    const { job } = await jobs.eventually(() => jobs.create({ source, idempotencyKey: 'late' }, 1_500));
    await jobs.reach(job.id, 'completed');
  });

  it('has each video once, in the order of the request', async () => {
    const [a, b] = videoIds(2, 'twice') as [string, string];
    const { job } = await jobs.create({ source: { videoIds: [b, a, b] } });
    expect(job.videos.map(({ video_id }) => video_id)).toEqual([b, a]);
    await jobs.reach(job.id, 'completed');
  });

  it('without credits for all of it is rejected with the missing number, and leaves nothing', async () => {
    const before = await jobs.count();
    const given = { source: { videoIds: videoIds(400, 'poor') }, idempotencyKey: 'poor' };
    const { available } = jobs.fetcher.money;
    const refused = await jobs.create(given).catch((error: ServiceError) => error.data);
    expect(refused).toMatchObject({
      code: 'insufficient_credits',
      extras: { required: 400, available, shortfall: 400 - available, buy_url: 'http://buy' },
    });
    expect(held()).toBe(0);
    expect(await jobs.count()).toBe(before);
    const id = jobs.fetcher.opened.at(-1)?.batchId as string;
    await jobs.eventually(() => expect(jobs.fetcher.batches.get(id)?.state).toBe('stopped'));
  });

  it.each(['account_frozen', 'account_closed', 'key_revoked'] as const)(
    'of a rejected account or key is rejected as %s, and deleted',
    async (code) => {
      const before = await jobs.count();
      jobs.fetcher.refuse(refusedWith(code));
      expect(await codeOf(jobs.create({ source: { videoIds: videoIds(2, 'refused') } }))).toBe(code);
      expect(await jobs.count()).toBe(before);
    },
  );

  it('that a daily cap allows in part begins with that part; the rest waits for the cap', async () => {
    const ids = videoIds(6, 'capped');
    for (const id of ids) jobs.fetcher.queue(id);
    jobs.fetcher.refuse(refusedWith('cold_fetch_cap', { retryAfterSeconds: 3_600 }), 2);
    const { job } = await jobs.create({ source: { videoIds: ids } });
    expect(job).toMatchObject({ status: 'pending', credits: { reserved: 2 }, counts: { pending: 6 } });
    // The answer already says that some rows wait, and until when.
    expect(job.pause_reason).toBe('daily_limit');
    expect(Date.parse(job.resumes_at as string)).toBeGreaterThan(Date.parse(job.created_at));
    jobs.fetcher.deliver(...ids);
    const paused = await jobs.reach(job.id, 'paused');
    expect(paused).toMatchObject({ pause_reason: 'daily_limit', counts: { fetched: 2, pending: 4 } });
    const waitMs = Date.parse(paused.resumes_at as string) - Date.parse(paused.created_at);
    expect(Math.round(waitMs / 60_000)).toBe(60);
    jobs.fetcher.refuse(null);
    await jobs.passTime(3_601_000);
    expect((await jobs.reach(job.id, 'completed')).credits.charged).toBe(6);
  });

  it('has its name, and whether its holder is mailed, in every answer and event', async () => {
    const labels = { name: 'Lectures', metadata: { course: 'physics' } };
    const source = { videoIds: videoIds(1, 'labels') };
    const { job } = await jobs.create({ source, notifyEmail: true, ...labels });
    expect(job).toMatchObject({ notify_email: true, ...labels });
    await jobs.reach(job.id, 'completed');
    const emitted = () => jobs.emittedOf(bulkOrchestrator.jobCompleted, job.id);
    await jobs.eventually(() => expect(emitted()).toMatchObject([{ notifyEmail: true, ...labels }]));
  });

  it('larger than the tier allows is rejected without a call to another service', async () => {
    const asked = jobs.fetcher.opened.length;
    const source = { videoIds: videoIds(101, 'large') };
    expect(await codeOf(jobs.create({ source, tier: 'free' }))).toBe('job_size_cap');
    expect(jobs.fetcher.opened).toHaveLength(asked);
  });

  it('with its own webhook URL keeps it, and shows the delivery of its newest event', async () => {
    const source = { videoIds: videoIds(1, 'hook') };
    const { job } = await jobs.create({ source, webhookUrl: WEBHOOK_URL });
    expect(job.webhook).toEqual({ url: WEBHOOK_URL, status: 'none' });
    await jobs.emitDelivery(job.id, 'delivered', 2);
    await jobs.emitDelivery(job.id, 'pending', 1);
    expect((await jobs.get(job.id)).webhook).toEqual({ url: WEBHOOK_URL, status: 'delivered' });
  });

  it('shows waiting before its first event if its account has a webhook, and none otherwise', async () => {
    const begin = async (name: string) => (await jobs.create({ source: { videoIds: videoIds(1, name) } })).job;
    const statusOf = async ({ id }: { id: string }) => (await jobs.get(id)).webhook.status;
    await jobs.emitWebhook(true, 5);
    await jobs.emitWebhook(false, 4);
    const job = await begin('waits');
    expect(job.webhook).toEqual({ url: null, status: 'waiting' });
    await jobs.emitWebhook(false, 6);
    expect([await statusOf(job), (await begin('not')).webhook.status]).toEqual(['none', 'none']);
  });

  it('with a webhook URL is rejected before any change if the dispatcher rejects the URL, but not if a restore lost it', async () => {
    const before = await jobs.count();
    expect(await codeOf(jobs.create({ webhookUrl: 'https://example.com/hook' }))).toBe(
      'webhook_not_configured',
    );
    expect(await jobs.count()).toBe(before);
    const lost = { webhookUrl: 'https://example.com/hook', isRestored: true };
    expect(await codeOf(jobs.create(lost))).toBe('answered');
  });

  it('keeps an allowed webhook URL, and a repeat calls no service again', async () => {
    const url = 'https://example.com/hook';
    const asked: unknown[] = [];
    jobs.webhooks.commands.checkWebhookUrl = async (request) => {
      asked.push(request);
      return {};
    };
    const given = { webhookUrl: url, idempotencyKey: 'with a webhook' };
    for (let time = 0; time < 2; time += 1)
      expect((await jobs.create(given)).job.webhook).toMatchObject({ url });
    expect(asked).toMatchObject([{ url }]);
  });
});

describe('the cap of active jobs', () => {
  it('is never passed by concurrent requests', async () => {
    const codes = await Promise.all(
      Array.from({ length: 12 }, async (_, index) =>
        codeOf(jobs.create({ source: jobs.lasting(`cap${index}`) }).then(({ job }) => void begun.push(job.id))),
      ),
    );
    expect(codes.filter((code) => code === 'answered')).toHaveLength(5);
    expect(codes.filter((code) => code === 'active_job_cap')).toHaveLength(7);
    expect(held()).toBe(10);
  });

  it('is answered with the active jobs, and when the first of them continues, if known; a job that a restore lost passes', async () => {
    const ids = jobs.lasting('way');
    jobs.fetcher.refuse(refusedWith('cold_fetch_cap', { retryAfterSeconds: 600 }));
    const { job } = await jobs.create({ source: ids, tier: 'free' });
    begun.push(job.id);
    const refusalOf = () => jobs.create({ tier: 'free' }).catch((error: ServiceError) => error.data);
    const refused = (await refusalOf()) as ServiceErrorData;
    expect(refused).toMatchObject({ code: 'active_job_cap', extras: { active_job_ids: [job.id] } });
    expect(refused.retryAfterSeconds).toBeGreaterThan(590);
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(600);
    jobs.fetcher.refuse(null);
    await jobs.passTime(601_000);
    await jobs.reach(job.id, 'pending', 'running');
    expect(await refusalOf()).not.toHaveProperty('retryAfterSeconds');
    begun.push((await jobs.create({ tier: 'free', isRestored: true })).job.id);
  });
});

describe('the jobs that an account begins in a day', () => {
  it('are limited, and rejected ones do not count', async () => {
    const own = { accountId: '018f0000-0000-7000-8000-00000000000a', tier: 'free' } as const;
    const one = { ...own, source: { videoIds: videoIds(1, 'day') } };
    jobs.fetcher.cached.add('day00000000');
    await jobs.create(one);
    await jobs.query('UPDATE creation_days SET jobs = 199 WHERE account_id = $1', [own.accountId]);
    jobs.fetcher.refuse(refusedWith('account_frozen'));
    expect(await codeOf(jobs.create({ ...one, source: { videoIds: videoIds(1, 'nod') } }))).toBe(
      'account_frozen',
    );
    jobs.fetcher.refuse(null);
    expect((await jobs.create(one)).job.status).toBe('completed');
    const refused = await jobs.create(one).catch((error: ServiceError) => error.data);
    expect(refused).toMatchObject({ code: 'job_creation_cap', retryAfterSeconds: expect.any(Number) });
  });
});
