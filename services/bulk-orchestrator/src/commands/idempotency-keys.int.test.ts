import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { codeOf } from '@tds/test-kit';
import { refusedWith } from '../test-support/changes.ts';
import { startJobs, type TestJobs, videoIds } from '../test-support/start-jobs.ts';

const AT_ONCE = 50;

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

describe('an Idempotency-Key', () => {
  it('of fifty concurrent requests begins one job, holds its credits once, and gives all the same answer', async () => {
    const given = { source: jobs.lasting('same', 7), idempotencyKey: 'same' };
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => jobs.create(given)));
    const [first] = answers;
    begun.push(first!.job.id);
    expect(new Set(answers.map(({ job }) => JSON.stringify(job))).size).toBe(1);
    expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
    expect(held()).toBe(7);
  });

  it('keeps its first answer for ever, whatever becomes of the job', async () => {
    const metadata = { one: '1', two: '2' };
    const given = { source: { videoIds: videoIds(2, 'ever') }, idempotencyKey: 'ever', metadata };
    const first = await jobs.create(given);
    await jobs.reach(first.job.id, 'completed');
    const again = await jobs.create({ ...given, metadata: { two: '2', one: '1' } });
    expect(JSON.stringify(again.job)).toBe(JSON.stringify(first.job));
    expect(again.isReplayed).toBe(true);
  });

  it('is rejected with another request, even while the first one is under way, and begins nothing', async () => {
    const given = { source: { videoIds: videoIds(2, 'used') }, idempotencyKey: 'used' };
    const other = { ...given, format: 'vtt' as const };
    const [first, second] = await Promise.allSettled([jobs.create(given), jobs.create(other)]);
    const codes = [first, second].map((end) => (end.status === 'rejected' ? end.reason.code : 'answered'));
    expect(codes.toSorted()).toEqual(['answered', 'idempotency_key_reused']);
    const asSent = first.status === 'fulfilled' ? given : other;
    for (const change of [{ language: 'de' }, { fallback: false }, { name: 'other' }, { metadata: { a: 'b' } }])
      expect(await codeOf(jobs.create({ ...asSent, ...change }))).toBe('idempotency_key_reused');
    expect(await jobs.query(`SELECT FROM jobs WHERE idempotency_key = 'used'`)).toHaveLength(1);
  });

  it('of a rejected request begins a job once it can be paid', async () => {
    const given = { source: { videoIds: videoIds(3, 'later') }, idempotencyKey: 'later' };
    jobs.fetcher.refuse(refusedWith('account_frozen'));
    const refused = await Promise.all(Array.from({ length: 4 }, () => codeOf(jobs.create(given))));
    expect(refused).toEqual(Array<string>(4).fill('account_frozen'));
    jobs.fetcher.refuse(null);
    const { job, isReplayed } = await jobs.create(given);
    expect(isReplayed).toBe(false);
    await jobs.reach(job.id, 'completed');
  });

  it('belongs to one account', async () => {
    const { job } = await jobs.create({ idempotencyKey: 'mine', source: { videoIds: videoIds(1, 'mine') } });
    const other = await jobs.create({
      ...{ accountId: '018f0000-0000-7000-8000-000000000001', idempotencyKey: 'mine' },
      source: { videoIds: videoIds(1, 'mine') },
    });
    expect(other.job.id).not.toBe(job.id);
  });
});

describe('a job that the fetcher opened, with a lost answer', () => {
  it('is deleted if it has no key, and costs nothing', async () => {
    const before = { jobs: await jobs.count(), available: jobs.fetcher.money.available };
    jobs.fetcher.loseAnswer('submitBatch', true);
    expect(await codeOf(jobs.create({ source: { videoIds: videoIds(3, 'lost') } }))).toBe(
      'service_unavailable',
    );
    await jobs.eventually(() => {
      jobs.fetcher.work();
      expect(jobs.fetcher.waived).toContain(jobs.fetcher.opened.at(-1)?.batchId);
      expect([held(), jobs.fetcher.money.available]).toEqual([0, before.available]);
    });
    expect(await jobs.count()).toBe(before.jobs);
  });

  it('is opened again under the same operations if it has a key, which then gets the answer', async () => {
    const given = { source: jobs.lasting('kept', 3), idempotencyKey: 'kept' };
    jobs.fetcher.loseAnswer('submitBatch', true);
    expect(await codeOf(jobs.create(given))).toBe('service_unavailable');
    jobs.fetcher.loseAnswer('submitBatch', false);
    await jobs.passTime(31_000);
    const { job, isReplayed } = await jobs.create(given);
    expect(isReplayed).toBe(true);
    jobs.fetcher.deliver(...given.source.videoIds);
    await jobs.reach(job.id, 'completed');
    const asked = jobs.fetcher.opened.filter(({ batchId, isAccepted }) => batchId === job.id && !isAccepted);
    expect(asked).toHaveLength(2);
    expect(asked[1]?.rows).toEqual(asked[0]?.rows);
    expect(jobs.fetcher.chargedFor(job.id)).toBe(3);
  });

  it('releases its key if it is rejected then', async () => {
    const given = { source: { videoIds: videoIds(2, 'free') }, idempotencyKey: 'free' };
    const before = await jobs.count();
    jobs.fetcher.fail('submitBatch', 'service_unavailable');
    expect(await codeOf(jobs.create(given))).toBe('service_unavailable');
    jobs.fetcher.fail('submitBatch', null);
    jobs.fetcher.refuse(refusedWith('account_frozen'));
    await jobs.passTime(31_000).catch(() => undefined);
    await jobs.eventually(async () => expect(await jobs.count()).toBe(before));
    jobs.fetcher.refuse(null);
    const { job, isReplayed } = await jobs.create(given);
    expect(isReplayed).toBe(false);
    await jobs.reach(job.id, 'completed');
  });
});

describe('a job cancelled during its creation', () => {
  it('stays cancelled, and its key has that answer', async () => {
    const given = { source: jobs.lasting('creat'), idempotencyKey: 'cancelled' };
    jobs.fetcher.fail('submitBatch', 'service_unavailable');
    expect(await codeOf(jobs.create(given))).toBe('service_unavailable');
    const [{ id }] = await jobs.query('SELECT id FROM jobs WHERE idempotency_key = $1', ['cancelled']);
    await jobs.cancel(id);
    jobs.fetcher.fail('submitBatch', null);
    const { job, isReplayed } = await jobs.create(given);
    expect([job.id, job.status, isReplayed]).toEqual([id, 'cancelled', true]);
    await jobs.passTime(31_000);
    await jobs.eventually(async () => {
      expect(await jobs.get(id)).toMatchObject({ counts: { cancelled: 2 }, credits: { reserved: 0 } });
      expect((await jobs.get(id)).finished_at).not.toBeNull();
    });
    expect(held()).toBe(0);
  });
});
