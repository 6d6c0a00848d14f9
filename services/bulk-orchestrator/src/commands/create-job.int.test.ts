import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, startJobs, type TestJobs, videoIds } from '../test-support/start-jobs.ts';

const AT_ONCE = 50;

let jobs: TestJobs;
beforeAll(async () => {
  jobs = await startJobs({ credits: 300 });
});
afterAll(() => jobs?.stop());
const begun: string[] = [];
afterEach(async () => {
  jobs.ledger.fail('reserveInParts', null);
  jobs.ledger.loseAnswer('reserveInParts', false);
  for (const id of begun.splice(0)) await jobs.cancel(id);
});

const held = () => jobs.ledger.held();
/** A job that stays under way: its videos end when the test says so. */
const lasting = (name: string, count = 2) => {
  const ids = videoIds(count, name);
  for (const id of ids) jobs.fetcher.hold(id);
  return { videoIds: ids };
};
const jobCount = async (): Promise<number> => {
  const { rows } = await jobs.kit().db.query<{ n: number }>('SELECT count(*)::int AS n FROM jobs');
  return rows[0]?.n ?? -1;
};

describe('a job of some videos', () => {
  it('holds a credit for each cold one, is charged for what is fetched, and ends holding nothing', async () => {
    const ids = videoIds(5, 'five');
    jobs.fetcher.cached.add(ids[1]!);
    const before = jobs.ledger.charged();
    const { job, isReplayed } = await jobs.create({ source: { videoIds: ids } });
    expect(isReplayed).toBe(false);
    expect(job).toMatchObject({ status: 'pending', credits: { reserved: 4, charged: 0 } });
    const ended = await jobs.reach(job.id, 'completed');
    expect(ended.counts).toMatchObject({ total: 5, cached: 1, fetched: 4 });
    expect(ended.credits).toEqual({ reserved: 0, charged: 4 });
    expect(jobs.ledger.charged() - before).toBe(4);
    expect(held()).toBe(0);
  });

  it('takes each video once, in the order in which they were sent', async () => {
    const [a, b] = videoIds(2, 'twice') as [string, string];
    const { job } = await jobs.create({ source: { videoIds: [b, a, b] } });
    expect(job.videos.map(({ video_id }) => video_id)).toEqual([b, a]);
    await jobs.reach(job.id, 'completed');
  });

  it('without credits for all of it is refused, and nothing is kept or held', async () => {
    const before = await jobCount();
    const given = { source: { videoIds: videoIds(400, 'poor') }, idempotencyKey: 'poor' };
    expect(await codeOf(jobs.create(given))).toBe('insufficient_credits');
    expect(held()).toBe(0);
    expect(await jobCount()).toBe(before);
  });

  it('larger than the tier allows is refused before anybody is asked', async () => {
    const asked = jobs.fetcher.asked.length;
    const source = { videoIds: videoIds(101, 'large') };
    expect(await codeOf(jobs.create({ source, tier: 'free' }))).toBe('job_size_cap');
    expect(jobs.fetcher.asked).toHaveLength(asked);
  });

  it('with a webhook address is refused as long as the account has no webhook', async () => {
    const before = await jobCount();
    expect(await codeOf(jobs.create({ webhookUrl: 'https://example.com/hook' }))).toBe(
      'webhook_not_configured',
    );
    expect(await jobCount()).toBe(before);
  });
});

describe('the cap of active jobs', () => {
  it('is never passed, however many are begun at the same time', async () => {
    const codes = await Promise.all(
      Array.from({ length: 12 }, async (_, index) =>
        codeOf(jobs.create({ source: lasting(`cap${index}`) }).then(({ job }) => void begun.push(job.id))),
      ),
    );
    expect(codes.filter((code) => code === 'answered')).toHaveLength(5);
    expect(codes.filter((code) => code === 'active_job_cap')).toHaveLength(7);
    expect(held()).toBe(10);
  });
});

describe('an Idempotency-Key', () => {
  it('of fifty requests at once begins one job, holds its credits once, and answers all of them the same', async () => {
    const given = { source: lasting('same', 7), idempotencyKey: 'same' };
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => jobs.create(given)));
    const [first] = answers;
    begun.push(first!.job.id);
    expect(new Set(answers.map(({ job }) => JSON.stringify(job))).size).toBe(1);
    expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
    expect(held()).toBe(7);
  });

  it('answers for ever what it answered first, whatever became of the job and whatever is sent', async () => {
    const first = await jobs.create({ source: { videoIds: videoIds(2, 'ever') }, idempotencyKey: 'ever' });
    await jobs.reach(first.job.id, 'completed');
    const again = await jobs.create({ source: { videoIds: videoIds(9, 'more') }, idempotencyKey: 'ever' });
    expect(again).toEqual({ job: first.job, isReplayed: true });
  });

  it('of a refused request begins a job once that can be paid', async () => {
    const given = { source: { videoIds: videoIds(3, 'later') }, idempotencyKey: 'later' };
    jobs.ledger.fail('reserveInParts', 'account_frozen');
    const refused = await Promise.all(Array.from({ length: 4 }, () => codeOf(jobs.create(given))));
    expect(refused).toEqual(Array<string>(4).fill('account_frozen'));
    jobs.ledger.fail('reserveInParts', null);
    const { job, isReplayed } = await jobs.create(given);
    expect(isReplayed).toBe(false);
    await jobs.reach(job.id, 'completed');
  });

  it('is of one account only', async () => {
    const { job } = await jobs.create({ idempotencyKey: 'mine', source: { videoIds: videoIds(1, 'mine') } });
    const other = await jobs.create({
      ...{ accountId: '018f0000-0000-7000-8000-000000000001', idempotencyKey: 'mine' },
      source: { videoIds: videoIds(1, 'mine') },
    });
    expect(other.job.id).not.toBe(job.id);
  });
});

describe('a job whose reservation nobody knows the outcome of', () => {
  it('is forgotten, and what the ledger held for it is given back', async () => {
    const before = await jobCount();
    jobs.ledger.loseAnswer('reserveInParts', true);
    const given = { source: { videoIds: videoIds(3, 'lost') }, idempotencyKey: 'lost' };
    expect(await codeOf(jobs.create(given))).toBe('service_unavailable');
    jobs.ledger.loseAnswer('reserveInParts', false);
    await jobs.eventually(() => expect(held()).toBe(0));
    expect(await jobCount()).toBe(before);
    const { job } = await jobs.create(given);
    await jobs.reach(job.id, 'completed');
  });
});
