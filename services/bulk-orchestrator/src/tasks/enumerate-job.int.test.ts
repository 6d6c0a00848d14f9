import { type ErrorCode, serviceError } from '@tds/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  codeOf,
  listingOf,
  type Page,
  startJobs,
  type TestJobs,
  videoIds,
} from '../test-support/start-jobs.ts';

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
const input = (name: string) => ({ source: { input: `https://example.com/${name}` } });

describe('a job of a source', () => {
  it('that is listed at once holds its credits before it is answered', async () => {
    lists(listingOf(videoIds(3, 'warm')));
    const { job } = await jobs.create(input('warm'));
    expect(job).toMatchObject({
      ...{ status: 'pending', counts: { total: 3 }, credits: { reserved: 3 } },
      source: { kind: 'playlist', input: 'https://example.com/warm' },
    });
    expect(job.videos[0]?.title).toBe('Listed 0');
    await jobs.reach(job.id, 'completed');
  });

  it('that takes longer is enumerated, and then runs', async () => {
    lists('pending', 'pending', listingOf(videoIds(4, 'cold')));
    const given = { ...input('cold'), idempotencyKey: 'cold' };
    const { job } = await jobs.create(given);
    expect(job).toMatchObject({ status: 'enumerating', counts: { total: 0 }, credits: { reserved: 0 } });
    const ended = await jobs.reach(job.id, 'completed');
    expect(ended.counts).toMatchObject({ fetched: 4 });
    expect(await jobs.create(given)).toEqual({ job, isReplayed: true });
  });

  it.each([
    ['nothing', listingOf([]), 'empty_list'],
    ['more than a job may have', listingOf(videoIds(500, 'big'), { next_offset: 500 }), 'job_size_cap'],
    ['no source', 'source_not_found', 'source_not_found'],
    ['one video', 'single_video', 'single_video'],
    ['a key without listings left today', 'enumeration_cap', 'enumeration_cap'],
  ] as const)('that is %s is refused', async (_what, answer, code) => {
    lists(answer);
    expect(await codeOf(jobs.create({ ...input('bad'), tier: 'free' }))).toBe(code);
  });

  it.each([
    ['is empty', listingOf([]), 'empty_list'],
    ['is larger than the tier`s jobs', listingOf(videoIds(101, 'big')), 'job_size_cap'],
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
    lists('pending', code, listingOf(videoIds(2, reason.slice(0, 5))));
    const { job } = await jobs.create(input('paused'));
    expect((await jobs.reach(job.id, 'paused')).pause_reason).toBe(reason);
    await jobs.passTime(60_000);
    expect((await jobs.reach(job.id, 'completed')).counts.fetched).toBe(2);
  });

  it('that its owner cancels while it is listed has no rows, whatever is found', async () => {
    lists('pending');
    const { job } = await jobs.create(input('cancelled'));
    expect((await jobs.cancel(job.id)).job.status).toBe('cancelled');
    lists(listingOf(videoIds(2, 'late')));
    await jobs.passTime(1_000);
    expect(await jobs.get(job.id)).toMatchObject({ status: 'cancelled', counts: { total: 0 } });
  });

  it('without the credits for it pauses after the listing, and goes on when the balance covers it', async () => {
    lists('pending', listingOf(videoIds(450, 'dear')));
    jobs.ledger.give(-jobs.ledger.available());
    const { job } = await jobs.create(input('dear'));
    const paused = await jobs.reach(job.id, 'paused');
    expect(paused).toMatchObject({ pause_reason: 'insufficient_credits', counts: { pending: 450 } });
    jobs.ledger.give(450);
    await jobs.passTime(60_000);
    expect((await jobs.reach(job.id, 'completed')).credits.charged).toBe(450);
  });
});
