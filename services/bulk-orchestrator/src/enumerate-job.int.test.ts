import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bulkOrchestrator } from '@tds/contracts';
import { type ErrorCode, serviceError } from '@tds/errors';
import { codeOf, eventually } from '@tds/test-kit';
import { newListing, type Page, startJobs, type TestJobs, videoIds } from './test-support/start-jobs.ts';

let jobs: TestJobs;
beforeAll(async () => {
  jobs = await startJobs({ credits: 600 });
});
afterAll(() => jobs?.stop());

const lists = (...answers: readonly (Page | 'pending' | ErrorCode)[]) => {
  let asked = 0;
  jobs.finder.commands.listVideos = async () => {
    const answer = answers[Math.min(asked++, answers.length - 1)]!;
    if (typeof answer === 'object') return answer;
    if (answer === 'pending') return { state: 'pending' };
    throw serviceError(answer as 'upstream_error', { retryAfterSeconds: 60 });
  };
};
const input = (name: string, given: { newest?: number; contents?: 'shorts' } = {}) => ({
  source: { input: `https://example.com/${name}`, contents: 'all' as const, newest: null, ...given },
});

describe('a job of a source', () => {
  it('that is listed at once is complete in its answer', async () => {
    const ids = videoIds(3, 'warm');
    for (const id of ids) jobs.fetcher.queue(id);
    lists(newListing(ids));
    const { job } = await jobs.create(input('warm'));
    expect(job).toMatchObject({
      counts: { total: 3 },
      source: { kind: 'playlist', input: 'https://example.com/warm' },
    });
    expect(job.videos[0]?.title).toBe('Listed 0');
    jobs.fetcher.deliver(...ids);
    await jobs.reach(job.id, 'completed');
  });

  it('gives the fetcher the dates of its listing, and asks for those of other rows once', async () => {
    const [listed = '', unlisted = ''] = videoIds(2, 'date');
    const asked: string[][] = [];
    jobs.finder.commands.findPublishDates = async ({ videoIds: ids }) => {
      asked.push(ids);
      return { dates: Object.fromEntries(ids.map((id) => [id, '2018-05-06'])) };
    };
    const source = { videoIds: [listed, unlisted], publishedAt: { [listed]: '2019-03-04' } };
    const { job } = await jobs.create({ source });
    const rows = jobs.fetcher.opened.findLast(({ batchId }) => batchId === job.id)?.rows;
    expect(rows?.map(({ publishedAt }) => publishedAt)).toEqual(['2019-03-04', '2018-05-06']);
    expect(asked).toEqual([[unlisted]]);
    jobs.finder.commands.findPublishDates = async () => {
      throw serviceError('service_unavailable');
    };
    const without = await jobs.create({ source: { videoIds: videoIds(1, 'none') } });
    for (const { id } of [job, without.job]) await jobs.reach(id, 'completed');
  });

  it('that takes longer is enumerated, and then runs', async () => {
    lists('pending', 'pending', newListing(videoIds(4, 'cold')));
    const given = { ...input('cold'), idempotencyKey: 'cold' };
    const { job } = await jobs.create(given);
    expect(job).toMatchObject({ status: 'enumerating', counts: { total: 0 }, credits: { reserved: 0 } });
    const ended = await jobs.reach(job.id, 'completed');
    expect(ended.counts).toMatchObject({ fetched: 4 });
    expect(await jobs.create(given)).toEqual({ job, isReplayed: true });
  });

  it('is listed in the slot of its key, and after a removed person has passed it on in that of who has it', async () => {
    const [limitId, ofHeir, keyId] = [randomUUID(), randomUUID(), randomUUID()];
    const page = newListing(videoIds(1, 'slot'));
    const slots: string[] = [];
    jobs.finder.commands.listVideos = async ({ limitId: slot }) => {
      slots.push(slot);
      return slot === ofHeir ? page : { state: 'pending' };
    };
    const { job } = await jobs.create({ ...input('slot'), keyId, limitId });
    await eventually(() => expect(slots.length).toBeGreaterThan(1));
    expect([...new Set(slots)]).toEqual([limitId]);
    jobs.passesOn(keyId, ofHeir);
    await jobs.reach(job.id, 'completed');
  });

  it('that could not be read whole says so in its answers, its manifest and its events', async () => {
    const list = (name: string): Page => ({ ...(newListing(videoIds(2, name)) as object), omitted: 2 }) as Page;
    lists(list('part'), 'pending', list('late'));
    for (const name of ['part', 'late']) {
      const { job } = await jobs.create(input(name));
      expect(await jobs.reach(job.id, 'completed')).toMatchObject({ omitted: 2, counts: { total: 2 } });
      await eventually(() =>
        expect(jobs.emittedOf(bulkOrchestrator.jobCompleted, job.id)).toMatchObject([{ omitted: 2 }]),
      );
    }
  });

  it('none of whose entries can be read is not called empty', async () => {
    lists({ ...(newListing([]) as object), omitted: 3 } as Page);
    await expect(jobs.create(input('none'))).rejects.toMatchObject({
      code: 'empty_list',
      message: 'The source has no video that can be read: 3 of its entries could not be.',
    });
  });

  it.each([
    ['nothing', newListing([]), 'empty_list'],
    ['more than a job may have', newListing(videoIds(101, 'big')), 'job_size_cap'],
    ['no source', 'source_not_found', 'source_not_found'],
    ['one video', 'single_video', 'single_video'],
    ['a key without listings left today', 'enumeration_cap', 'enumeration_cap'],
  ] as const)('that is %s is refused', async (_what, answer, code) => {
    lists(answer);
    expect(await codeOf(jobs.create({ ...input('bad'), tier: 'free' }))).toBe(code);
  });

  it.each([
    ['is empty', newListing([]), 'empty_list'],
    ['is larger than the tier`s jobs', newListing(videoIds(101, 'big')), 'job_size_cap'],
    ['is not there', 'source_not_found', 'source_not_found'],
  ] as const)('that turns out later that it %s ends the job as failed', async (_what, answer, code) => {
    lists('pending', answer);
    const { job } = await jobs.create({ ...input('later'), tier: 'free' });
    expect((await jobs.reach(job.id, 'failed')).error?.code).toBe(code);
  });

  it.each([
    ['daily_limit', 'data_api_unit_cap'],
    ['platform_unavailable', 'ip_blocked'],
  ] as const)('that cannot be listed for now pauses for %s, and is listed later', async (reason, code) => {
    lists('pending', code, newListing(videoIds(2, reason.slice(0, 5))));
    const { job } = await jobs.create(input('paused'));
    expect((await jobs.reach(job.id, 'paused')).pause_reason).toBe(reason);
    await jobs.passTime(60_000);
    expect((await jobs.reach(job.id, 'completed')).counts.fetched).toBe(2);
  });

  it.each([
    ['listed at once', []],
    ['listed later', ['pending' as const]],
  ])('with duplicates, %s, has each video once, and completes', async (_what, before) => {
    const [one = '', two = ''] = videoIds(2, before.length > 0 ? 'twice' : 'dup');
    lists(...before, newListing([one, two, one, one]));
    const { job } = await jobs.create(input('twice', { newest: 3 }));
    const ended = await jobs.reach(job.id, 'completed');
    expect(ended).toMatchObject({ counts: { total: 2, fetched: 2 }, credits: { charged: 2 } });
  });

  it('that a fault of ours keeps from being listed fails with a code, and frees its place', async () => {
    lists('pending', 'unexpected_error');
    const { job } = await jobs.create(input('fault'));
    const failed = await jobs.reachInTime(job.id, 'failed', 1);
    expect(failed.error).toMatchObject({ code: 'unexpected_error' });
    // What the database rejects is such a fault, too.
    lists('pending', { ...newListing(videoIds(1, 'fault')), videos: [{ video_id: 'x' } as never] });
    const rejected = await jobs.create(input('rejected'));
    expect((await jobs.reachInTime(rejected.job.id, 'failed', 1)).error?.code).toBe('unexpected_error');
  });

  it('cancelled during the listing has no rows, whatever is found', async () => {
    lists('pending');
    const { job } = await jobs.create(input('cancelled'));
    expect((await jobs.cancel(job.id)).job.status).toBe('cancelled');
    lists(newListing(videoIds(2, 'late')));
    await jobs.passTime(1_000);
    expect(await jobs.get(job.id)).toMatchObject({ status: 'cancelled', counts: { total: 0 } });
  });

  it('without enough credits fetches as many rows as it can, and continues after a grant', async () => {
    lists('pending', newListing(videoIds(450, 'dear')));
    jobs.fetcher.money.available = 50;
    const { job } = await jobs.create(input('dear'));
    const paused = await jobs.reach(job.id, 'paused');
    expect(paused).toMatchObject({
      pause_reason: 'insufficient_credits',
      resumes_at: null,
      counts: { pending: 400, fetched: 50 },
    });
    const events = () =>
      [bulkOrchestrator.jobPaused, bulkOrchestrator.jobResumed].map(
        (event) => jobs.emittedOf(event, job.id).length,
      );
    await jobs.eventually(() => expect(events()).toEqual([1, 0]));
    // Single credits deliver single rows, without an event for each.
    for (const fetched of [51, 52, 53]) {
      jobs.fetcher.money.available = 1;
      await jobs.granted();
      await jobs.eventually(async () => {
        await jobs.run('sweepJobs');
        expect(await jobs.get(job.id)).toMatchObject({ status: 'paused', counts: { fetched } });
      });
    }
    expect(events()).toEqual([1, 0]);
    jobs.fetcher.money.available = 397;
    await jobs.granted();
    expect((await jobs.reach(job.id, 'completed')).credits.charged).toBe(450);
    await jobs.eventually(() => expect(events()).toEqual([1, 1]));
  });
});

describe('a source larger than the largest job', () => {
  const page = (count: number, given: Partial<Page>) => newListing(videoIds(count, 'huge'), given);

  it.each([
    ['by one, whose first page is full', page(500, { next_offset: 500, total: null })],
    ['by its total, while its first page is short', page(10, { total: 20_000, next_offset: null })],
  ])('%s, is rejected, and nothing is cut off', async (_what, listing) => {
    lists(listing);
    expect(await codeOf(jobs.create(input('huge')))).toBe('job_size_cap');
    lists('pending', listing);
    const { job } = await jobs.create(input('huge'));
    expect((await jobs.reach(job.id, 'failed')).error?.code).toBe('job_size_cap');
  });

  it('is used in part if only its newest videos are requested', async () => {
    lists(page(500, { next_offset: 500, total: 20_000 }));
    jobs.fetcher.cached.add('huge0000000').add('huge0000001');
    const { job } = await jobs.create(input('newest', { newest: 2, contents: 'shorts' }));
    expect(job.videos.map(({ video_id }) => video_id)).toEqual(['huge0000000', 'huge0000001']);
    expect(jobs.finder.requests.at(-1)?.request).toMatchObject({ contents: 'shorts' });
    expect(await codeOf(jobs.create({ ...input('newest', { newest: 101 }), tier: 'free' }))).toBe(
      'job_size_cap',
    );
  });
});
